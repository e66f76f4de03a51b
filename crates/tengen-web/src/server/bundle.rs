//! Bundles the page's scripts into one file and its style sheets into another: sixty files would
//! cost a slow line ten round trips. The page works without bundles too, from any file server.

use std::collections::HashMap;

/// The first script of the page, and the sheet that names all others.
const SCRIPT: &str = "main.js";
const SHEET: &str = "page.css";

/// The script that gets the answers, a file of its own: the page without a server has another one.
const BACKEND: &str = "backend.js";

/// The file of the page at `path`, read by `read`; none if there is no such file. The first script
/// and the first style sheet contain everything that they import.
pub fn file(path: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    match path {
        SCRIPT => script(read),
        SHEET => Some(sheet(&read(path)?, read)),
        _ => read(path),
    }
}

fn sheet(text: &str, read: &dyn Fn(&str) -> Option<String>) -> String {
    let named =
        text.lines().filter_map(|line| line.strip_prefix("@import \"")?.strip_suffix("\";"));
    named.filter_map(read).map(|text| without_comments(&text)).collect()
}

/// One script with all modules that [`SCRIPT`] imports. Each module becomes a function that returns
/// its exports.
fn script(read: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut bundle = Bundle { read, names: HashMap::new(), text: String::new() };
    bundle.text = format!("import * as backend from \"./{BACKEND}\";\n");
    bundle.names.insert(BACKEND.to_owned(), "backend".to_owned());
    bundle.add(SCRIPT)?;
    Some(bundle.text)
}

struct Bundle<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    /// The names of the modules in the bundle, by path.
    names: HashMap<String, String>,
    text: String,
}

impl Bundle<'_> {
    /// Writes the module at `path` after all modules that it imports, and returns its name.
    fn add(&mut self, path: &str) -> Option<String> {
        if let Some(name) = self.names.get(path) {
            return Some(name.clone());
        }
        let text = without_comments(&(self.read)(path)?);
        let (mut body, mut exported) = (String::new(), Vec::new());
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("import ") {
                let mut statement = line.to_owned();
                while !statement.ends_with(';') {
                    statement += lines.next()?;
                }
                body += &self.import(path, &statement)?;
                continue;
            }
            let declared = line.strip_prefix("export ");
            exported.extend(declared.map(declared_name));
            body += declared.unwrap_or(line);
            body.push('\n');
        }
        let name = format!("module{}", self.names.len());
        let exported = exported.join(", ");
        let module = format!("const {name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n");
        self.text += &module;
        self.names.insert(path.to_owned(), name.clone());
        Some(name)
    }

    /// The replacement for the statement `import … from "…";` of the module at `path`.
    fn import(&mut self, path: &str, statement: &str) -> Option<String> {
        let (names, from) = statement.strip_prefix("import ")?.split_once(" from ")?;
        let from = joined(path, from.trim_matches(['"', ';']));
        let module = self.add(&from)?;
        Some(match names.strip_prefix("* as ") {
            Some(name) => format!("const {name} = {module};\n"),
            None => format!("const {} = {module};\n", names.replace(" as ", ": ")),
        })
    }
}

/// The name that `function f(…`, `class C …` or `const c = …` declares.
fn declared_name(declaration: &str) -> &str {
    let kinds = ["async ", "function* ", "function ", "class ", "const "];
    let name = kinds.iter().fold(declaration, |rest, kind| rest.strip_prefix(kind).unwrap_or(rest));
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The path that the module at `path` calls `named`, such as `../dom.js`.
fn joined(path: &str, named: &str) -> String {
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    for part in named.split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()),
            part => folders.push(part),
        }
    }
    folders.join("/")
}

/// `text` without lines of comments only, which are a quarter of a script.
fn without_comments(text: &str) -> String {
    let (mut kept, mut is_comment) = (String::new(), false);
    for line in text.lines() {
        let trimmed = line.trim();
        let begins = !is_comment && trimmed.starts_with("/*");
        // A line with text after the end of a comment is code.
        let is_whole = trimmed.ends_with("*/") || !trimmed.contains("*/");
        let is_left_out =
            is_comment || trimmed.starts_with("//") || trimmed.is_empty() || begins && is_whole;
        if !is_left_out {
            kept += line;
            kept.push('\n');
        }
        is_comment = (is_comment || begins) && !trimmed.contains("*/");
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundled(files: &[(&str, &str)], path: &str) -> Option<String> {
        file(path, &|path| Some(files.iter().find(|(name, _)| *name == path)?.1.to_owned()))
    }

    #[test]
    fn modules_are_functions_in_the_order_of_their_imports() {
        let files = [
            (
                "main.js",
                "// First.\nimport {\n  f as g,\n  C,\n} from \"./play/a.js\";\nimport * as b from \"./b.js\";\ng(C, b);\n",
            ),
            (
                "play/a.js",
                "import { c } from \"../b.js\";\n/** What it does.\n */\nexport async function f() {}\nexport class C {}\n",
            ),
            ("b.js", "import { ask } from \"./backend.js\";\nexport const c = ask;\n"),
        ];
        let expected = "import * as backend from \"./backend.js\";\n\
            const module1 = (() => {\nconst { ask } = backend;\nconst c = ask;\nreturn { c };\n})();\n\
            const module2 = (() => {\nconst { c } = module1;\nasync function f() {}\nclass C {}\n\
            return { f, C };\n})();\n\
            const module3 = (() => {\nconst {  f: g,  C,} = module2;\nconst b = module1;\ng(C, b);\n\
            return {  };\n})();\n";
        assert_eq!(bundled(&files, "main.js").unwrap(), expected);
        assert_eq!(bundled(&files[..2], "main.js"), None, "a module is missing");
        assert_eq!(bundled(&files, "b.js").unwrap(), files[2].1);
    }

    #[test]
    fn sheets_are_joined_without_comments() {
        let files = [
            ("page.css", "/* All. */\n@import \"b.css\";\n@import \"a.css\";\n"),
            ("a.css", "/* A comment\n   of two lines. */\na { color: red }\n"),
            ("b.css", "/* One. */ b { color: blue }\n\n"),
        ];
        let expected = "/* One. */ b { color: blue }\na { color: red }\n";
        assert_eq!(bundled(&files, "page.css").unwrap(), expected);
    }
}
