"""The program ``tengen``, from Python: ``python -m tengen tournament --size 5``, or ``tengen ...``
where the package is installed."""

import signal
import sys

from tengen import _tengen


def main() -> None:
    """Run the program with the arguments of the process, and end the process."""
    # Ctrl-C is for the program: Python would hear of it at the end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_tengen.main(["tengen", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
