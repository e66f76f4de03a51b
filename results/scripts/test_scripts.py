"""Tests of the scripts, of their functions by hand and of their faults from the command line."""

# ruff: noqa: D103 (the names of the tests say what they show)

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import check
import numpy as np
import package
import pytest
import regret_elo_coverage
import study
from figures import figures, triples
from studies import exchange, openings, regret_elo, speed
from studies.matches import Match, Streams, mix, once, percentile_interval, read, split_mix
from tables import Fault, csv_text, parse, read_text, verdict

SCRIPTS = Path(__file__).parent


def texts(text: str) -> list[str]:
    return [figure.text for figure in figures(text)]


def test_figures_are_found_as_texts_write_them() -> None:
    said = "it wins 73.0 % of 200 games (66.4 to 78.7), +89 Elo (+11 to +167)"
    assert texts(said) == ["73.0 % of 200 games (66.4 to 78.7", "+89 Elo (+11 to +167"]
    assert texts("| 9×9 | 0.227 | 0.194 to 0.258 |") == ["0.227 | 0.194 to 0.258"]
    assert len(texts("Elo +41.89 (95 % interval +20.22 to +63.57)")) == 1
    assert texts("−1,234 (−2,000 to −1,000)") == ["−1,234 (−2,000 to −1,000"]
    # These ranges are no intervals of the number before them.
    assert not texts("on 5×5 (0 to 25 points), 1 of 3 (4 to 5), 2026 to 2027")
    assert figures("a\n\n5 % (4 to 6)")[0].line == 3


def test_tables_have_what_their_rows_round_to() -> None:
    plain = triples("bot,elo,elo_low,elo_high,note\na,33.4,12.1,54.9,\nb,,,,x\n", "plain")
    short = triples("bot,win_rate,low,high\na,0.5150,0.4709,0.5589\n", "short")
    known = np.concatenate([plain, short])
    right = ["+33 Elo (12 to 55)", "33.4 (12.1 to 54.9)", "-33 (-55 to -12)"]
    right += ["51.5 % (47.1 to 55.9)", "48.5 % (44.1 to 52.9)", "0.515 (0.471 to 0.559)"]
    assert [figures(text)[0].is_in(known) for text in right] == [True] * 6
    # Another digit, anywhere.
    wrong = ["+34 (12 to 55)", "33.4 (12.2 to 54.9)", "51.5 % (47.1 to 55.8)"]
    assert [figures(text)[0].is_in(known) for text in wrong] == [False] * 3


def test_every_digit_counts() -> None:
    known = triples("x,x_low,x_high\n0.6676,0.6212,0.7121\n", "x")
    right = "66.8 % (62.1 to 71.2)"
    assert figures(right)[0].is_in(known)
    for place in (digit.start() for digit in re.finditer(r"\d", right)):
        for other in set("0123456789") - {right[place]}:
            text = right[:place] + other + right[place + 1 :]
            # A number outside its interval is not recognized as a figure.
            assert not any(figure.is_in(known) for figure in figures(text)), text


def test_what_is_no_table_is_refused() -> None:
    for text in ("a,b\n1\n", "a\n1,2\n", 'a,b\n1,"2\n'):
        with pytest.raises(Fault, match="name"):
            parse(text, "name")
    with pytest.raises(Fault, match="expected a column `c`"):
        parse("a,b\n1,2\n", "name", "a c")


def test_names_are_those_that_the_specification_allows() -> None:
    assert package.resource_name("2026-A/games.csv.xz") == "2026-a_games"


def test_a_changed_table_and_an_unknown_column_are_found(tmp_path: Path) -> None:
    def faults(games: str) -> list[str]:
        (tmp_path / "games.csv").write_text(games)
        found = list[str]()
        package.compare(tmp_path, package.text(tmp_path, found), found)
        return found

    columns = "table,column,type,unit,key,description\ngames,game,integer,games,yes,the number\n"
    (tmp_path / "columns.csv").write_text(columns)
    (tmp_path / "games.csv").write_text("game\n1\n")
    package.write(tmp_path, package.text(tmp_path, []))
    assert faults("game\n1\n") == []
    (resource,) = json.loads(read_text(tmp_path / "datapackage.json"))["resources"]
    assert resource["path"] == "games.csv" and resource["schema"]["primaryKey"] == ["game"]
    assert resource["schema"]["fields"] == [{"name": "game", "type": "integer", "unit": "games"}]
    assert re.search(
        r"datapackage.json, line \d+: the tables say otherwise", faults("game\n2\n")[0]
    )
    found = faults("round\n2\n")
    assert "no column `round`" in found[0] and "`game`; remove the row" in found[1]


