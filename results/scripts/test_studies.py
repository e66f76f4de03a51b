"""Tests of the studies of pairs, constants, cycles and doublings, on data whose answer is known."""

# ruff: noqa: D103 (the names of the tests say what they show)

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import join
import numpy as np
import pytest
from numpy.typing import NDArray
from studies import cycles, doublings, exploration_law, judgement, pair_savings, regression
from studies.matches import Match, Streams, joined
from tables import Fault, csv_text

import tengen

RANDOM = np.random.default_rng(1)


def test_quantiles_of_student_are_those_of_the_tables() -> None:
    # Freedom 1, 5, 17 and 19 at 97.5 %.
    known = {1: 12.7062, 5: 2.57058, 17: 2.10982, 19: 2.09302}
    for freedom, quantile in known.items():
        assert regression.student_quantile(0.975, freedom) == pytest.approx(quantile, rel=1e-5)
        assert regression.student_p(-quantile, freedom) == pytest.approx(0.05, rel=1e-4)


def test_holm_multiplies_by_the_number_that_is_left() -> None:
    assert regression.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert regression.holm([0.7, 0.6]) == [1.0, 1.0]


def test_the_variance_between_cells_of_one_mean_by_hand() -> None:
    # Q = 200, less 1 degree of freedom; the sum of weights is 200, less that of their squares.
    values, variances = np.array([0.0, 2.0]), np.array([0.01, 0.01])
    fit = regression.by_moments(values, variances, np.ones((2, 1)))
    assert fit.between == pytest.approx(199 / 100) and fit.coefficients == pytest.approx([1])
    assert fit.covariance[0, 0] == pytest.approx(1.0)
    # With equal variances s² = 2 is the restricted likelihood's, and Student's interval its own.
    fit = regression.by_likelihood(values, variances, np.ones((2, 1)))
    assert fit.between == pytest.approx(1.99, rel=1e-4)
    assert fit.interval(np.ones(1))[1] == pytest.approx(1 + 12.7062, rel=1e-4)


def test_known_coefficients_are_recovered_and_covered() -> None:
    holds = np.zeros(2)
    for _ in range(200):
        terms = np.stack([np.ones(24), RANDOM.normal(size=24)], axis=-1)
        variances = RANDOM.uniform(0.01, 0.05, 24)
        errors = RANDOM.normal(size=24) * np.sqrt(variances + 0.09)
        values = terms @ [1, 0.5] + errors
        for number, method in enumerate((regression.by_moments, regression.by_likelihood)):
            low, high = method(values, variances, terms).interval(np.array([0, 1.0]))
            holds[number] += low <= 0.5 <= high
    # 95 % with an error of 1.5 %; the first has no Student quantile.
    assert holds[0] / 200 > 0.88 and holds[1] / 200 > 0.90


def test_no_variance_is_found_between_cells_that_differ_by_less_than_their_errors() -> None:
    values, variances = np.array([1.0, 1.01, 0.99]), np.ones(3)
    for method in (regression.by_moments, regression.by_likelihood):
        assert method(values, variances, np.ones((3, 1))).between == 0


def test_normal_variables_are_normal() -> None:
    found = Streams().normal(20)
    assert found.shape == (2000, 20) and abs(found.mean()) < 0.02
    assert found.std() == pytest.approx(1, abs=0.02)
    assert (np.abs(found) < 1.96).mean() == pytest.approx(0.95, abs=0.005)


HEAD = "run,game,pairing,pair,komi,black,white,opening_plies,outcome\n"


def games(run: str, firsts: list[str], seconds: list[str]) -> str:
    """Games of a run, pair by pair."""
    outcomes = [outcome for pair in zip(firsts, seconds, strict=True) for outcome in pair]
    bots = ("more,less", "less,more")
    rows = [f"{run},{n},0,{n // 2},7.5,{bots[n % 2]},4,{end}\n" for n, end in enumerate(outcomes)]
    return "".join(rows)


