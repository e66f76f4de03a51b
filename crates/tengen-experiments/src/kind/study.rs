//! The question and the answer that the page `README.md` of a published run begins with.

use crate::report::files::{Declaration, text};

/// The longest answer of a study, in characters.
const MAX_SENTENCE: usize = 90;

pub(super) const STUDY: Declaration = Declaration {
    name: "study",
    keys: &[],
    table: "README.md",
    own_table: None,
    rows: None,
    card: |_, files| {
        let page = text(files, "README.md").ok().flatten();
        Ok((page.and_then(|page| question_and_answer(&page).1).into_iter().collect(), Vec::new()))
    },
    brief: |_, page| {
        let (question, answer) = question_and_answer(page);
        Some(sentence(&answer.or(question)?))
    },
};

/// Question and answer of `text`, a page in Markdown, as plain text. They are its first two
/// paragraphs of prose; the question is none if the first one does not ask.
pub(super) fn question_and_answer(text: &str) -> (Option<String>, Option<String>) {
    let mut paragraphs = paragraphs(text);
    let first = paragraphs.next();
    match first {
        Some(question) if question.contains('?') => (Some(question), paragraphs.next()),
        other => (None, other),
    }
}

/// The paragraphs of prose: no headings, tables, pictures, lists or code.
fn paragraphs(text: &str) -> impl Iterator<Item = String> {
    let blocks = text.split("\n\n").map(str::trim).filter(|block| {
        let begins = ["#", "|", "![", "```", "- ", "* ", ">", "<"];
        !block.is_empty() && !begins.iter().any(|sign| block.starts_with(sign))
    });
    blocks.map(plain)
}

/// A paragraph without the signs of Markdown: the text of links, no emphasis, one line.
fn plain(block: &str) -> String {
    let mut text = String::new();
    let mut rest = block;
    while let Some(begin) = rest.find('[') {
        let link = &rest[begin + 1..];
        let parts = link.find("](").and_then(|middle| {
            let end = link[middle..].find(')')?;
            Some((&link[..middle], &link[middle + end + 1..]))
        });
        let Some((label, after)) = parts else { break };
        text.push_str(&rest[..begin]);
        text.push_str(label);
        rest = after;
    }
    text.push_str(rest);
    let text = text.replace("**", "").replace('`', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first sentence of `text`, cut at [`MAX_SENTENCE`].
fn sentence(text: &str) -> String {
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    let whole = &text[..end];
    let cut: String = whole.chars().take(MAX_SENTENCE).collect();
    if cut.len() == whole.len() {
        return cut;
    }
    let words = cut.rfind(' ').map_or(cut.as_str(), |end| &cut[..end]);
    words.trim_end_matches([' ', ',', ';', ':']).to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_markdown_are_left_out() {
        let text = "# name\n\nIs a [better](b.md) than `b`?\n\n| a |\n|---|\n\n![p](p.svg)\n\n\
                    Two **thirds**\n([plan](x#y) of a).\n\nMore.\n";
        let expected =
            (Some("Is a better than b?".to_owned()), Some("Two thirds (plan of a).".to_owned()));
        assert_eq!(question_and_answer(text), expected);
        assert_eq!(
            question_and_answer("# a\n\nNo [question.\n"),
            (None, Some("No [question.".into()))
        );
        assert_eq!(question_and_answer(""), (None, None));
    }

    #[test]
    fn a_long_sentence_is_cut_between_words() {
        let words = "tengen ".repeat(20);
        let cut = sentence(&format!("{words}. More."));
        assert!(cut.chars().count() <= MAX_SENTENCE + 1 && cut.ends_with(" tengen…"), "{cut}");
        assert_eq!(sentence("Short. More."), "Short.");
    }
}