def test_what_a_command_writes_needs_no_published_table(tmp_path: Path) -> None:
    rows = ["new,a,string,,,tune", "samples,NAME,number,,,tune", "samples,NAME_opponent,number,,,"]
    head = "table,column,type,unit,key,written_by,description\n"
    (tmp_path / "columns.csv").write_text(head + "".join(f"{row},A column\n" for row in rows))
    faults = list[str]()
    package.text(tmp_path, faults)
    assert len(faults) == 1 and "no table `samples` has the column `NAME_opponent`" in faults[0]
    (tmp_path / "samples.csv").write_text("rave,rave_opponent\n1,2\n")
    faults.clear()
    assert package.text(tmp_path, faults).count('"type": "number"') == 2 and not faults


def test_tables_that_a_report_writes_are_not_part_of_the_package(tmp_path: Path) -> None:
    published = ["run/games.csv", "run/summary.csv", "study/a/games.csv", "study/b/summary.csv"]
    for name in (*published, "run/ratings.csv", "study/a/arms.csv", "study/a/summary.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = package.tables_below(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in found] == published


def test_an_interval_decides_or_not() -> None:
    said = [verdict(ends, 1, "less", "more") for ends in ((0.2, 0.9), (1.1, 2.0), (0.9, 1.1), None)]
    assert said == ["less", "more", "undecided", "undecided"]


def test_a_folder_is_a_study_or_not_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="no study"):
        study.tables(tmp_path)
    for text, fault in (("kind = 'weather'\n", "weather"), ("kind = 'exchange'\n", "self/games")):
        (tmp_path / "study.toml").write_text(text)
        with pytest.raises(Fault, match=fault):
            study.tables(tmp_path)


def test_random_numbers_are_those_of_the_published_generators() -> None:
    # Outputs of Vigna's splitmix64.c for the seed 1234567, of xoshiro256plusplus.c for 1, 2, 3, 4.
    assert split_mix(np.array([1_234_567], dtype=np.uint64)).item() == 6_457_827_717_110_365_317
    streams = Streams(samples=1)
    streams._state = [np.array([word], dtype=np.uint64) for word in (1, 2, 3, 4)]
    found = [streams.next().item() for _ in range(4)]
    assert found == [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]
    assert len({mix(seed, np.arange(200, dtype=np.uint64)).tobytes() for seed in range(50)}) == 50


def test_draws_are_in_range_and_repeat_some() -> None:
    drawn = Streams(samples=200).drawn(50)
    assert drawn.shape == (200, 50) and (drawn.sum(axis=1) == 50).all() and drawn.max() > 2
    # The mean of 10,000 draws from 0 to 49, with a deviation of 0.14.
    assert abs((drawn @ np.arange(50)).sum() / 10_000 - 24.5) < 0.6


def test_percentiles_leave_a_tail_at_each_side() -> None:
    assert percentile_interval(np.arange(1000.0)[::-1]) == (25, 974)
    assert percentile_interval(np.array([1, -np.inf, np.nan, 2])) == (-math.inf, 2)


def match(second: str, halves: list[int]) -> Match:
    return Match("first", second, np.array(halves))


def test_matches_have_the_pairs_that_are_complete(tmp_path: Path) -> None:
    # Black wins both games of pair 0, one of pair 1 is void, and one of pair 3 is missing.
    outcomes = ["black", "black", "void", "black", "jigo", "black", "white"]
    header = "game,pairing,pair,komi,black,white,opening_plies,outcome\n"
    bots = ("a,b", "b,a")
    rows = [f"{n},0,{n // 2},7.5,{bots[n % 2]},4,{end}\n" for n, end in enumerate(outcomes)]
    (tmp_path / "games.csv").write_text(header + "".join(rows))
    (found,) = read(tmp_path)
    assert (found.first, found.second, found.halves.tolist()) == ("a", "b", [2, -1, 3])
    (tmp_path / "games.csv").write_text(header + rows[0])
    with pytest.raises(Fault, match="a and b have played no pair"):
        read(tmp_path)


