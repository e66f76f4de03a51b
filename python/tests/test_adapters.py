"""Adapters for other libraries, tested against them where they are installed."""

import random
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest

import tengen
from tengen import IllegalMove, Player, Position, RunError


def test_a_player_plays_what_its_text_says() -> None:
    # If Black does not take the stone, White makes two eyes.
    position = Position(rows="...../XXX../OOX../.OX../.X...")
    for text in ("uct:simulations=400", "two-ply"):
        assert Player(text, seed=1).choose(position) == position.number("A2")
    games = []
    for seed in (1, 1, 2):
        player, game = Player("uct:simulations=20", seed=seed), Position(5)
        for _ in range(10):
            move = player.choose(game)
            assert move is not None
            game.play(move)
        games.append(game.moves)
    assert games[0] == games[1] != games[2]
    assert repr(player) == 'Player("uct:simulations=20", seed=2)'


def test_wrong_players_and_positions_are_refused() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        Player("nonsense")
    over = Position(3, max_plies=1)
    over.play(0)
    with pytest.raises(ValueError, match="the game is over"):
        Player("random").choose(over)
    with pytest.raises(RunError, match="solver"):
        Player("solver").choose(Position(19))


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals need the main thread"
)
def test_ctrl_c_ends_a_choice() -> None:
    player, position = Player("uct:simulations=100000000"), Position(9)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        player.choose(position)
    timer.join()
    assert time.monotonic() - began < 20
    # The next choice is not stopped.
    assert Player("uct:simulations=50").choose(position) is not None


class TestGymnasium:
    def test_it_shows_what_the_environment_shows(self) -> None:
        pytest.importorskip("gymnasium")
        from tengen.env import gymnasium_vector_env

        env = gymnasium_vector_env(tengen.vector_env(5, 3, komi=0.5, max_plies=20, own_eyes=False))
        plain = tengen.vector_env(5, 3, komi=0.5, max_plies=20, own_eyes=False)
        observations, info = env.reset(seed=1)
        step = plain.reset()
        wins = 0.0
        for seed in range(60):
            assert env.observation_space.contains(observations)
            np.testing.assert_array_equal(observations, step.observations)
            np.testing.assert_array_equal(info["action_mask"], step.legal)
            actions, movers = plain.sample(seed), step.to_play
            assert env.action_space.contains(actions)
            observations, rewards, terminated, truncated, info = env.step(actions)
            step = plain.step(actions)
            np.testing.assert_array_equal(terminated, step.terminated)
            np.testing.assert_array_equal(truncated, step.truncated)
            column = np.where(movers == 1, 0, 1)
            np.testing.assert_array_equal(rewards, step.rewards[np.arange(5), column])
            wins += np.abs(rewards).sum()
            if len(step.ended):
                assert np.flatnonzero(info["_final_obs"]).tolist() == step.ended.tolist()
                final = np.stack(list(info["final_obs"][info["_final_obs"]]))
                np.testing.assert_array_equal(final, step.final_observations)
            else:
                assert "final_obs" not in info
        assert wins > 5

    def test_gymnasium_s_own_wrappers_work(self) -> None:
        gymnasium = pytest.importorskip("gymnasium")
        from tengen.env import gymnasium_vector_env

        env = gymnasium_vector_env(tengen.vector_env(4, 2, komi=0.5))
        assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
        counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
        counted.reset()
        episodes = 0
        for _ in range(4):
            *_, info = counted.step(np.full(4, 4))
            episodes += int(info.get("_episode", np.zeros(4)).sum())
        # Two passes each.
        assert episodes == 8
        still = gymnasium_vector_env(tengen.vector_env(3, 2, auto_reset=False))
        still.step(np.full(3, 4))
        _, info = still.reset(options={"reset_mask": np.array([True, False, False])})
        assert info["to_play"].tolist() == [1, -1, -1]
        with pytest.raises(ValueError, match="observations=False"):
            gymnasium_vector_env(tengen.vector_env(1, 2, observations=False))


