"""Statistics: published values and closed forms."""

import copy
import math
from pathlib import Path

import numpy as np
import pytest

from tengen import stats


def test_wilson_agrees_with_newcombe() -> None:
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
    wins, games = np.array([81, 15, 0, 1]), np.array([263, 148, 20, 29])
    found = stats.wilson(wins / games, games)
    expected = [[0.2553, 0.3662], [0.0624, 0.1605], [0, 0.1611], [0.0061, 0.1718]]
    np.testing.assert_allclose(found, expected, atol=5e-5)
    assert stats.wilson([0.2, 0.4, 0.6], 30).shape == (3, 2)
    assert stats.wilson(np.full((2, 1), 0.5), [10, 20, 30]).shape == (2, 3, 2)
    assert stats.wilson(0.5, 30).shape == (2,)
    assert np.isnan(stats.wilson([0.5, math.nan], [0, 10])).all()


def test_percentages_are_no_scores() -> None:
    said = "score is 60: expected 0 to 1: for 60 % give 0.6"
    with pytest.raises(ValueError, match=said):
        stats.wilson(60, 200)
    with pytest.raises(ValueError, match=said):
        stats.elo([0.5, 60])
    with pytest.raises(ValueError, match="score is -0.1: expected 0 to 1$"):
        stats.elo_interval(-0.1, 30)


def test_a_copy_of_a_test_is_another_one() -> None:
    test = stats.Sprt(elo0=0, elo1=50)
    test.add([[1, 1]] * 3)
    for copied in (copy.copy(test), copy.deepcopy(test)):
        copied.add([[0, 0]] * 2)
        assert test.counts.tolist() == [0, 0, 0, 0, 3]
        assert copied.counts.tolist() == [2, 0, 0, 0, 3]


def test_wilson_at_another_level_by_its_formula() -> None:
    z, p, n = 0.674489750196082, 0.3, 50
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    found = stats.wilson(p, n, level=0.5)
    np.testing.assert_allclose(found, [centre - half, centre + half], rtol=1e-9)
    for level in (0, 1, 95, math.nan):
        with pytest.raises(ValueError, match="invalid level"):
            stats.wilson(p, n, level=level)


def test_elo_and_score_invert_each_other() -> None:
    differences = np.array([[-400.0, 0.0], [200.0, 1000.0]])
    scores = stats.score(differences)
    np.testing.assert_allclose(scores, 1 / (1 + 10 ** (-differences / 400)))
    np.testing.assert_allclose(stats.elo(scores), differences, atol=1e-9)
    assert stats.elo([0, 1, -0.0]).tolist() == [-math.inf, math.inf, -math.inf]
    assert np.isnan(stats.elo(math.nan))
    interval = stats.elo_interval(1.0, 20)
    assert interval[1] == math.inf
    assert interval[0] == pytest.approx(float(stats.elo(stats.wilson(1.0, 20)[0])))


def test_summaries_of_matches_have_published_values() -> None:
    # Output of a chess match runner, at 95 %: W 136 L 96 D 111 gives 40.70 ± 30.43, nElo 49.77,
    # LOS 99.60 %. Its nElo ± 36.77 takes the deviation as known.
    games = stats.games(96, 111, 136)
    assert games.elo == pytest.approx(40.70, abs=0.005)
    assert games.normalized_elo == pytest.approx(49.77, abs=0.005)
    low, high = games.elo_interval
    assert (high - low) / 2 == pytest.approx(30.43, abs=0.1)
    low, high = games.normalized_elo_interval
    assert (high - low) / 2 == pytest.approx(37.46, abs=0.005)
    assert games.los == pytest.approx(0.9960, abs=5e-5)
    assert games.counts == (96, 111, 136)
    cells = np.array([96 + 1, 111, 136 + 1])
    mean = np.average([0, 0.5, 1], weights=cells)
    variance = np.average((np.array([0, 0.5, 1]) - mean) ** 2, weights=cells)
    assert games.effective_games == pytest.approx(343 * mean * (1 - mean) / variance)
    assert games.interval == tuple(stats.wilson(games.score, games.effective_games))
    assert stats.games(60, 0, 100).effective_games == 160
    # 80.3 % of 1,600 games: with the deviation taken as known it would be 248 to 282.
    low, high = stats.games(315, 0, 1285).normalized_elo_interval
    assert (low, high) == pytest.approx((238.4, 292.3), abs=0.05)
    # Pairs 34, 54, 31 + 32, 64, 75: 55.58 Elo, nElo 57.94. The runner prints ± 28.28.
    pairs = stats.pairs([34, 54, 63, 64, 75])
    assert pairs.elo == pytest.approx(55.58, abs=0.005)
    assert pairs.normalized_elo == pytest.approx(57.94, abs=0.005)
    low, high = pairs.normalized_elo_interval
    assert 28.28 < (high - low) / 2 < 29.5
    # The variance includes these pairs and four pairs between equal players.
    cells = np.array([34 + 1, 54, 63 + 2, 64, 75 + 1])
    scores = np.arange(5) / 4
    mean = np.average(scores, weights=cells)
    variance = np.average((scores - mean) ** 2, weights=cells)
    assert pairs.effective_games == pytest.approx(290 * mean * (1 - mean) / variance)
    assert stats.pairs([20, 55, 40]) == stats.pairs([20, 0, 55, 0, 40])


