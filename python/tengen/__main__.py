"""The program ``tengen``, from Python: ``python -m tengen tournament --size 5``, or ``tengen ...``
where the package is installed."""

import signal
import sys

from tengen import _tengen


def main() -> None:
    """Run the program with this process's arguments, and exit with its exit code."""
    # Leave Ctrl-C to the program: Python would handle it only at the end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_tengen.main(["tengen", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