class TestPettingZoo:
    @pytest.mark.filterwarnings("ignore")
    def test_it_passes_pettingzoo_s_test(self) -> None:
        pytest.importorskip("pettingzoo")
        from pettingzoo.test import api_test

        import tengen.pettingzoo

        api_test(tengen.pettingzoo.env(5), num_cycles=300)
        api_test(tengen.pettingzoo.GoEnv(5, max_plies=40), num_cycles=300)

    def test_its_games_are_those_of_positions(self) -> None:
        pytest.importorskip("pettingzoo")
        import tengen.pettingzoo

        env = tengen.pettingzoo.env(4, max_plies=60, render_mode="ansi")
        draw = random.Random(1)
        for _ in range(10):
            env.reset()
            position = Position(4, max_plies=60)
            for agent in env.agent_iter():
                seen, reward, terminated, truncated, info = env.last()
                if terminated or truncated:
                    assert position.is_over and info["score"] == position.score()
                    sign = 1 if agent == "black_0" else -1
                    assert reward == sign * np.sign(position.score())
                    env.step(None)
                    continue
                assert agent == ("black_0" if position.to_play == 1 else "white_0")
                np.testing.assert_array_equal(seen["action_mask"], position.legal())
                np.testing.assert_array_equal(seen["observation"], position.planes(own_eyes=True))
                other = env.observe("black_0" if agent == "white_0" else "white_0")
                assert not other["action_mask"].any()
                np.testing.assert_array_equal(other["observation"][0], seen["observation"][1])
                assert other["observation"][5, 0, 0] == -seen["observation"][5, 0, 0]
                move = int(draw.choice(np.flatnonzero(seen["action_mask"])))
                env.step(move)
                position.play(move)
            assert env.render() == str(position)

    def test_illegal_moves(self) -> None:
        pytest.importorskip("pettingzoo")
        import tengen.pettingzoo

        raw = tengen.pettingzoo.GoEnv(5)
        raw.reset()
        raw.step(3)
        with pytest.raises(IllegalMove):
            raw.step(3)
        assert raw.position.ply == 1
        wrapped = tengen.pettingzoo.env(5)
        wrapped.reset()
        wrapped.step(3)
        wrapped.step(3)
        assert wrapped.rewards == {"black_0": 0, "white_0": -1}


class TestOpenSpiel:
    @pytest.mark.parametrize(
        "settings",
        [
            {"board_size": 9, "komi": 7.5},
            {"board_size": 5, "komi": 0.5},
            {"board_size": 3, "komi": 0.0},
            {"board_size": 19, "komi": 0.5, "handicap": 3},
        ],
    )
    def test_random_games_of_openspiel_are_games_of_positions(
        self, settings: dict[str, Any]
    ) -> None:
        pyspiel = pytest.importorskip("pyspiel")
        import tengen.openspiel

        game = pyspiel.load_game("go", settings)
        draw = random.Random(2)
        repeats = jigos = 0
        for _ in range(20 if settings["board_size"] < 19 else 2):
            state = game.new_initial_state()
            position = tengen.openspiel.position(state)
            while not state.is_terminal():
                legal = set(np.flatnonzero(position.legal()).tolist())
                # OpenSpiel allows moves that repeat a position and draw the game.
                superko = set(state.legal_actions()) - legal
                assert legal <= set(state.legal_actions())
                for action in superko:
                    child = state.child(action)
                    assert child.is_terminal() and child.returns() == [0, 0]
                repeats += len(superko)
                action = draw.choice(sorted(legal))
                assert position.name(action).lower() in state.action_to_string(action).lower()
                state.apply_action(action)
                position.play(action)
            assert position.is_over
            assert position == tengen.openspiel.position(state)
            result = np.sign(position.score())
            jigos += result == 0
            assert state.returns() == [result, -result]
        assert repeats > 0 or settings["board_size"] > 3

    def test_bots_of_tengen_play_openspiel_s_games(self) -> None:
        pyspiel = pytest.importorskip("pyspiel")
        import tengen.openspiel

        game = pyspiel.load_game("go", {"board_size": 5, "komi": 2.5})
        strong = tengen.openspiel.Bot("uct:simulations=200", seed=1)
        weak = pyspiel.make_uniform_random_bot(1, 7)
        for _ in range(3):
            returns = pyspiel.evaluate_bots(game.new_initial_state(), [strong, weak], 5)
            assert returns == [1, -1]
            strong.restart()

    def test_a_bot_follows_whatever_state_it_is_given(self) -> None:
        pyspiel = pytest.importorskip("pyspiel")
        import tengen.openspiel

        game = pyspiel.load_game("go", {"board_size": 5, "komi": 2.5})
        bot = tengen.openspiel.Bot("uct:simulations=50", seed=3)
        state = game.new_initial_state()
        first = bot.step(state)
        state.apply_action(first)
        state.apply_action(state.legal_actions()[0])
        assert bot.step(state) in state.legal_actions()
        # Another game.
        bot.restart()
        assert bot.step(game.new_initial_state()) == first
        other = game.new_initial_state()
        other.apply_action(7)
        assert bot.step(other) in other.legal_actions()
        with pytest.raises(ValueError, match="expected OpenSpiel's go"):
            bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())
        # The same moves, none, in another game.
        bot.restart()
        bot.step(game.new_initial_state())
        with pytest.raises(ValueError, match="expected OpenSpiel's go"):
            bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())
        small = pyspiel.load_game("go", {"board_size": 3}).new_initial_state()
        assert bot.step(small) in small.legal_actions()

    def test_a_game_drawn_by_repetition_is_no_position(self) -> None:
        pyspiel = pytest.importorskip("pyspiel")
        import tengen.openspiel

        state = pyspiel.load_game("go", {"board_size": 3, "komi": 0.5}).new_initial_state()
        for action in [5, 9, 0, 2, 6, 4, 1, 8, 9, 3, 9, 7]:
            state.apply_action(action)
        bot = tengen.openspiel.Bot("random", seed=1)
        bot.step(state)
        follows = state.clone()
        follows.apply_action(6)
        drawn = follows.clone()
        drawn.apply_action(4)
        assert drawn.is_terminal()
        with pytest.raises(ValueError, match="draws a game whose position is repeated"):
            bot.step(drawn)
        # The bot still follows the moves before.
        assert bot.step(follows) in follows.legal_actions()


