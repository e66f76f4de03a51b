//! What `tengen analyze` shows of a search tree, through the command line.

use crate::common::{Scratch, TENGEN, fault, printed, run, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn analyze(folder: &Path, line: &str) -> String {
    printed(TENGEN, folder, &format!("analyze {line}"))
}

const SEARCH: &str =
    "--size 5 --bot uct:simulations=2000,rave=none,prior=none,exploration=0.3 --seed 3";

#[test]
fn a_tree_is_printed_to_a_depth() {
    let folder = Scratch::new();
    let said = analyze(&folder, &format!("{SEARCH} --tree 2 --min-visits 40"));
    let (head, tree) = said.split_once("\ntree; values are those of").unwrap();
    let lines: Vec<&str> = tree.lines().skip(1).collect();
    // The tree agrees with the table of moves above it.
    let best = head.lines().skip_while(|line| !line.contains("win rate")).nth(1).unwrap();
    let best: Vec<&str> = best.split_whitespace().collect();
    let first: Vec<&str> = lines[2].split_whitespace().collect();
    assert_eq!(first, [best[1], best[2], "black", best[0]]);
    for line in &lines[1..] {
        let Ok(visits) = line.split_whitespace().next().unwrap().parse::<u32>() else { continue };
        assert!(visits >= 40, "{line}");
    }
    let root = analyze(&folder, &format!("{SEARCH} --tree 0"));
    assert!(root.ends_with("root, black to move\n"), "{root}");
    // Black has passed and White wins on the board: there is nothing to search.
    let won = "analyze --position OO./OO./... --moves pass --bot uct:simulations=9 --tree 1";
    fault(&run(TENGEN, &folder, won), 2, &["no tree"]);
}

#[test]
fn a_worker_is_chosen() {
    let folder = Scratch::new();
    let line = "--size 5 --bot uct:simulations=300,rave=none,prior=none,workers=3 --tree 1";
    let said = |worker: &str| analyze(&folder, &format!("{line} {worker}"));
    let (first, last) = (said(""), said("--worker 2 --threads 2"));
    assert!(first.contains("tree of worker 0 of 3, numbered from 0;"), "{first}");
    assert!(last.contains("tree of worker 2 of 3"), "{last}");
    let tree = |said: &str| said.split_once("visits  value  move").unwrap().1.to_owned();
    assert_ne!(tree(&first), tree(&last));
    assert!(tree(&first).contains("      100 "), "{first}");
}

/// The whole tree, node by node, adds up.
#[test]
fn json_lines_hold_the_tree() {
    let folder = Scratch::new();
    for (bot, amaf, prior) in [
        ("uct:simulations=700,rave=none,prior=none,expansion=1", false, false),
        ("uct:simulations=700,rave=equivalence:300,prior=none", true, false),
        ("uct:simulations=700,rave=none,prior=heuristic:10", false, true),
        ("uct:simulations=700,rave=none,prior=none,proofs=true", false, false),
    ] {
        let size = if bot.contains("proofs") { 2 } else { 5 };
        let line = format!("--size {size} --bot {bot} --min-visits 0 --jsonl tree.jsonl");
        let said = analyze(&folder, &line);
        let written = fs::read_to_string(folder.join("tree.jsonl")).unwrap();
        let nodes: Vec<Value> =
            written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(said.contains(&format!(" {} nodes in", nodes.len())), "{said}");
        let path = |node: &Value| -> Vec<String> {
            let path = node["path"].as_array().unwrap().iter();
            path.map(|mv| mv.as_str().unwrap().to_owned()).collect()
        };
        assert_eq!((&nodes[0]["move"], &nodes[0]["depth"]), (&Value::Null, &0.into()));
        for (place, node) in nodes.iter().enumerate() {
            let path = path(node);
            assert_eq!(node["depth"], path.len());
            assert_eq!(node["move"].as_str(), path.last().map(String::as_str));
            let player = if path.len() % 2 == 1 { "black" } else { "white" };
            assert_eq!(node["player"].as_str(), path.last().map(|_| player));
            let value = node["value"].as_f64();
            assert_eq!(value.is_some(), node["visits"] != 0);
            assert!(value.is_none_or(|value| (0.0..=1.0).contains(&value)));
            let below_root = place > 0;
            assert_eq!(node["amaf_visits"].is_f64(), amaf && below_root, "{node}");
            assert_eq!(node["prior"].is_f64(), prior && below_root, "{node}");
            // Children follow their parent.
            let deeper = nodes[place + 1..]
                .iter()
                .take_while(|other| other["depth"].as_u64() > node["depth"].as_u64());
            let children = deeper.filter(|other| other["depth"] == path.len() + 1).count();
            assert_eq!(node["children"], children, "{node}");
        }
        let proven = nodes.iter().filter(|node| node["proof"].is_string()).count();
        assert_eq!(proven > 0, bot.contains("proofs"), "{proven}");
    }
}

/// A graph whose every line is a node or leads from one drawn to another.
#[test]
fn dot_is_a_tree() {
    let folder = Scratch::new();
    analyze(&folder, &format!("{SEARCH} --min-visits 20 --dot tree.dot"));
    let dot = fs::read_to_string(folder.join("tree.dot")).unwrap();
    assert!(dot.starts_with("digraph tree {\n") && dot.ends_with("}\n"), "{dot}");
    let (mut nodes, mut edges) = (Vec::new(), 0);
    for line in dot.lines().filter(|line| line.starts_with("  n") && !line.contains("node [")) {
        assert!(line.ends_with("];"), "{line}");
        let name = line.split_whitespace().next().unwrap();
        if let Some((_, to)) = line.split_once(" -> ") {
            let to = to.split_whitespace().next().unwrap();
            assert!(nodes.contains(&name) && nodes.contains(&to), "{line}");
            edges += 1;
        } else {
            assert!(!nodes.contains(&name), "{line}");
            nodes.push(name);
        }
    }
    assert!(nodes.len() > 10 && edges == nodes.len() - 1, "{} {edges}", nodes.len());
    assert!(dot.contains("label=\"black to move\\n2000\\n0."), "{dot}");
}

#[test]
fn a_heat_map_is_written_as_asked() {
    let folder = Scratch::new();
    let line = "--size 5 --moves C3 --bot uct:simulations=500";
    analyze(&folder, &format!("{line} --heat-map one.svg"));
    assert_eq!(crate::common::names(&folder), ["one.svg"]);
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let svg = text(&read("one.svg"));
    for label in ["moves; most visited", "komi 2.5, 500 simulations, seed 1", "500 visits"] {
        assert!(svg.contains(label), "{label} is not in {svg}");
    }
}