def test_a_match_without_losses_has_a_finite_elo() -> None:
    assert match("a", [4] * 10).elos(once(10)) == pytest.approx(400 * math.log10(19))
    assert match("a", [0, 2, 2, 4]).elos(once(4)) == pytest.approx(0)


def test_openings_that_are_drawn_twice_count_twice() -> None:
    found = match("a", [4, 0, -1, 2])
    assert found.cells() == [1, 0, 1, 0, 1]
    # Two pairs won, one split, one incomplete; then no complete pair at all.
    drawn = np.array([[2, 0, 1, 1, 3], [0, 0, 1, 0, 0]])
    assert found.scores(drawn).tolist() == pytest.approx([10 / 12, 0.5])


def test_the_rank_correlation_by_hand() -> None:
    def spearman(one: list[float], other: list[float]) -> float:
        ranks = (regret_elo.ranks(np.array(side)) for side in (one, other))
        return float(regret_elo.linear(*ranks))

    assert spearman([1, 2, 3], [10, 20, 90]) == pytest.approx(1)
    assert spearman([1, 2, 3], [9, 2, 0]) == pytest.approx(-1)
    # Ranks 0, 1, 2, 3 and 1, 0, 3, 2: 1 - 6·4/(4·15).
    assert spearman([1, 2, 3, 4], [2, 1, 4, 3]) == pytest.approx(0.6)
    assert regret_elo.ranks(np.array([5.0, 1, 5, 7])).tolist() == [1.5, 0, 1.5, 3]
    assert spearman([1, 1], [1, 2]) == 0


def budget(simulations: int, good: int, rave: int) -> regret_elo.Budget:
    arms = [
        match(name, [4 - halves] * 4 + [halves] * 36)
        for name, halves in (("good", good), ("rave-30", rave))
    ]
    regrets = np.array([[0.2, 0.4], [0.1, 0.3], [0.5, 0.6]])
    return regret_elo.Budget(simulations, ["plain", "good", "rave-30"], arms, regrets)


def test_little_regret_and_much_elo_correlate() -> None:
    found = budget(16, 4, 0).correlation(once(2), once(40))
    assert found.measured == pytest.approx(-1) and found.kept == pytest.approx(1)
    assert budget(16, 0, 4).correlation(once(2), once(40)).measured == pytest.approx(1)
    assert budget(16, 4, 0).without("good").names == ["plain", "rave-30"]
    rows = budget(16, 4, 0).rows()
    assert [row["win_rate"] for row in rows] == ["", "0.9000", "0.1000"]
    assert (rows[0]["regret"], rows[0]["regret_low"], rows[0]["pairs"]) == ("0.3000", "0.1040", "")


def test_the_hull_corrects_for_the_noise_that_samples_add() -> None:
    # Samples keep half of a correlation: those around -0.2 follow from -0.4, and that from -0.8.
    found = regret_elo.Correlation(-0.4, np.array([-0.3, -0.2, -0.1]), 0.5)
    assert found.corrected() == pytest.approx([-0.6, -0.8, -1.0])
    assert regret_elo.hull(found.drawn, found.corrected()) == pytest.approx((-1, -0.1))


def test_simulated_rows_have_the_means_of_their_truth() -> None:
    random = np.random.default_rng(1)
    values = random.normal(size=400)
    # Two configurations have the same mean, the third one far above.
    side = np.stack([values, values[::-1], values + 5], axis=-1)
    mixing = regret_elo_coverage.tying(side)
    assert mixing.tolist() == [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]]
    mixing[2] = [0.2, 0, 0.8]
    cells = regret_elo_coverage.drawn_cells(side, mixing, np.arange(400).repeat(50), random)
    assert cells.mean(axis=0) == pytest.approx(mixing @ side.mean(axis=0), abs=0.1)