def test_a_match_without_games_says_nothing() -> None:
    for summary in (stats.games(0, 0, 0), stats.pairs([0] * 5)):
        assert math.isnan(summary.score) and math.isnan(summary.los)
        assert all(math.isnan(end) for end in summary.elo_interval)
    with pytest.raises(ValueError, match="count -1"):
        stats.games(-1, 0, 0)
    with pytest.raises(ValueError, match="expected 5"):
        stats.pairs([1, 2])
    with pytest.raises(TypeError, match="float64"):
        stats.pairs(np.array([1.0, 2.0, 3.0]))


GAMES = [
    # Won, lost, drawn; elo0, elo1, model, LLR of a chess match runner.
    (36433, 36027, 68692, 0, 2, "normalized", 0.92),
    (10871, 10650, 20431, -1.75, 0.25, "normalized", 2.30),
    (4250, 0, 0, 0, 10, "normalized", 120.55),
    (21404, 21184, 40708, 0.5, 2.5, "logistic", -1.57),
    (57433, 57030, 106593, 0, 2, "logistic", -2.59),
    (560, 440, 0, 0, 40, "logistic", 7.2027),
    (560, 440, 0, 0, 40, "wald", 7.2027),
]


@pytest.mark.parametrize(("won", "lost", "drawn", "elo0", "elo1", "model", "llr"), GAMES)
def test_sprt_of_games_has_published_values(
    won: int, lost: int, drawn: int, elo0: float, elo1: float, model: stats.Model, llr: float
) -> None:
    test = stats.Sprt(elo0, elo1, model=model, pairs=False)
    test.counts = [lost, drawn, won]
    assert test.llr == pytest.approx(llr, abs=0.005)


PAIRS = [
    ([365, 16618, 36029, 200, 16974, 390], 0, 2, "normalized", 2.25),
    ([127, 4883, 10311, 401, 5150, 104], -1.75, 0.25, "normalized", 3.01),
    ([223, 9863, 20279, 1000, 10037, 246], 0.5, 2.5, "logistic", -3.07),
    ([871, 26175, 55003, 980, 26678, 821], 0, 2, "logistic", -4.98),
]


@pytest.mark.parametrize(("six", "elo0", "elo1", "model", "llr"), PAIRS)
def test_sprt_of_pairs_has_published_values(
    six: list[int], elo0: float, elo1: float, model: stats.Model, llr: float
) -> None:
    ll, ld, won_lost, drawn, wd, ww = six
    test = stats.Sprt(elo0, elo1, model=model)
    test.counts = [ll, ld, won_lost + drawn, wd, ww]
    assert test.llr == pytest.approx(llr, abs=0.005)
    assert (test.decision == "H0") == (llr <= test.bounds[0])


def test_distant_hypotheses_accept_the_right_one() -> None:
    test = stats.Sprt(0, 300, model="normalized")
    test.counts = [5, 0, 0, 0, 0]
    assert test.llr == pytest.approx(-7.43, abs=0.005)
    assert test.decision == "H0"
    test.counts = [83, 0, 53, 0, 7]
    assert test.llr == pytest.approx(-168.3, abs=0.05)
    test = stats.Sprt(-800, 800, model="normalized")
    test.counts = [554145493000, 0, 0, 0, 0]
    with pytest.raises(ValueError, match="normalized model cannot be fitted"):
        _ = test.llr
    with pytest.raises(ValueError, match="normalized model cannot be fitted"):
        _ = test.decision


