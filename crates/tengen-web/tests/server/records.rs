//! The folder of game records.

use crate::{get, options, read, said, server};
use std::fs;
use std::path::Path;
use tengen_web::{Options, router};

const CUP: &str = "(;GM[1]SZ[9]PB[Lee]PW[Cho]RE[W+R]DT[2026-11-27]EV[Cup];B[ee];W[gc];B[cc])";

#[test]
fn records_are_listed_and_opened() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().join("records");
    fs::create_dir_all(root.join("old")).unwrap();
    fs::write(root.join("old/cup.sgf"), CUP).unwrap();
    fs::write(root.join("shift.SGF"), b"(;CA[Shift_JIS]SZ[9]PB[\x90\x5c];B[ee])").unwrap();
    for (name, text) in
        [("chess.sgf", "(;GM[3])"), ("none.sgf", "no"), ("a.txt", CUP), (".b.sgf", CUP)]
    {
        fs::write(root.join(name), text).unwrap();
    }
    fs::write(scratch.path().join("outside.sgf"), CUP).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(scratch.path().join("outside.sgf"), root.join("link.sgf")).unwrap();
    let server = router(&Options { records: Some(root.clone()), ..options(Path::new("/nowhere")) });
    let list = || read(&server, "/api/records");
    let all = list();
    assert_eq!(all.as_array().unwrap().len(), 2, "{all}");
    let cup = &all[0];
    assert_eq!((&cup["name"], &cup["black"]), (&"old/cup.sgf".into(), &"Lee".into()));
    assert_eq!((&cup["moves"], &cup["result"]), (&3.into(), &"W+R".into()));
    assert_eq!(all[1]["black"], "申");
    assert_eq!(read(&server, "/api/record/old/cup.sgf")["game"]["moves"], "E5.G7.C7");
    // A file that has changed is read again.
    fs::write(root.join("old/cup.sgf"), CUP.replace("Lee", "Lee Chang-ho")).unwrap();
    assert_eq!(list()[0]["black"], "Lee Chang-ho");
    for path in
        ["old/absent.sgf", "..%2Foutside.sgf", "link.sgf", "a.txt", ".b.sgf", "old", "%00.sgf"]
    {
        let (code, text) = said(&server, get(&format!("/api/record/{path}")));
        assert!([400, 404].contains(&code), "{path}: {code} {text}");
        assert!(!text.contains("records/"), "where the folder is stays unsaid: {text}");
    }
}

#[test]
fn without_a_folder_the_option_is_named() {
    let (code, text) = said(&server(), get("/api/records"));
    assert_eq!(code, 404);
    assert_eq!(text.trim_end(), "no folder of records is served: tengen serve --records DIR");
}