def test_without_a_bias_the_corrected_interval_is_the_percentile_interval() -> None:
    found = regret_elo_coverage.bias_corrected(0, np.linspace(-1, 1, 2001), 0.95)
    assert found == pytest.approx((-0.95, 0.95))


def test_rave_loses_from_where_it_loses_ever_after() -> None:
    def losing(last: int) -> str:
        rave = {16: 0, 32: 2, 64: 0, 128: last}
        budgets = [budget(simulations, 4, halves) for simulations, halves in rave.items()]
        return regret_elo.losing(budgets)[0]["loses_from"]

    assert [losing(0), losing(4)] == ["64", "not within 128"]


def test_the_error_is_that_of_many_matches() -> None:
    # Pairs lost, split and won with the probabilities 0.1, 0.6 and 0.3, of 400 pairs.
    found = openings.Information.of([40, 0, 240, 0, 120])
    assert found
    # By hand: the mean is 0.6, the variance 0.09, t = 1/3.
    assert found.value == pytest.approx(openings.PER_GAME / 3)
    # d = -2, -1/3, 4/3, and the influences -2.5, -0.1852, 1.2037: their mean square is 1.0802.
    assert found.error == pytest.approx(openings.PER_GAME * math.sqrt(1.0802 / 400), rel=0.02)
    assert openings.Information.of([0, 0, 5, 0, 0]) is None


def test_differences_add_their_errors_in_squares() -> None:
    less = openings.Information(100, 3).minus(openings.Information(90, 4))
    assert less == openings.Information(10, 5)


def test_the_common_rate_and_q_by_hand() -> None:
    found = exchange.Effects(np.array([[100.0, 200]]), np.array([[80.0, 110]]))
    # (8,000 + 22,000) / (10,000 + 40,000).
    assert found.rates() == pytest.approx(0.6)
    # The residuals are 20 and -10; the residuals of the samples have a variance of 100 each.
    by = math.sqrt(50) * np.array([[-1], [1]])
    samples = exchange.Effects(found.inside + 0 * by, found.outside + by)
    assert exchange.heterogeneity(found, samples) == pytest.approx(5)


def test_effects_outside_are_differences_to_the_base() -> None:
    nine, four = match("a", [4] * 9 + [0]), match("base", [4] * 4 + [0] * 6)
    found = exchange.Effects.of([[nine], [four, nine]], [once(10), once(10)])
    assert found.inside[0, 0] > 300
    assert found.outside[0] == pytest.approx(found.inside[0] - four.elos(once(10)))


HEAD = "quantity,architecture,size,program,round,per_second\n"


def test_ratios_are_to_the_faster_build_in_the_same_round(tmp_path: Path) -> None:
    measured = ["libego -O2,1,100", "libego -O2,1,300", "libego -O2,2,400", "libego -O3,1,150"]
    measured += ["libego -O3,2,150", "new,1,800", "new,2,1000", "late,3,7"]
    rows = [f"playouts,x86_64,9,{row}\n" for row in measured]
    text = HEAD + "".join(rows) + "simulations,x86_64,9,new,1,7\n"
    (tmp_path / "measurements.csv").write_text(text)
    counts = ["x86_64,9,libego -O2,900", "x86_64,9,libego -O3,600", "x86_64,9,new,200"]
    counts = ["architecture,size,program,instructions_per_playout", *counts, "aarch64,9,new,100"]
    (tmp_path / "instructions.csv").write_text("\n".join(counts))
    (tmp_path / "study.toml").write_text('kind = "speed"\n')
    # Round 1: 800 / 200, round 2: 1000 / 400; the medians 900 / 300.
    assert csv_text(study.tables(tmp_path)["speeds.csv"]).split("\n")[1:-1] == [
        "playouts,aarch64,9,new,,,,,,100,",
        "playouts,x86_64,9,late,1,7,,,,,",
        "playouts,x86_64,9,libego -O2,2,300,1.00,1.00,1.00,900,1.50",
        "playouts,x86_64,9,libego -O3,2,150,0.50,0.38,0.75,600,1.00",
        "playouts,x86_64,9,new,2,900,3.00,2.50,4.00,200,0.33",
        "simulations,x86_64,9,new,1,7,,,,,",
    ]