def test_wald_s_test_by_its_formula() -> None:
    test = stats.Sprt(0, 100, alpha=0.02, beta=0.1, model="wald", pairs=False)
    assert test.bounds == pytest.approx((math.log(0.1 / 0.98), math.log(0.9 / 0.02)))
    assert (test.llr, test.decision) == (0, None)
    assert test.add([1, 0, 1]) == 3
    assert test.add(1) == 1
    p1 = float(stats.score(100))
    llr = 3 * math.log(p1 / 0.5) + math.log((1 - p1) / 0.5)
    assert test.llr == pytest.approx(llr)
    assert test.counts.tolist() == [1, 0, 3]


def test_results_after_the_decision_do_not_count() -> None:
    test = stats.Sprt(0, 50)
    counted = test.add(np.ones((1000, 2)))
    assert test.decision == "H1" and 5 < counted < 100
    assert test.counts.tolist() == [0, 0, 0, 0, counted]
    assert test.add([0, 0]) == 0 and test.counts.sum() == counted
    one_less = stats.Sprt(0, 50)
    one_less.add(np.ones((counted - 1, 2)))
    assert one_less.decision is None
    assert one_less.add([0.5, 0]) == 1 and one_less.counts.tolist()[1] == 1


def test_wrong_tests_are_refused() -> None:
    with pytest.raises(TypeError):
        stats.games(1.9, 0, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        stats.Sprt(pairs=False).counts = np.array([1.9, 0, 3.9])
    with pytest.raises(ValueError, match="elo0=5 elo1=0"):
        stats.Sprt(5, 0)
    with pytest.raises(ValueError, match="alpha=0.7"):
        stats.Sprt(alpha=0.7)
    with pytest.raises(ValueError, match="model `bayes`"):
        stats.Sprt(model="bayes")  # type: ignore[arg-type]
    test = stats.Sprt()
    with pytest.raises(ValueError, match="shape"):
        test.add([1, 0, 1])
    with pytest.raises(ValueError, match="invalid result 2"):
        test.add([[1, 0], [2, 0]])
    assert test.counts.sum() == 0
    with pytest.raises(ValueError, match="shape"):
        stats.Sprt(pairs=False).add([[1, 0]])
    with pytest.raises(ValueError, match="3 of games"):
        stats.Sprt(pairs=False).counts = [1, 2, 3, 4, 5]


def test_ratings_of_two_players() -> None:
    # The example of the Rust documentation.
    wins, losses = [[0, 30], [80, 0]], [[0, 70], [20, 0]]
    rated = stats.ratings(wins, losses=losses, names=["weak", "strong"])
    assert rated.names == ("weak", "strong")
    assert rated.differences[1, 0] == pytest.approx(191.6, abs=0.1)
    low, high = rated.difference_intervals[1, 0]
    half = 1.959964 * rated.difference_errors[1, 0]
    assert high - low == pytest.approx(2 * half, rel=0.01)
    # The likelihood falls more slowly towards larger differences.
    assert high - rated.differences[1, 0] > half
    np.testing.assert_allclose(rated.difference_intervals[0, 1], [-high, -low])
    assert rated.values.sum() == pytest.approx(0)
    np.testing.assert_allclose(rated.differences, rated.values[:, None] - rated.values)
    logit = (rated.differences[0, 1] + rated.advantage) / 400
    assert rated.expected[0, 1] == pytest.approx(1 / (1 + 10**-logit))
    low, high = rated.advantage_interval
    assert low < rated.advantage < high


def test_who_won_every_game_has_no_upper_bound() -> None:
    wins, losses = [[0, 300], [0, 0]], [[0, 0], [300, 0]]
    rated = stats.ratings(wins, losses=losses)
    # Half a win and half a loss more on each side: ln 601.
    assert rated.differences[0, 1] == pytest.approx(400 * np.log10(601))
    low, high = rated.difference_intervals[0, 1]
    assert 800 < low < rated.differences[0, 1] and high == np.inf
    np.testing.assert_allclose(rated.intervals, [[low / 2, np.inf], [-np.inf, -low / 2]])
    # One player always moves first: its strength may be the advantage.
    rated = stats.ratings([[0, 30], [0, 0]], losses=[[0, 10], [0, 0]])
    assert rated.advantage == 0 and rated.advantage_interval == (-np.inf, np.inf)
    np.testing.assert_array_equal(rated.difference_intervals[0, 1], [-np.inf, np.inf])


@pytest.mark.parametrize("n", [10**7, 10**8, 10**12])
def test_ratings_of_very_many_games_end(n: int) -> None:
    rated = stats.ratings([[0, n], [n, 0]], losses=[[0, n], [1, 0]])
    assert np.isfinite(rated.values).all()


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="expected another name for each player"):
        stats.ratings([[0, 1], [1, 0]], losses=[[0, 1], [1, 0]], names=["a", "a"])
    with pytest.raises(ValueError, match=r"score is 1\.0000000000000002: expected 0 to 1$"):
        stats.wilson(np.nextafter(1, 2), 10)
    with pytest.raises(OverflowError, match="seed is -1"):
        stats.plan(sprt="elo0=0 elo1=30", seed=-1)
    with pytest.raises(ValueError, match="9223372036854775807"):
        stats.pairs(np.array([2**63, 0, 1], dtype=np.uint64))
    few = np.array([3, 4, 5], dtype=np.uint8)
    assert stats.pairs(few).interval == stats.pairs([3, 4, 5]).interval