def test_runs_are_read_from_one_table_or_from_their_folders(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/config.toml").touch()
    (tmp_path / "a/games.csv").write_text(HEAD + games("x", ["black"], ["white"]))
    assert list(joined(tmp_path, "games.csv", "outcome")) == ["a"]
    (tmp_path / "games.csv").write_text(HEAD + games("b", ["black"], ["white"]))
    found = joined(tmp_path, "games.csv", "outcome")
    assert list(found) == ["b"] and len(found["b"]) == 2


def test_a_joined_table_names_the_run_and_leaves_out_what_is_written_again(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.toml").touch()
        text = "run,game,reason,outcome,black_seconds,moves\nmatch,0,,black,0.1,A1\n"
        (tmp_path / name / "games.csv").write_text(text)
    expected = [{"run": name, "game": "0", "outcome": "black"} for name in ("a", "b")]
    assert join.joined(tmp_path, "games.csv") == expected
    with pytest.raises(Fault, match="no run"):
        join.joined(tmp_path / "a", "games.csv")


def test_pairs_that_the_colour_decides_have_the_correlation_minus_one() -> None:
    streams = Streams()
    # White wins all games: without pseudo-pairs -1.
    cell = pair_savings.Cell.of(*rows_of("7x7-plies-0-komi+12-200", "white", 800), streams)
    assert cell.correlation.value == pytest.approx(2 * (0.5 / 804) / 0.25 - 1)
    assert (cell.black, cell.rate, cell.row["split"]) == (0, 0.5, "800")
    assert cell.beyond_color.value == pytest.approx(cell.correlation.value + 1)


def rows_of(name: str, outcome: str, pairs: int) -> tuple[str, list[dict[str, str]]]:
    columns = HEAD.strip().split(",")
    lines = games(name, [outcome] * pairs, [outcome] * pairs).splitlines()
    return name, [dict(zip(columns, line.split(","), strict=True)) for line in lines]


def played(cell: str, black: float, spread: float, gap: float, pairs: int) -> str:
    """Games in which Black's chance is `black` with this deviation over the openings, and `gap`
    more or less for the better bot."""
    chances = black + RANDOM.choice([-spread, spread], pairs)
    firsts = np.where(RANDOM.random(pairs) < chances + gap, "black", "white")
    seconds = np.where(RANDOM.random(pairs) < chances - gap, "black", "white")
    return games(cell, firsts.tolist(), seconds.tolist())


def pair_study(folder: Path, spread: float, black: dict[int, float]) -> dict[str, dict[str, str]]:
    """The coefficients of a study in which openings spread Black's chance, by term."""
    text = HEAD
    for size in (7, 9):
        for plies in (0, 2, 4, 8):
            for komi in (0, 4, 12):
                for simulations, gap in ((200, 0.0), (141, 0.02), (100, 0.05)):
                    cell = f"{size}x{size}-plies-{plies}-komi+{komi}-{simulations}"
                    own = spread if plies else 0.0
                    text += played(cell, black[komi], own, gap, 200)
    (folder / "games.csv").write_text(text)
    found = pair_savings.tables(folder)
    means = {row["verdict"] for row in found["means.csv"] if row["planned"]}
    return {row["term"]: row | {"means": str(means)} for row in found["coefficients.csv"]}


def test_the_effects_of_komi_and_openings_on_pairs_are_recovered(tmp_path: Path) -> None:
    # By the theory -(2B - 1)² - 4v, with v = 0.04.
    found = pair_study(tmp_path, 0.2, {0: 0.5, 4: 0.3, 12: 0.25})
    assert float(found["color"]["coefficient"]) == pytest.approx(1, abs=0.25)
    assert float(found["opening"]["coefficient"]) == pytest.approx(0.16, abs=0.05)
    assert float(found["intercept"]["coefficient"]) == pytest.approx(0, abs=0.05)
    assert found["color"]["verdict"] == found["opening"]["verdict"] == "saves games"
    assert found["color"]["means"] == "{'pairs save games'}"


def test_no_effect_on_pairs_is_found_where_games_are_independent(tmp_path: Path) -> None:
    found = pair_study(tmp_path, 0, {0: 0.5, 4: 0.5, 12: 0.5})
    low, high = (float(found["opening"][f"coefficient_{end}"]) for end in ("low", "high"))
    assert -0.08 < low < high < 0.08 and found["opening"]["verdict"] != "saves games"


def test_a_run_with_another_name_is_refused() -> None:
    with pytest.raises(Fault, match="expected a run such as"):
        pair_savings.Cell.of(*rows_of("7x7", "white", 4), Streams(samples=2))
    with pytest.raises(Fault, match="expected a run such as"):
        exploration_law.Optimum.of("5", [], Streams(samples=2))


def duels(best: float, count: int) -> exploration_law.Duels:
    """Duels whose log-odds fall with the square of the distance to the best logarithm."""
    sides = RANDOM.uniform(math.log(0.03), math.log(3), (count, 2))
    odds = (sides[:, 1] - best) ** 2 - (sides[:, 0] - best) ** 2
    wins = RANDOM.binomial(2, 1 / (1 + np.exp(-odds)))
    return exploration_law.Duels(sides, np.stack([wins, 2 - wins], axis=-1).astype(float))


def test_the_best_constant_of_duels_is_recovered() -> None:
    for best in (-2.0, -1.0, 0.0):
        found = duels(best, 4000)
        assert found.best() == pytest.approx(best, abs=0.1)
        assert exploration_law.cubic(found)[1:] == pytest.approx([-1, 0], abs=0.2)
    # Beyond the played constants the best is at their end.
    found = duels(4.0, 2000)
    assert found.best() == pytest.approx(np.percentile(found.constants, 99))


def write_tunings(folder: Path, points: float, simulations: float) -> None:
    text = "run,trial,exploration,exploration_opponent,wins,losses\n"
    for size in (5, 6, 7, 8, 9, 11):
        for budget in (100, 250, 640, 1600):
            best = 1.5 + points * math.log(size**2) + simulations * math.log(budget)
            found = duels(best, 300)
            for number, (sides, won) in enumerate(zip(found.constants, found.games, strict=True)):
                one, other = np.exp(sides)
                text += f"{size}x{size}-{budget},{number},{one},{other},{won[0]},{won[1]}\n"
    (folder / "samples.csv").write_text(text)


def test_the_law_of_the_constant_is_recovered_and_predicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploration_law, "SAMPLES", 50)
    write_tunings(tmp_path, -0.8, 0.0)
    found = exploration_law.tables(tmp_path)
    _, points, simulations = found["coefficients.csv"]
    assert float(points["coefficient"]) == pytest.approx(-0.8, abs=0.15)
    assert (points["verdict"], simulations["cells"]) == ("falls", "20")
    assert abs(float(simulations["coefficient"])) < 0.1
    tested = [row for row in found["optima.csv"] if row["part"] == "test"]
    assert len(tested) == 4 and sum(row["in_prediction"] == "yes" for row in tested) >= 3


def cells_of(odds: float, pairs: int) -> list[int]:
    """Counts of pairs by score, of independent games at these log-odds."""
    won = RANDOM.binomial(2, 1 / (1 + math.exp(-odds)), pairs)
    return [int(count) for count in np.bincount(2 * won, minlength=5)]


def budget(beats: NDArray[np.float64], pairs: int = 200) -> cycles.Budget:
    """Matches in which the bot of the row has these log-odds against that of the column."""
    played = []
    for one, other in combinations(range(len(beats)), 2):
        cells = cells_of(beats[one, other], pairs)
        halves = np.repeat(np.arange(5), cells[::-1])
        played.append(Match(f"b{one}", f"b{other}", halves))
    return cycles.Budget.of(100, played)


def test_ratings_without_cycles_leave_nothing() -> None:
    ratings = np.linspace(-1, 1, 6)
    order = ratings[:, None] - ratings
    sides = np.zeros((15, 6))
    for number, (one, other) in enumerate(combinations(range(6), 2)):
        sides[number, [one, other]] = 1, -1
    values = np.array([order[pair] for pair in combinations(range(6), 2)])
    found = cycles.Hodge.of(values[None], np.full(15, 0.1), sides)
    assert found.ratings[0] == pytest.approx(ratings) and found.q()[0] == pytest.approx(0)
    # 15 pairings less 5 free ratings: two thirds of the variance are left.
    assert found.expected[0] == pytest.approx(0.1 * 10 / 15)


def test_a_cyclic_triple_is_found_and_its_size_is_right() -> None:
    beats = np.zeros((3, 3))
    for one, other in ((0, 1), (1, 2), (2, 0)):
        beats[one, other], beats[other, one] = 0.8, -0.8
    found = budget(beats, 400)
    assert found.p_value(Streams()) < 0.001
    (row,) = found.triples()
    assert row["bots"] == "b0 > b1 > b2 > b0" and row["verdict"] == "cyclic"
    low, high = (cycles.PER_LOG_ODDS * cycles.root(end) for end in found.interval(Streams()))
    assert low < 0.8 * cycles.PER_LOG_ODDS < high


def test_transitive_bots_are_rarely_called_cyclic() -> None:
    ratings = np.linspace(-0.8, 0.8, 6)
    rejected, holds = 0, 0
    for _ in range(30):
        found = budget(ratings[:, None] - ratings)
        rejected += found.p_value(Streams(samples=400)) < 0.05
        low, high = found.interval(Streams(samples=100))
        holds += low <= 0 <= high
        assert not [row for row in found.triples() if row["verdict"] == "cyclic"]
    assert rejected <= 5 and holds >= 24


def test_a_match_without_losses_has_finite_log_odds() -> None:
    values, variances = cycles.log_odds(np.array([[0, 0, 0, 0, 200], [50, 0, 100, 0, 50]]))
    assert values == pytest.approx([math.log(200.5 / 0.5), 0])
    # Of 400 independent games at ½: 4/400, by the shares of pairs with the pseudo-pairs.
    assert variances[1] == pytest.approx(0.01) and 0.5 < variances[0] < 4


def gains(curve: dict[int, list[float]]) -> list[doublings.Gain]:
    """Gains of these Elo, from 64 simulations on."""
    found = []
    for size, elos in curve.items():
        for number, elo in enumerate(elos):
            cells = cells_of(elo / doublings.PER_LOG_ODDS, 500)
            halves = np.repeat(np.arange(5), cells)
            match = Match(str(32 << number), str(64 << number), halves)
            found.append(doublings.Gain.of(size, match))
    return found


def test_gains_are_those_of_the_greater_number() -> None:
    (gain,) = gains({5: [200.0]})
    assert gain.simulations == 64 and gain.per_point() == 64 / 25
    assert gain.pairs.elo == pytest.approx(200, abs=4 * gain.error) and 10 < gain.error < 20
    assert gain.terms([5, 7, 9]).tolist() == [1, math.log2(64 / 25), math.log2(64 / 25) ** 2, 0, 0]


def test_falling_returns_are_found_and_constant_ones_are_not() -> None:
    found = doublings.falls(gains({5: [300.0, 200.0, 100.0], 7: [200.0, 200.0, 200.0]}))
    assert [row["verdict"] for row in found][0] == "diminish"
    assert found[0]["greatest_at"] == "64" and float(found[1]["p_holm"]) > 0.001
    assert float(found[0]["fall"]) == pytest.approx(200, abs=80)
    (row,) = doublings.falls(gains({5: [100.0, 300.0]}))
    assert row["fall"] == "0.0" and row["verdict"] == "undecided"


def test_boards_share_a_curve_differ_or_are_undecided() -> None:
    assert doublings.one_curve([(-10, 20), (-49, 49)]) == "one curve"
    assert doublings.one_curve([(10, 70), (-49, 49)]) == "boards differ"
    assert doublings.one_curve([(-10, 70), (-49, 49)]) == "undecided"


def test_a_lost_board_is_judged_by_the_result() -> None:
    lost = tengen.Position(3, komi=0, rows="OO./OOO/.OO")
    judged = [judgement.Judged(game, 0, lost, float(game == 1)) for game in range(3)]
    assert list(judgement.errors(judged, "uniform")) == [0, 1, 0]


def test_the_noise_of_playouts_adds_nothing_to_the_error() -> None:
    open_game = tengen.Position(3, komi=0.5)
    rate = float(tengen.playouts(open_game, 400_000, policy="uniform").win_rates)
    judged = [judgement.Judged(game, 0, open_game, 1.0) for game in range(4_000)]
    # A square of one estimate would be larger by rate · (1 - rate) / 16.
    assert rate * (1 - rate) / 16 > 0.01
    assert judgement.errors(judged, "uniform").mean() == pytest.approx((rate - 1) ** 2, abs=0.005)


def test_positions_of_one_game_count_once() -> None:
    values, games = np.array([1.0, 0.0, 1.0, 0.0]), np.array([1.0, 1.0, 2.0, 2.0])
    assert judgement.mean_by_game(values, games) == (0.5, (0.5, 0.5))
    # Two games of mean 0 and 1: the standard error is 1/2.
    low, high = judgement.mean_by_game(np.sort(values), games)[1]
    assert (low, high) == pytest.approx((0.5 - 0.97998, 0.5 + 0.97998), abs=1e-4)


def test_positions_are_of_decided_games_after_their_openings(tmp_path: Path) -> None:
    game = {"size": "3x3", "komi": "0", "opening_plies": "1", "outcome": "black"}
    moves = {"moves": "A1 B2 C3 A2 B1 pass pass"}
    rows = [game | moves, game | moves | {"outcome": "void"}, game | {"moves": "A1 B2"}]
    (tmp_path / "games.csv").write_text(csv_text(rows))
    found = judgement.positions([tmp_path])
    assert {one.game for one in found} == {1} and all(one.black_won == 1 for one in found)
    assert 2 <= len(found) <= judgement.PER_GAME
    assert all(1 <= one.ply < 5 and len(one.position.moves) == one.ply for one in found)
