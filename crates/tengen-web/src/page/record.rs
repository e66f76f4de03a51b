//! Reading and writing of game records.

use crate::page::game_text::is_zero;
use crate::page::variations::{self, VariationText};
use crate::page::{GameText, Limits, Refusal};
use serde::{Deserialize, Serialize};
use tengen_sgf::{Overrides, Record, SgfError, parse_first};

/// A game and what is written about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordText {
    /// The game.
    pub game: GameText,
    /// Who plays Black.
    #[serde(default)]
    pub black: String,
    /// Who plays White.
    #[serde(default)]
    pub white: String,
    /// The result as SGF writes it: `B+3.5`, `W+R`.
    #[serde(default)]
    pub result: String,
    /// What the game belongs to.
    #[serde(default)]
    pub event: String,
    /// The number of moves of a run's opening: no player chose them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub opening: u32,
    /// The tree of all positions, each after its parent, the main line first; empty for a record
    /// of moves only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<VariationText>,
    /// How the record that was read differs from its SGF.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl RecordText {
    /// The first game of the SGF `text`: its main line and its variations. Properties that the
    /// page does not know are kept, and [`to_sgf`](Self::to_sgf) writes them unchanged.
    pub fn read(text: &str, limits: &Limits) -> Result<Self, Refusal> {
        let tree = parse_first(text).map_err(|why| Refusal::new(SgfError::from(why)))?;
        let Record { game, black, white, result, event, mut warnings, .. } =
            Record::up_to_late_setup(&tree, Overrides::default()).map_err(Refusal::new)?;
        let start = game.position_at(0).unwrap_or(game.board());
        let (variations, left_out) = variations::read(&tree, start);
        warnings.extend(left_out);
        let plies = limits.plies;
        if game.moves().len() > plies {
            return Err(Refusal::new(format!("the game has more than {plies} plies")));
        }
        let mut warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let next = game.moves().last().map_or(start.to_play(), |(color, _)| !color);
        if next != game.to_play() {
            warnings.push(format!("PL is ignored: {next} moves next, after the other player"));
        }
        let game = GameText::of(&game)?;
        // Checks that the page can read the game back within its limits.
        game.game(limits)?;
        Ok(Self { game, black, white, result, event, opening: 0, variations, warnings })
    }

    /// The record as SGF. What was read from an SGF is written unchanged, even the names of the
    /// players, except for the result.
    pub fn to_sgf(&self, limits: &Limits) -> Result<String, Refusal> {
        let record = Record {
            black: self.black.clone(),
            white: self.white.clone(),
            result: self.result.clone(),
            event: self.event.clone(),
            ..Record::new(self.game.game(limits)?)
        };
        if self.variations.is_empty() {
            return Ok(record.to_sgf());
        }
        let GameText { size, first, .. } = self.game;
        Ok(record.to_sgf_with(&variations::write(&self.variations, size, first, limits)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_as_it_was() {
        let json = r#"{"game":{"size":"5x5","komi":2.5,"setup":"X..../...../...../...../....O",
            "moves":"C3.B2.pass"},"black":"a person","white":"uct:simulations=100","result":"B+R",
            "event":""}"#;
        let record: RecordText = serde_json::from_str(json).unwrap();
        let sgf = record.to_sgf(&Limits::default()).unwrap();
        let read = RecordText::read(&sgf, &Limits::default()).unwrap();
        assert_eq!(RecordText { variations: Vec::new(), ..read }, record);
    }

    #[test]
    fn what_the_page_does_not_know_is_written_as_it_stood() {
        let sgf = "(;GM[1]FF[4]CA[UTF-8]SZ[9]RU[Japanese]KM[6.5]PB[Lee]BR[9d]DT[2026-11-27]XX[y]\
                   RE[W+R];B[ee]BL[10]C[one];W[gc](;B[cc])(;AB[aa];W[bb]))";
        let mut record = RecordText::read(sgf, &Limits::default()).unwrap();
        let written = record.to_sgf(&Limits::default()).unwrap().replace('\n', "");
        assert_eq!(written, sgf);
        // A move of the page, and another result.
        let new = VariationText { parent: 2, mv: "A1".to_owned(), ..VariationText::default() };
        record.variations.push(new);
        record.result = "B+1.5".to_owned();
        let written = record.to_sgf(&Limits::default()).unwrap().replace('\n', "");
        let expected = sgf.replace("RE[W+R]", "RE[B+1.5]").replace("(;AB", "(;B[ai])(;AB");
        assert_eq!(written, expected);
    }

    #[test]
    fn a_comment_that_is_written_takes_the_place_of_that_of_the_record() {
        let sgf = "(;GM[1]FF[4]SZ[9];B[ee]C[one]BL[10];C[two];W[gc])";
        let mut record = RecordText::read(sgf, &Limits::default()).unwrap();
        assert_eq!(record.variations[1].comment, "one\ntwo");
        let written =
            |record: &RecordText| record.to_sgf(&Limits::default()).unwrap().replace('\n', "");
        record.variations[1].comment = "a [new] one".to_owned();
        record.variations[2].comment = "its first".to_owned();
        for position in &mut record.variations[1..] {
            position.edited = true;
        }
        let expected = r"(;GM[1]FF[4]SZ[9];B[ee]BL[10];C[a [new\] one];W[gc]C[its first])";
        assert_eq!(written(&record), expected);
        record.variations[1].comment.clear();
        assert_eq!(written(&record), expected.replace(r"C[a [new\] one]", ""));
    }

    #[test]
    fn a_record_that_is_cut_off_is_read_as_far_as_it_goes() {
        let record = RecordText::read("(;SZ[9];B[ee];W[gc]C[Wh", &Limits::default()).unwrap();
        assert_eq!(record.game.moves, "E5.G7");
        assert_eq!(
            record.warnings,
            ["the text ends before the game is closed: it is read up to its node 3"]
        );
    }

    #[test]
    fn a_record_is_read_up_to_stones_that_are_set_up_after_a_move_and_written_whole() {
        let sgf = "(;GM[1]FF[4]SZ[9];B[ee];W[gc];AB[aa][bb]PL[W];W[cc])";
        let record = RecordText::read(sgf, &Limits::default()).unwrap();
        assert_eq!(record.game.moves, "E5.G7");
        assert_eq!(record.warnings[0], "stones are set up after move 2: the game is read up to it");
        let written = record.to_sgf(&Limits::default()).unwrap().replace('\n', "");
        assert_eq!(written, sgf);
    }

    #[test]
    fn handicap_and_warnings_are_read() {
        let read = |sgf: &str| RecordText::read(sgf, &Limits::default()).unwrap();
        let fox = "(;SZ[9]AP[foxwq]RU[Chinese]KM[375]HA[2]AB[cg][gc];W[ee])";
        let record = read(fox);
        assert_eq!((record.game.rules.to_string().as_str(), record.game.handicap), ("chinese", 2));
        assert_eq!(record.warnings, ["KM[375] is read as 7.5"]);
        let saved = record.to_sgf(&Limits::default()).unwrap();
        assert!(saved.contains("RU[Chinese]KM[375]HA[2]"), "{saved}");
        assert_eq!(read(&saved).game, record.game);
        // No rule set has the rules of AGA without points for handicap stones.
        let odd = read("(;SZ[9]RU[ko ssk suicide no]KM[0.5]HA[2]AB[cg][gc])").game;
        assert_eq!((odd.rules.to_string().as_str(), odd.handicap), ("aga", 0));
        assert_eq!(odd.komi.unwrap().to_string(), "0.5");
    }

    #[test]
    fn a_turn_that_the_page_does_not_keep_is_said() {
        let read = |sgf: &str| RecordText::read(sgf, &Limits::default()).unwrap().warnings;
        assert_eq!(
            read("(;SZ[9];B[ee];PL[B])"),
            ["PL is ignored: white moves next, after the other player"]
        );
        assert!(read("(;SZ[9];B[ee];PL[W])").is_empty());
        assert!(read("(;SZ[9]PL[W])").is_empty());
        assert!(read("(;SZ[9];B[ee];PL[B];B[dd])").is_empty());
    }

    #[test]
    fn what_is_no_record_is_refused_in_one_line() {
        for (text, why) in [
            ("no\nrecord", ""),
            ("(;SZ[3];B[aa];W[aa])", "occupied"),
            ("(;SZ[5]RU[ko nssk suicide multi])", "nssk"),
        ] {
            let refusal = RecordText::read(text, &Limits::default()).unwrap_err().to_string();
            assert!(refusal.contains(why) && !refusal.contains('\n'), "{refusal}");
        }
    }
}