def test_deviations_show_what_is_not_transitive() -> None:
    # Rock, paper, scissors: the winner of each pairing wins 60 of 100 on both sides.
    wins = np.array([[0, 40, 60], [60, 0, 40], [40, 60, 0]])
    rated = stats.ratings(wins, losses=np.where(wins > 0, 100 - wins, 0))
    assert rated.names == ("0", "1", "2")
    np.testing.assert_allclose(rated.values, 0, atol=1e-6)
    # 40 % of 200 games with deviation √(0.25 / 200): -2.83.
    assert rated.deviations[0, 1] == pytest.approx(-2.828, abs=1e-3)
    assert rated.deviations[1, 0] == pytest.approx(2.828, abs=1e-3)
    assert np.isnan(np.diag(rated.deviations)).all()


def test_wrong_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="no games connect"):
        stats.ratings(np.zeros((2, 2), int), losses=np.zeros((2, 2), int))
    with pytest.raises(ValueError, match="wins has shape"):
        stats.ratings([[1, 2, 3]], losses=[[0, 0, 0]])
    with pytest.raises(ValueError, match="losses has shape"):
        stats.ratings([[0, 2], [1, 0]], losses=[[0]])
    with pytest.raises(ValueError, match="1 names"):
        stats.ratings([[0, 2], [1, 0]], losses=[[0, 2], [1, 0]], names=["a"])
    with pytest.raises(ValueError, match="count -1"):
        stats.ratings([[0, -1], [1, 0]], losses=[[0, 2], [1, 0]])


def test_strength_speedup_on_the_curve_and_beyond() -> None:
    # The opponent has work 100; a search with the results of work 200 has factor 2.
    work, curve = [50, 200, 400], [[60, 30, 10], [10, 40, 50], [2, 18, 80]]
    searches = [[10, 60, 30], [10, 40, 50], [98, 2, 0], [0, 1, 99]]
    found = stats.strength_speedup(work, curve, searches, base=100, opponent=100, seed=1)
    by_score = stats.elo((np.array([60, 70]) + 0.5) / 101)
    assert found.factor[0] == pytest.approx(2 ** (by_score[0] / by_score[1]))
    assert found.factor[1] == pytest.approx(2)
    assert np.isnan(found.factor[2:]).all()
    for factor, (low, high) in zip(found.factor[:2], found.interval[:2], strict=True):
        assert 0 < low < factor < high < 8
    assert found.interval[2, 0] == 0 and found.interval[3, 1] == math.inf
    assert found.curve[:, 0].tolist() == [0.5, 1, 2, 4] and found.curve[1, 1] == 0
    assert (np.diff(found.curve[:, 1]) >= 0).all()
    again = stats.strength_speedup(work, curve, searches, base=100, opponent=100, seed=1)
    np.testing.assert_array_equal(found.interval, again.interval)
    with pytest.raises(ValueError, match="work has shape"):
        stats.strength_speedup([50], curve, searches)
    with pytest.raises(ValueError, match="above 0"):
        stats.strength_speedup([0, 1, 2], curve, searches)


