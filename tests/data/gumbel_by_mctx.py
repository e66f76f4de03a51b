"""Writes tests/data/gumbel_by_mctx.jsonl: what mctx computes at nodes of Gumbel searches, for crates/tengen-search/src/select/gumbel.rs.

    python -m venv env && env/bin/pip install mctx==0.0.71 "jax[cpu]"
    env/bin/python tests/data/gumbel_by_mctx.py > tests/data/gumbel_by_mctx.jsonl

Each line is a node of a search in a random game of two players. `values` and `raw` are those of the player to move, 0 to
1 (mctx has -1 to 1); a move without visits has the value 0.
"""

import functools
import json

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from mctx._src import action_selection, search

jax.config.update("jax_enable_x64", True)


def judged(state, actions):
    """Logits and value of a position of the random game, -1 to 1."""
    key = jax.random.PRNGKey(state)
    logits = 2 * jax.random.normal(key, (actions,), dtype=jnp.float64)
    value = jnp.tanh(jax.random.normal(jax.random.fold_in(key, 1), dtype=jnp.float64))
    return logits, value


def recurrent(actions, params, key, action, state):
    del params, key
    following = (state * 1_103_515_245 + 12_345 + 7_919 * action) % 2_147_483_648
    logits, value = jax.vmap(lambda one: judged(one, actions))(following)
    zeros = jnp.zeros_like(value)
    output = mctx.RecurrentFnOutput(
        reward=zeros, discount=zeros - 1, prior_logits=logits, value=value
    )
    return output, following


def node(tree, index):
    visits = tree.children_visits[0, index]
    values = one(tree).qvalues(index)
    return {
        "priors": jax.nn.softmax(tree.children_prior_logits[0, index]).tolist(),
        "visits": visits.tolist(),
        "values": np.where(visits > 0, (values + 1) / 2, 0).tolist(),
        "raw": (float(tree.raw_values[0, index]) + 1) / 2,
    }


def one(tree):
    return jax.tree_util.tree_map(lambda array: array[0], tree)


def main():
    draws = np.random.default_rng(1)
    for case in range(40):
        actions, planned = int(draws.integers(2, 14)), int(draws.integers(2, 70))
        moves, made = int(draws.integers(1, 17)), int(draws.integers(1, planned))
        is_rescaled, scale = case % 2 == 0, float(draws.choice([0.05, 0.1, 0.5]))
        transform = functools.partial(
            mctx.qtransform_completed_by_mix_value,
            value_scale=scale,
            maxvisit_init=50.0,
            rescale_values=is_rescaled,
        )
        state = jnp.array([case + 1], dtype=jnp.int64)
        logits, value = jax.vmap(lambda one: judged(one, actions))(state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        gumbel = jax.random.gumbel(jax.random.PRNGKey(case + 500), logits.shape, jnp.float64)
        select_root = functools.partial(
            action_selection.gumbel_muzero_root_action_selection,
            num_simulations=planned,
            max_num_considered_actions=moves,
            qtransform=transform,
        )
        select_interior = functools.partial(
            action_selection.gumbel_muzero_interior_action_selection, qtransform=transform
        )
        key = jax.random.PRNGKey(0)
        tree = search.search(
            params=(),
            rng_key=key,
            root=root,
            recurrent_fn=functools.partial(recurrent, actions),
            root_action_selection_fn=select_root,
            interior_action_selection_fn=select_interior,
            num_simulations=made,
            extra_data=action_selection.GumbelMuZeroExtraData(root_gumbel=gumbel),
        )
        parameters = {
            "is_rescaled": is_rescaled,
            # Differences of values from 0 to 1 are half of those from -1 to 1.
            "scale": scale if is_rescaled else 2 * scale,
            "moves": moves,
            "planned": planned,
        }
        weights = jax.nn.softmax(tree.children_prior_logits[0, 0] + transform(one(tree), 0))
        print(
            json.dumps(
                parameters
                | node(tree, 0)
                | {
                    "draws": gumbel[0].tolist(),
                    "policy": weights.tolist(),
                    "selected": int(select_root(key, one(tree), 0)),
                }
            )
        )
        inner = [i for i in range(1, made + 1) if tree.children_visits[0, i].sum() > 0][:2]
        for index in inner:
            weights = jax.nn.softmax(
                tree.children_prior_logits[0, index] + transform(one(tree), index)
            )
            selected = int(select_interior(key, one(tree), index, 1))
            print(
                json.dumps(
                    parameters
                    | node(tree, index)
                    | {"draws": [], "policy": weights.tolist(), "selected": selected}
                )
            )


main()
