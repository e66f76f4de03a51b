"""A worker process of ``executor="processes:N"``: blocks on standard input, answers on standard
output, each after its number of bytes. The end of the input ends the process."""

from __future__ import annotations

import importlib
import os
import sys

from tengen._executor import SIZE, make_block


def main() -> None:
    """Make blocks until standard input ends."""
    # What imported modules print must not mix with the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for module in sys.argv[1:]:
        # Find modules as a script in the folder of the run's start does.
        sys.path.insert(0, os.getcwd())
        importlib.import_module(module)
    blocks = sys.stdin.buffer
    while len(size := blocks.read(SIZE.size)) == SIZE.size:
        answer = make_block(blocks.read(SIZE.unpack(size)[0]))
        try:
            answers.write(SIZE.pack(len(answer)) + answer)
            answers.flush()
        except BrokenPipeError:
            # The coordinator is gone; the buffer cannot be written at the end either.
            os._exit(1)


if __name__ == "__main__":
    main()