def test_plans_of_fixed_matches() -> None:
    # N pairs of independent games have the deviation sqrt(1/8N): 80 % power at 95 % needs close to
    # (1.96 + 0.8416)^2 / 8 delta^2 pairs.
    found = stats.plan([10, 30], pairs=[100, 1000])
    delta = stats.score([10, 30]) - 0.5
    np.testing.assert_allclose(found.pairs_needed, 7.849 / 8 / delta**2, rtol=0.01)
    assert (found.split, found.correlation, found.jigo) == (0.5, 0.0, 0.0)
    even = [stats.pairs([count // 4, count // 2, count // 4]) for count in (100, 1000)]
    widths = [(match.interval[1] - match.interval[0]) / 2 for match in even]
    np.testing.assert_allclose(found.half_widths, widths)
    again = stats.plan(found.smallest_elo, pairs=[])
    np.testing.assert_allclose(again.pairs_needed, [100, 1000], atol=1)
    assert found.courses is None and math.isnan(found.seconds_per_game)
    split = stats.plan([10], split=0.8)
    assert split.correlation == pytest.approx(-0.6)
    assert split.pairs_needed[0] == pytest.approx(0.4 * found.pairs_needed[0], rel=0.01)
    assert np.isnan(stats.plan([-10.0, 0.0]).pairs_needed).all()
    equivalent = stats.plan(0, within=20, pairs=[10, 10_000])
    assert equivalent.pairs_needed[0] > 1000 and np.isnan(equivalent.smallest_elo).all()
    assert equivalent.power_at_equality[0] == 0 and equivalent.power_at_equality[1] > 0.99


def test_plans_of_sequential_tests() -> None:
    found = stats.plan(sprt="elo0=0 elo1=50 model=wald", truths=[0, 50], most_pairs=3000).courses
    assert found is not None and found.simulated is None
    # By a walk over the leads in plain Python.
    np.testing.assert_allclose(found.pairs, [135.2376913615, 135.9005800418], atol=1e-6)
    np.testing.assert_allclose(found.accepts_h1, [0.0449515174, 0.9553111387], atol=1e-9)
    assert found.nine_tenths.tolist() == [260, 261] and found.errors.tolist() == [0, 0]
    # 524 games of fixed length.
    assert 2 * found.fixed_pairs == pytest.approx(524, abs=0.5)
    simulated = stats.plan(sprt="elo0=0 elo1=100", tests=300, seed=3).courses
    assert simulated is not None and simulated.simulated == 300
    assert simulated.truths.tolist() == [-50, 0, 50, 100, 150]
    # The test itself, on the same pairs as many times as it was simulated, is near.
    random, score = np.random.default_rng(1), float(stats.score(100))
    lengths = []
    for _ in range(300):
        test = stats.Sprt(0, 100)
        lengths.append(test.add(random.random((2000, 2)) < score))
    error = np.hypot(simulated.errors[3], np.std(lengths) / math.sqrt(300))
    assert abs(np.mean(lengths) - simulated.pairs[3]) < 4 * error


def test_plans_refuse_what_they_cannot_plan(tmp_path: Path) -> None:
    for arguments, said in (
        ({"power": 80}, "power is 80"),
        ({"level": 95}, "invalid level 95"),
        ({"split": 1.5}, "split is 1.5: expected a share from 0 to 1"),
        ({"split": 0.5, "correlation": 0.1}, "give one of them"),
        ({"correlation": -2.0}, "correlation is -2"),
        ({"jigo": 1.0}, "jigo is 1"),
        ({"within": 0.0}, "within is 0"),
        ({"pairs": [0]}, "0 pairs"),
        ({"truths": [3]}, "give sprt too"),
        ({"sprt": "elo0=5 elo1=0"}, "elo0 < elo1"),
        ({"sprt": "elo1=5", "tests": 0}, "tests is 0"),
        ({"run": tmp_path}, "no games.csv"),
        ({"run": tmp_path, "split": 0.5}, "leave out split"),
    ):
        with pytest.raises(ValueError, match=said):
            stats.plan(20, **arguments)
