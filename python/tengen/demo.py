"""Play the default tournament and print its table: ``python -m tengen.demo [FOLDER]``."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import tengen


def main(arguments: list[str]) -> int:
    """Play into the folder that `arguments` name, or into a temporary one."""
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tengen-") as scratch:
        run = tengen.tournament(out=arguments[0] if arguments else Path(scratch) / "default")
        # Leave out the last lines, which name the folder, if it is temporary.
        print(run.text.rstrip() if arguments else run.text.rstrip().rpartition("\n\n")[0])
        seconds = time.monotonic() - begin
        print(f"\n{len(run.games)} games in {seconds:.0f} s, seed {run.config['seed']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