def test_an_agent_against_a_bot() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import tengen.gymnasium as adapter

    env = gymnasium.make("tengen/Go-5x5-v0", opponent="random", color=None, render_mode="ansi")
    go = env.unwrapped
    assert isinstance(go, adapter.Go)
    rng = np.random.default_rng(1)
    colors, rewards = set(), []
    for seed in range(12):
        planes, info = env.reset(seed=seed)
        colors.add(info["color"])
        ended = False
        while not ended:
            assert planes.shape == (6, 5, 5) and info["action_mask"].shape == (26,)
            assert "A B C D E" in env.render()
            assert go.position.to_play == info["color"]
            legal = np.flatnonzero(info["action_mask"])
            planes, reward, terminated, truncated, info = env.step(rng.choice(legal))
            ended = terminated or truncated
            assert ended or reward == 0
        expected = np.sign(go.position.score()) * info["color"]
        assert reward == expected and not info["action_mask"].any()
        rewards.append(reward)
    assert colors == {1, -1} and {1.0, -1.0} <= set(rewards)


def test_games_against_a_bot_repeat_and_illegal_moves_lose() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    import tengen.gymnasium  # noqa: F401

    def moves(seed: int) -> list[tuple[int, int]]:
        env = gymnasium.make("tengen/Go-7x7-v0", opponent="uct:simulations=20", color=-1)
        _, info = env.reset(seed=seed)
        for _ in range(6):
            _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
        return list(env.unwrapped.position.moves)

    assert moves(3) == moves(3) != moves(4)
    env = gymnasium.make("tengen/Go-5x5-v0", opponent=lambda position, seed: 0)
    env.reset(seed=0)
    env.step(12)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal_move"]) == (-1.0, True, False, True)
    with pytest.raises(ValueError, match="color"):
        gymnasium.make("tengen/Go-5x5-v0", color=2)


def test_a_game_of_gymnasium_begins_with_the_agent_and_ends_once() -> None:
    pytest.importorskip("gymnasium")
    from tengen.gymnasium import Go

    resigns = Go(5, "uct:simulations=1000,resign=0.1", color=-1, komi=40.5)
    with pytest.raises(ValueError, match="resigns before the agent's first move"):
        resigns.reset(seed=0)
    with pytest.raises(ValueError, match="the game is over"):
        resigns.step(np.int64(0))
    with pytest.raises(ValueError, match="ends before the agent's first move"):
        Go(5, "random", color=-1, max_plies=1).reset(seed=0)
    env = Go(3, lambda position, seed: position.points, max_plies=2)
    env.reset(seed=0)
    # Two passes end the game, though the limit of plies is reached.
    assert env.step(np.int64(9))[1:4] == (-1.0, True, False)
    env = Go(5, lambda position, seed: 0)
    for _ in range(2):
        env.reset(seed=0)
        env.step(np.int64(12))
        with pytest.raises(TypeError, match="float"):
            env.step(3.7)  # type: ignore[arg-type]
        assert env.step(np.int64(0))[2]
        with pytest.raises(ValueError, match="the game is over"):
            env.step(np.int64(13))


def test_gymnasium_accepts_the_environment() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import tengen.gymnasium as adapter

    check_env(adapter.Go(9, "random"), skip_render_check=True)
    envs = gymnasium.make_vec("tengen/Go-5x5-v0", num_envs=3, opponent="random")
    _, info = envs.reset(seed=1)
    planes, rewards, *_ = envs.step(info["action_mask"].argmax(axis=1))
    assert planes.shape == (3, 6, 5, 5) and rewards.shape == (3,)