def test_parts_of_a_search_make_its_time(tmp_path: Path) -> None:
    (tmp_path / "measurements.csv").write_text(f"{HEAD}simulations,x86_64,9,a,1,7\n")
    columns = "size,config,repeat,simulations_per_cpu_second,selection_share,playout_share"
    columns += ",update_share,prior_share,expansion_share,waiting_share,keep_share,moves\n"
    row = "9x9,a,{},{},0.5,0.3,0.15,0.2,0.1,0.25,0.05,16\n"
    rows = [row.format(repeat, rate) for repeat, rate in enumerate((100000, 250000, 200000))]
    (tmp_path / "speed.csv").write_text(columns + "".join(rows))
    assert speed.tables(tmp_path)["parts.csv"] == [
        {
            **{"size": "9x9", "config": "a", "moves": "16", "rounds": "3"},
            **{"microseconds": "5.000", "select": "1.000", "expand": "0.500", "prior": "1.000"},
            **{"busy": "0.250", "waiting": "1.250", "update": "0.750", "keep": "0.250"},
        }
    ]


def test_a_folder_without_measurements_is_refused(tmp_path: Path) -> None:
    for text, fault in (
        (None, "No such file"),
        ("quantity,size\nplayouts,9\n", "architecture"),
        (f"{HEAD}playouts,x86_64,9,new,1,0\n", "above 0"),
    ):
        if text:
            (tmp_path / "measurements.csv").write_text(text)
        with pytest.raises(Fault, match=f"measurements.csv.*{fault}"):
            speed.tables(tmp_path)


