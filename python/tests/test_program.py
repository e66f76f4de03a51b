"""The program `tengen` of the package."""

import subprocess
import sys
import time
from pathlib import Path
from signal import SIGINT

import pytest

INSTALLED = str(Path(sys.executable).parent / "tengen")


def tengen(*words: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tengen", *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False)


def test_a_run_from_the_command_line(tmp_path: Path) -> None:
    words = ["--size=4", "--pairs=1", "--bot=random", "--bot=two-ply", f"--out={tmp_path / 'run'}"]
    made = tengen("tournament", *words)
    assert made.returncode == 0 and "2 games in" in made.stdout and made.stderr == ""
    again = subprocess.run(
        [INSTALLED, "tournament", "--report", tmp_path / "run"], capture_output=True, text=True
    )
    assert again.returncode == 0 and again.stdout == made.stdout, again.stderr


def test_it_talks_and_has_exit_codes() -> None:
    talked = tengen("gtp", "--bot=random", given="boardsize 5\nname\nquit\n")
    assert (
        talked.returncode == 0 and talked.stdout.startswith("=") and talked.stdout.count("=") == 3
    )
    refused = tengen("tournament", "--size=99")
    assert refused.returncode == 2 and refused.stderr.startswith("error: ")
    assert refused.stderr.count("\n") == 1 and "Traceback" not in refused.stderr


@pytest.mark.parametrize("words", [["gtp"], ["analyze", "--bot=uct:simulations=1000000000"]])
def test_an_interrupt_ends_it(words: list[str]) -> None:
    command = [sys.executable, "-m", "tengen", *words]
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(1.5)
    assert child.poll() is None
    child.send_signal(SIGINT)
    assert child.wait(timeout=20) != 0
    child.communicate()
