//! The question and the answer that the page `README.md` of a published run begins with.

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
}