def tournament(folder: Path, line: str) -> None:
    """Play a tournament in `folder`."""
    command = [check.program(), *line.split()]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def run(script: str, folder: Path, argument: str = ".") -> tuple[int, str, str]:
    """The exit code of a script in `folder`, and what it prints and says."""
    command = [sys.executable, str(SCRIPTS / script), argument]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with one published run, whose page and README.md have the win rate of its bot."""
    tournament(tmp_path, "--size 5 --pairs 6 --bot two-ply --bot random --out results/small")
    row = parse(read_text(tmp_path / "results/small/summary.csv"), "summary")[1][0]
    rate, low, high = (float(row[f"win_rate{end}"]) * 100 for end in ("", "_low", "_high"))
    figure = f"{rate:.1f} % of 12 games ({low:.1f} to {high:.1f})"
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(f"Two plies win {figure}.\n")
    (tmp_path / "docs/page.md").write_text("No figures.\n")
    (tmp_path / "results/small/README.md").write_text(f"# small\n\n| {figure} |\n")
    return tmp_path


def said_of(root: Path, name: str, change: Callable[[str], str]) -> str:
    """The output of check.py, which must fail, after a change of a file; the file is then
    restored."""
    path = root / name
    before = path.read_text()
    assert change(before) != before
    path.write_text(change(before))
    code, _, said = run("check.py", root)
    path.write_text(before)
    assert code == 1, said
    return said


def without_check(text: str) -> str:
    """Rows of games without their last column, which would tell that a line was changed."""
    return re.sub(",[^,\n]*$", "", text, flags=re.MULTILINE)


def won_by_the_other(text: str) -> str:
    """The first game of these rows, won by the other colour by as much."""
    header, rows = parse(without_check(text), "games")
    rows[0]["outcome"] = {"black": "white", "white": "black"}[rows[0]["outcome"]]
    rows[0]["score"] = str(-float(rows[0]["score"]))
    return csv_text(rows)


def test_a_changed_digit_is_found_in_texts_tables_and_games(root: Path) -> None:
    code, said, faults = run("check.py", root)
    assert (code, faults) == (0, "") and "2 figures with an interval in 3 files" in said
    for name, line in (("README.md", 1), ("results/small/README.md", 3)):
        said = said_of(
            root, name, lambda text: re.sub(r"\d\)", lambda d: f"{9 - int(d[0][0])})", text)
        )
        assert f"{name}, line {line}: no table of the runs has" in said
    table, games = "results/small/summary.csv", "results/small/games.csv"
    said = said_of(root, table, lambda text: text.replace("two-ply,,12", "two-ply,,13", 1))
    assert f"{table}, line 2: the games say otherwise\nerror: 1 thing differs" in said
    said = said_of(root, games, lambda text: text.replace(",passes,", ",resign,", 1))
    assert "results/small: games.csv, line 2: the line was changed after it was written" in said
    said = said_of(root, games, lambda text: without_check(text).replace(",passes,", ",resign,", 1))
    assert "line 2: its termination is resign, but it has a score" in said
    # The row stays consistent if the other colour wins by the opposite score.
    assert f"{table}, line" in said_of(root, games, won_by_the_other)
    assert run("check.py", root)[0] == 0


def test_figures_from_elsewhere_have_a_source_and_are_used(root: Path) -> None:
    page, rows = root / "docs/page.md", root / "results/elsewhere.csv"
    page.write_text("It makes 539 thousand (391 to 562).\n")
    assert "docs/page.md, line 1: no table" in run("check.py", root)[2]
    row = "file,figure,source\ndocs/page.md,539 thousand (391 to 562,"
    rows.write_text(f"{row}a benchmark\n")
    code, said, _ = run("check.py", root)
    assert code == 0 and "1 is from elsewhere" in said
    rows.write_text(f"{row}\n")
    assert "`539 thousand (391 to 562` has no source" in run("check.py", root)[2]
    rows.write_text(f"{row}a benchmark\n")
    page.write_text("None.\n")
    assert "remove the row" in run("check.py", root)[2]


def test_the_package_is_compared_and_written(root: Path) -> None:
    columns = root / "results/columns.csv"
    header, games = parse(read_text(root / "results/small/games.csv"), "games")[0], "games"
    names = [(games, name) for name in header]
    names += [
        ("summary", name) for name in parse(read_text(root / "results/small/summary.csv"), "")[0]
    ]
    rows = [f"{table},{name},string,,,A column\n" for table, name in names]
    columns.write_text("table,column,type,unit,key,description\n" + "".join(rows))
    assert "datapackage.json, line 1: the tables say otherwise" in run("check.py", root)[2]
    assert run("check.py", root, "--package")[0] == 0
    assert run("check.py", root)[0] == 0
    said = said_of(root, "results/columns.csv", lambda text: text.replace(rows[0], ""))
    assert f"no column `{names[0][1]}` of `games`, as in small/games.csv" in said


def test_every_column_of_a_tournament_is_described(root: Path) -> None:
    described = parse(read_text(SCRIPTS.parent / package.COLUMNS), package.COLUMNS)[1]
    own = [row for row in described if "tournament" in row["written_by"].split("; ")]
    for table in ("games", "summary", "ratings", "differences"):
        header, _ = parse(read_text(root / f"results/small/{table}.csv"), table)
        assert header == [row["column"] for row in own if row["table"] == table]


def test_without_results_it_says_what_it_expects(tmp_path: Path) -> None:
    code, _, said = run("check.py", tmp_path)
    assert (code, said) == (1, "error: results: expected a folder with published runs\n")


def test_the_tables_of_a_study_are_computed_again(root: Path) -> None:
    line = "--size 5 --pairs 12 --bot uct:playouts=30 --bot uct:playouts=15 --opening-plies 4"
    for name in ("random-4-8.5", "balanced-4-8.5"):
        tournament(root, f"{line} --out results/openings/{name}")
    code, _, said = run("study.py", root, "results/openings")
    assert code == 2 and "no study" in said and "study.toml" in said
    (root / "results/openings/study.toml").write_text("kind = 'openings'\n")
    code, said, _ = run("study.py", root, "results/openings")
    assert code == 0 and "random-4-8.5" in said and "the default" in said
    assert run("check.py", root)[0] == 0
    table = "results/openings/pooled.csv"
    said = said_of(root, table, lambda text: text.replace(",1,", ",2,"))
    assert f"{table}, line 2: the games say otherwise" in said
    table = "results/openings/random-4-8.5/summary.csv"
    said = said_of(root, table, lambda text: text.replace(",24,", ",25,", 1))
    assert f"{table}, line 2: the games say otherwise" in said
