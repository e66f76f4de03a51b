"""Setup for all tests."""

from __future__ import annotations

import signal

# Some tests send Ctrl-C, which programs in the background of a shell ignore.
signal.signal(signal.SIGINT, signal.default_int_handler)
