//! A run that is played by other threads and instructions, killed, cut off or divided into
//! chunks is the run in one piece, and is joined with nothing of another making.

use crate::common::{
    CONVERGENCE, Csv, SCALING, Scratch, TOURNAMENT, TUNE, change, command, in_repository,
    kill_when, lines, names, printed, read, refused, run, signal, signal_when, text, wait_until,
    without_last_column,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;
use tengen::playout::Isa;
use tengen::run::Manifest;

/// A run of one of the programs.
struct Experiment {
    program: &'static str,
    line: &'static str,
    /// A part of `line`, and what stands there for other settings.
    other: [&'static str; 2],
    /// A part of `config.toml`, and what stands there if somebody edits it.
    edit: [&'static str; 2],
    /// The file with a row for each game or position.
    journal: &'static str,
    /// What else may not depend on how it was played.
    results: &'static [&'static str],
}

const GAMES: Experiment = Experiment {
    program: TOURNAMENT,
    line: "--size 5 --seed 9 --pairs 3 --bot u=uct:simulations=150 --bot two-ply --bot random \
           --bot uct:workers=3,simulations=90 --bot uct:in_flight=4,simulations=90,stop=mercy:5 \
           --max-plies 90",
    other: ["--max-plies 90", "--max-plies 91"],
    edit: ["simulations = 150", "simulations = 151"],
    journal: "games.csv",
    results: &["summary.csv"],
};

const SEQUENTIAL_TEST: Experiment = Experiment {
    line: "--size 5 --bot two-ply --bot random --seed 9 --sprt 'elo0=0 elo1=200'",
    other: ["--seed 9", "--seed 8"],
    ..GAMES
};

const TUNING: Experiment = Experiment {
    program: TUNE,
    line: "--size 5 --bot uct:simulations=40,rave=none,prior=none,exploration=0.5 --method clop \
           --param exploration=0.05..2:log --games 48 --validation 4 --seed 3 --look-ahead 5",
    other: ["--seed 3", "--seed 4"],
    edit: ["komi = 2.5", "komi = 3.5"],
    journal: "games.csv",
    results: &["samples.csv", "estimate.csv", "validation.csv"],
};

const SEARCHES: Experiment = Experiment {
    program: CONVERGENCE,
    line: "--config tiny.toml",
    other: ["tiny.toml", "other.toml"],
    edit: ["searches = 2", "searches = 3"],
    journal: "searches.csv",
    results: &["summary.csv", "positions.csv", "report.html", "config.toml"],
};

const DOUBLING: Experiment = Experiment {
    program: SCALING,
    line: "--part doubling --size 5 --simulations 10 --doublings 2 --pairs 4 --seed 4",
    other: ["--seed 4", "--seed 5"],
    results: &["doubling.csv"],
    edit: ["simulations = 10", "simulations = 11"],
    ..GAMES
};

/// The number of a file and how it is changed.
type Edit<'a> = (usize, &'a dyn Fn(&str) -> String);

/// A run in one piece, beside which others are played.
struct Played {
    scratch: Scratch,
    experiment: &'static Experiment,
    expected: Vec<String>,
    /// Number of games or positions.
    units: usize,
}

impl Experiment {
    fn played(&'static self) -> Played {
        let scratch = Scratch::new();
        let positions = read(&in_repository("experiments/positions/solved.csv"));
        let few: String = positions.split_inclusive('\n').take(9).collect();
        let settings = "name = 'tiny'\npositions = 'solved.csv'\nsimulations = 8\ndoublings = 9\n\
                        searches = 2\nseed = 4\nbot = ['plain=uct:rave=none,prior=none', 'uct']\n";
        for (name, content) in [
            ("solved.csv", few.as_str()),
            ("fewer.csv", few[..few.trim_end().rfind('\n').unwrap()].trim_end()),
            ("tiny.toml", settings),
            ("other.toml", &settings.replace("seed = 4", "seed = 5")),
        ] {
            fs::write(scratch.join(name), content).unwrap();
        }
        let mut played = Played { scratch, experiment: self, expected: Vec::new(), units: 0 };
        played.done(&format!("{} --threads 3 --out whole", self.line));
        played.expected = played.results("whole");
        played.units = played.units("whole");
        played
    }

    fn other_line(&self) -> String {
        assert!(self.line.contains(self.other[0]));
        self.line.replace(self.other[0], self.other[1])
    }
}

impl Played {
    fn path(&self, file: &str) -> PathBuf {
        self.scratch.join(file)
    }

    fn done(&self, line: &str) -> String {
        printed(self.experiment.program, &self.scratch, line)
    }

    /// What is printed on both streams.
    fn told(&self, line: &str) -> [String; 2] {
        let output = run(self.experiment.program, &self.scratch, line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        [text(&output.stdout), text(&output.stderr)]
    }

    fn command(&self, line: &str) -> Command {
        command(self.experiment.program, &self.scratch, line)
    }

    #[track_caller]
    fn refused(&self, line: &str, named: &[&str]) {
        refused(self.experiment.program, &self.scratch, line, named);
    }

    /// What may not depend on how the run in `folder` was played.
    fn results(&self, folder: &str) -> Vec<String> {
        let file = |name: &str| self.path(&format!("{folder}/{name}"));
        let mut results = Csv::read(&file(self.experiment.journal)).without("_seconds");
        results.extend(self.experiment.results.iter().map(|name| read(&file(name))));
        let manifest: toml::Table = read(&file("manifest.toml")).parse().unwrap();
        results.push(manifest["provenance"].to_string());
        results
    }

    #[track_caller]
    fn assert_is_whole(&self, folder: &str) {
        let found = self.results(folder);
        let both = self.expected.iter().zip(&found);
        for (expected, found) in both {
            assert_eq!(expected, found, "{folder}: {}", self.experiment.line);
        }
        assert_eq!(self.expected.len(), found.len(), "{folder}");
    }

    fn check_threads(&self) {
        let line = format!("{} --threads 1 --out one", self.experiment.line);
        let output = self.command(&line).env("TENGEN_ISA", "baseline").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        self.assert_is_whole("one");
        // A run that is over has nothing to play.
        let journal = self.path("one").join(self.experiment.journal);
        let before = fs::read(&journal).unwrap();
        self.done("--resume one");
        assert!(fs::read(&journal).unwrap() == before);
        self.done(&format!("{} --out other", self.experiment.other_line()));
        assert_ne!(self.results("other")[1..], self.expected[1..], "other settings");
    }

    /// Signals at moments spread over the run, the first before any game.
    fn check_killed(&self) {
        let journal = self.path("killed").join(self.experiment.journal);
        let whole = lines(&self.path("whole").join(self.experiment.journal));
        let begin = || -> Child {
            let has_begun = self.path("killed/config.toml").exists();
            let line = if has_begun { "--resume killed" } else { self.experiment.line };
            let out = if has_begun { "" } else { "--out killed" };
            if !has_begun {
                // What is there was left before there was a run.
                let _ = fs::remove_dir_all(self.path("killed"));
            }
            self.command(&format!("{line} --threads 1 {out}")).spawn().unwrap()
        };
        let mut stopped = 0;
        for (number, name) in ["-KILL", "-KILL", "-INT", "-KILL", "-INT"].into_iter().enumerate() {
            let mut child = begin();
            let enough = (whole * number / 6).max(number.min(1) + lines(&journal));
            signal_when(&mut child, name, || lines(&journal) >= enough);
            let output = child.wait_with_output().unwrap();
            if name == "-INT" && !output.status.success() {
                let said = text(&output.stderr);
                // On a busy machine it may not stop in time.
                let expected = match output.status.code() {
                    Some(130) => "what was written to killed stays",
                    _ => "--resume killed",
                };
                assert!(said.contains(expected), "{said}");
            }
            stopped += usize::from(!output.status.success() && lines(&journal) < whole);
        }
        assert!(stopped > 0, "the run is over too soon");
        let output = begin().wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        self.assert_is_whole("killed");
    }

    /// Takes the last row of the journal away, or a piece of it.
    fn cut(&self, file: &str, bytes: Option<usize>) {
        change(&self.path(file), |text| {
            let last_line = text.trim_end().rfind('\n').unwrap() + 1;
            text[..bytes.map_or(last_line, |bytes| text.len() - bytes)].to_owned()
        });
    }

    /// Where rows are missing they are played again, whatever the manifest looks like.
    fn check_cut(&self) {
        let journal = format!("whole/{}", self.experiment.journal);
        let manifest = self.path("whole/manifest.toml");
        let good = read(&manifest);
        let half = &good[..good.len() / 2];
        for (number, damaged) in
            [good.as_str(), "", "\n", half, "schema = 1\nsession = 3\n", "\0"].iter().enumerate()
        {
            self.cut(&journal, [None, Some(20)][number % 2]);
            fs::remove_file(self.path("whole").join(self.experiment.results[0])).unwrap();
            fs::write(&manifest, damaged).unwrap();
            let [_, told] = self.told("--resume whole");
            assert_eq!(told.contains("manifest.toml cannot be read"), number > 0, "{told}");
            assert_eq!(told.lines().count(), number.min(1), "{told}");
            self.assert_is_whole("whole");
        }
        // One of a later version is no damage.
        fs::write(&manifest, "schema = 99\n").unwrap();
        self.refused("--resume whole", &["schema 99"]);
        fs::write(&manifest, good).unwrap();
    }

    /// Under other settings, or by another program, nothing is played, and nothing changes.
    fn check_edited(&self) {
        let journal = format!("whole/{}", self.experiment.journal);
        self.cut(&journal, None);
        let files = ["whole/config.toml", &journal, "whole/manifest.toml"];
        let contents = || files.map(|file| read(&self.path(file)));
        let good = contents();
        let [from, to] = self.experiment.edit;
        let others = |rows: &str| with_program(&without_last_column(rows), "0123456789abcdef");
        let no_manifest = |_: &str| "schema = 1\n".to_owned();
        let config = |text: &str| text.replace(from, to);
        let manifest: toml::Table = good[2].parse().unwrap();
        let signature = manifest["provenance"]["bot"][0]["signature"].as_str().unwrap();
        let plays_otherwise = |text: &str| text.replace(signature, "0123456789abcdef");
        let of_rows = "a program whose bots play otherwise";
        let edits: [(&[Edit], &str); 4] = [
            (&[(0, &config)], "config.toml"),
            (&[(0, &config), (2, &no_manifest)], "config.toml"),
            (&[(1, &others), (2, &no_manifest)], of_rows),
            (&[(2, &plays_otherwise)], "plays otherwise"),
        ];
        for (edits, named) in edits {
            for (file, edit) in edits {
                change(&self.path(files[*file]), edit);
            }
            let before = contents();
            self.refused("--resume whole", &[named]);
            if self.experiment.program == TOURNAMENT && named != of_rows {
                self.refused("--resume whole --extend 4", &[named]);
                self.refused(
                    "--merge whole",
                    &[if named == "config.toml" { named } else { "play" }],
                );
            }
            assert_eq!(contents(), before);
            for (file, content) in files.iter().zip(&good) {
                fs::write(self.path(file), content).unwrap();
            }
        }
        self.done("--resume whole");
        self.assert_is_whole("whole");
    }

    fn chunk(&self, chunk: &str) -> String {
        format!("{} --threads 1 --out cut --chunk {chunk}", self.experiment.line)
    }

    /// Number of games or positions that the sessions of a run have made.
    fn units(&self, folder: &str) -> usize {
        let manifest = Manifest::read(&self.path(folder).join("manifest.toml")).unwrap();
        manifest.sessions.iter().filter_map(|session| session.units).sum()
    }

    fn rows_of_a_unit(&self) -> usize {
        (lines(&self.path("whole").join(self.experiment.journal)) - 1) / self.units
    }

    /// Chunks that begin at once, each with other instructions, as on unlike hosts.
    fn check_chunks(&self) {
        let known: Vec<String> = Isa::supported().iter().map(ToString::to_string).collect();
        let begin = |chunk: usize| -> Child {
            let mut command = self.command(&self.chunk(&format!("{chunk}/3")));
            command.env("TENGEN_ISA", &known[chunk % known.len()]).spawn().unwrap()
        };
        for child in (1..=3).map(begin).collect::<Vec<Child>>() {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
        let again = self.done(&self.chunk("2/3"));
        assert!(again.starts_with("0 ") && again.contains("the chunk is complete"), "{again}");
        let said = self.done("--report cut");
        assert!(said.contains("merge its chunks with --merge cut"), "{said}");
        self.done("--merge cut");
        // A second merge adds nothing, also where the first was interrupted in a row.
        let journal = self.path("cut").join(self.experiment.journal);
        let rows = read(&journal);
        let half = rows.split_inclusive('\n').take(1 + self.units / 2 * self.rows_of_a_unit());
        let half = half.map(str::len).sum::<usize>() + 10;
        for kept in [rows.len(), half] {
            fs::write(&journal, &rows[..kept]).unwrap();
            self.done("--merge cut");
            self.assert_is_whole("cut");
            assert_eq!(self.units("cut"), self.units);
        }
        fs::remove_dir_all(self.path("cut")).unwrap();
    }

    /// Chunks that are killed, lose rows, or are none of this run.
    fn check_damaged_chunks(&self) {
        let other = self.experiment.other_line();
        let file = |folder: &str| Path::new(folder).join("chunk-2-of-2.csv");
        let (chunk, foreign) = (file("cut"), file("other-chunks"));
        let chunk = chunk.to_str().unwrap();
        let child = self.command(&self.chunk("2/2")).spawn().unwrap();
        let partial = self.path(chunk).with_extension("partial");
        kill_when(child, || lines(&partial) > 1);
        self.done(&self.chunk("1/2"));
        // A chunk of few games may be finished before the signal arrives.
        if !self.path(chunk).exists() {
            self.refused("--merge cut", &["in no finished chunk"]);
        }
        self.done(&self.chunk("2/2"));
        let rows = read(&self.path(chunk));
        // A whole line, and a piece of one.
        for bytes in [None, Some(7)] {
            self.cut(chunk, bytes);
            let lost = "chunk-2-of-2.csv has lost rows";
            let remedy = format!("{lost}, run --chunk 2/2 again");
            self.refused("--merge cut", &["1 ", " is in no finished chunk of cut", &remedy]);
            let [said, warned] = self.told(&self.chunk("2/2"));
            assert!(said.starts_with("1 ") && said.contains("the chunk is complete"), "{said}");
            assert!(warned.contains(lost), "{warned}");
            assert_eq!(Csv::read(&self.path(chunk)).len() + 1, rows.lines().count());
        }
        // Rows of other settings, of an unknown program and of another one.
        self.refused(&format!("{other} --out cut --chunk 2/2"), &["is", "and not"]);
        self.done(&format!("{other} --out other-chunks --chunk 2/2"));
        let rows_of_others = read(&self.path(foreign.to_str().unwrap()));
        let unchecked = without_last_column(&rows);
        for (wrong, fault) in [
            (rows_of_others, "other settings"),
            (without_last_column(&unchecked), "no fingerprint"),
            (with_program(&unchecked, "0123456789abcdef"), "a program whose bots play otherwise"),
            (rows.replacen('-', "+", 1), "line 2: the line was changed after it was written"),
        ] {
            fs::write(self.path(chunk), wrong).unwrap();
            self.refused("--merge cut", &["chunk-2-of-2.csv", fault]);
        }
        // As after a kill: some rows in the finished file, some in the other.
        let (header, body) = rows.split_once('\n').unwrap();
        let part = |first: usize| -> String {
            let of_a_unit = self.rows_of_a_unit();
            let body = body.split_inclusive('\n').skip(first * of_a_unit).take(2 * of_a_unit);
            format!("{header}\n{}", body.collect::<String>())
        };
        fs::write(self.path(chunk), part(0)).unwrap();
        fs::write(&partial, part(1)).unwrap();
        let [said, _] = self.told(&self.chunk("2/2"));
        assert!(!said.starts_with("0 "), "{said}");
        self.done("--merge cut");
        self.assert_is_whole("cut");
    }
}

/// `rows` with the mark of another program in their fingerprints.
fn with_program(rows: &str, mark: &str) -> String {
    let (header, rows) = rows.split_once('\n').unwrap();
    let other = |row: &str| format!("{}-{mark}\n", row.rsplit_once('-').unwrap().0);
    format!("{header}\n{}", rows.lines().map(other).collect::<String>())
}

#[test]
fn a_tournament() {
    let played = GAMES.played();
    played.check_threads();
    played.check_killed();
    played.check_cut();
    played.check_edited();
    played.check_chunks();
    played.check_damaged_chunks();
}

/// What cannot be stopped is ended with the process, after a second.
#[test]
fn an_interrupt_ends_games_that_have_begun() {
    let scratch = Scratch::new();
    let interrupted = |bot: &str, run: &str| {
        let line = format!("--size 9 --pairs 1 --bot random --bot {bot} --out {run}");
        let mut child = command(TOURNAMENT, &scratch, &line).spawn().unwrap();
        let manifest = scratch.join(run).join("manifest.toml");
        wait_until("the run begins", || manifest.exists());
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, "-INT");
        wait_until("the run ends", || child.try_wait().unwrap().is_some());
        let output = child.wait_with_output().unwrap();
        (output.status.code(), text(&output.stderr))
    };
    // On a busy machine a second may be too short, but not always.
    let searched = (0..5).map(|attempt| {
        interrupted("uct:simulations=1000000000,max_nodes=100000", &format!("run-{attempt}"))
    });
    let ended = searched.into_iter().find(|(code, _)| *code != Some(130)).expect("it never stops");
    assert_eq!(ended.0, Some(1));
    let said = "stopped with 0 of 2 games made: go on with --resume";
    assert!(ended.1.contains(said), "{}", ended.1);
    let (code, said) = interrupted("uct:seconds=900", "by-clock");
    assert_eq!(code, Some(130));
    assert!(said.contains("stopped; what was written to"), "{said}");
}

#[test]
fn a_sequential_test_ends_at_the_same_pair() {
    let played = SEQUENTIAL_TEST.played();
    played.check_threads();
    played.check_cut();
    let games = played.expected.len() - 3;
    assert!(games < 60 && games.is_multiple_of(2), "{games} games");
    let said = played.done(&format!("{} --out again", SEQUENTIAL_TEST.line));
    assert!(said.contains("two-ply is more than 0 Elo stronger than random"), "{said}");
}

#[test]
fn a_tuning() {
    let played = TUNING.played();
    played.check_threads();
    played.check_killed();
    played.check_cut();
    played.check_edited();
}

#[test]
fn searches_of_solved_positions() {
    let played = SEARCHES.played();
    played.check_threads();
    played.check_killed();
    played.check_cut();
    played.check_edited();
    played.check_chunks();
    played.check_damaged_chunks();
    // The run repeats itself from its own files.
    played.done("--config whole/config.toml --positions whole/positions.csv --out again");
    assert_eq!(read(&played.path("again/searches.csv")), read(&played.path("whole/searches.csv")));
    let line = played.chunk("1/2");
    let other = "positions.csv has other positions";
    played.refused(&format!("{line} --positions fewer.csv"), &[other]);
    // Edited settings or positions; with a damaged manifest the rows tell.
    let position = read(&played.path("fewer.csv")).lines().last().unwrap().to_owned() + "\n";
    for (file, from, to) in [
        ("cut/config.toml", "seed = 4", "seed = 5"),
        ("cut/config.toml", "searches = 2", "searches = 3"),
        ("cut/positions.csv", &position, ""),
    ] {
        let (before, manifest) = (read(&played.path(file)), played.path("cut/manifest.toml"));
        change(&played.path(file), |text| text.replacen(from, to, 1));
        played.refused("--merge cut", &[]);
        let hidden = played.path("hidden.toml");
        fs::rename(&manifest, &hidden).unwrap();
        played.refused("--merge cut", &["position"]);
        fs::rename(hidden, &manifest).unwrap();
        fs::write(played.path(file), before).unwrap();
    }
    played.done("--merge cut");
    assert!(names(&played.path("cut")).contains(&"report.html".to_owned()));
}

#[test]
fn doublings_of_scaling() {
    let played = DOUBLING.played();
    played.check_threads();
    played.check_killed();
    played.check_cut();
    played.check_edited();
}
