"""The progress of long work, in a terminal or a notebook."""

from __future__ import annotations

import importlib
import sys
import time
import warnings
from typing import Any

EVERY = 30.0
"""Seconds between two progress lines if standard error is no terminal and tqdm is not installed."""


class Progress:
    """Shows progress by tqdm if that is installed, else by a line on standard error."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown
        self._units = ""
        self._bar: Any = None
        self._last = time.monotonic()
        self._is_open = False
        self._tqdm: Any = None
        if is_shown:
            try:
                self._tqdm = importlib.import_module("tqdm.auto").tqdm
            except ImportError:
                pass

    def show(self, done: int, all: int, units: str, message: str) -> None:
        """Show that `done` of `all` are done."""
        if self._tqdm is None:
            self._line(f"{done} of {all} {units}{message}")
            return
        if self._bar is None or units != self._units:
            self.close()
            self._bar = self._tqdm(
                total=all, initial=done, unit=" " + units, desc=units, leave=False
            )
            self._units = units
        self._bar.total, self._bar.n = all, done
        self._bar.set_postfix_str(message.removeprefix(", "), refresh=False)
        self._bar.refresh()

    def note(self, line: str) -> None:
        """Show `line`, which is a warning, or progress in words."""
        line = line.strip()
        if line.startswith("warning: "):
            warnings.warn(line.removeprefix("warning: "), stacklevel=4)
        elif not self._is_shown:
            pass
        elif self._tqdm is None or self._bar is None:
            self._line(line)
        else:
            self._bar.write(line, file=sys.stderr)

    def close(self) -> None:
        """Remove the bar or the line from the screen."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self._is_open:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._is_open = False

    def _line(self, line: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{line[:200]}", end="", file=sys.stderr, flush=True)
            self._is_open = True
        elif time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            print(line, file=sys.stderr, flush=True)
