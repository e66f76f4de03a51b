"""What all tests share."""

from __future__ import annotations

import signal

# A shell has programs in its background ignore Ctrl-C, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)
