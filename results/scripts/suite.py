"""Measure Tengen's bots, GNU Go and the network of the manual's lesson on the suite.

    python results/scripts/suite.py OUT [GNUGO]

Makes three runs in the folder OUT: `bots` on all boards, `gnugo` on the square ones, which alone
GNU Go supports, and `network` on 5x5, where the lesson trains it, in about half a minute. GNUGO is
its program.
"""

import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import tengen

LESSON = Path(__file__).parents[2] / "docs" / "tutorials" / "train-a-network.md"


def main(out: Path, gnugo: str = "gnugo") -> None:
    """Make the runs."""
    budgets = [100, 1000, 10_000]
    searches = {
        f"{name}-{simulations}": f"{name}:simulations={simulations}"
        for name in ("plain", "uct", "strong")
        for simulations in budgets
    }
    bots = {"random": "random", "two-ply": "two-ply", **searches}
    tengen.suite(bot=bots, out=out / "bots", name="suite-bots", threads=1)
    command = "--mode gtp --level 10 --chinese-rules --play-out-aftermath --capture-all-dead"
    program = {"gnugo-10": f"gtp:{gnugo} {command}"}
    tengen.suite(
        bot=program, size=["3x3", "4x4", "5x5"], out=out / "gnugo", name="suite-gnugo", threads=1
    )
    trained = lesson(out)
    tengen.register.evaluator("learned", trained.network.judge, planes=trained.PLANES)
    tengen.register.evaluator("beginner", trained.begin()[1].judge, planes=trained.PLANES)
    networks = {
        "untrained-32": "uct:evaluator=beginner,simulations=32",
        "network-32": "uct:evaluator=learned,simulations=32",
        "plain-32": "plain:simulations=32",
    }
    tengen.suite(bot=networks, size="5x5", out=out / "network", name="suite-network", threads=1)


def lesson(out: Path) -> Any:
    """The lesson's script as a module, after its network was trained in `out`."""
    blocks = re.findall(r"```python\n(.*?)```", LESSON.read_text(encoding="utf-8"), re.DOTALL)
    # Under its name in sys.modules the script's class can be pickled.
    module = sys.modules["lesson"] = ModuleType("lesson")
    home = Path.cwd()
    os.chdir(out)
    try:
        # The last block is the match of the lesson.
        exec(compile("\n".join(blocks[:-1]), "lesson", "exec"), module.__dict__)
    finally:
        os.chdir(home)
    return module


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
