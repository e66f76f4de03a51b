"""The rules of WCAG that axe can check, in the views, light and dark, wide and narrow."""

import functools
import shutil
import subprocess
from pathlib import Path

from player import open_panel, press_button, rested, show
from webdriver import Skipped

AXE = "axe-core@4.11.0"

# Panels below the board, and what is there once they are complete.
PANELS = {
    "The tree": "document.querySelector('.tree .terms tbody tr')",
    "One simulation": "document.querySelector('.simulation .terms tbody tr')",
    "Owners and scores": "document.querySelector('.histogram .komi')",
    "Why this move?": "/Another seed/.test(document.querySelector('.why .facts').textContent)",
}
TARGET = Path(__file__).resolve().parents[2] / "target" / "npm"


@functools.cache
def axe():
    """The source of axe, which npm gets."""
    if shutil.which("npm") is None:
        raise Skipped("not installed: npm (apt-get install npm)")
    source = TARGET / "node_modules" / "axe-core" / "axe.min.js"
    if not source.exists():
        command = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", TARGET, AXE]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0 or not source.exists():
            raise Skipped(f"{AXE} cannot be had by npm")
    return source.read_text()


def violations(browser):
    found = browser.js(axe() + """; return axe.run(document, {
            resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: true } } })
        .then(({ violations }) => violations.map(({ id, nodes }) =>
            `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ")}`))""")
    return found


def assert_accessible(browser, what):
    for is_dark in (False, True):
        browser.dark(is_dark)
        found = violations(browser)
        assert found == [], (what, "dark" if is_dark else "light", found)


def test_axe_finds_no_fault_in_the_board(page):
    browser = page.browser
    axe()
    try:
        for width, height in [(1280, 800), (390, 844)]:
            browser.size(width, height)
            show(page, "#/play?white=person&moves=C3.D4")
            rested(browser)
            assert_accessible(browser, (width, "board"))
            press_button(browser, "Compare")
            press_button(browser, "Area")
            press_button(browser, "Analyse")
            browser.until("return document.querySelectorAll('.heat .disc').length > 9")
            press_button(browser, "Stop")
            assert_accessible(browser, (width, "analysis"))
            browser.press("n")
            browser.until("return document.querySelector('dialog[open]')")
            assert_accessible(browser, (width, "new game"))
            press_button(browser, "Cancel")
            show(page, "#/play?white=person&moves=E5.E5")
            browser.until("return document.querySelector('.notice:not([hidden])')")
            assert_accessible(browser, (width, "bad link"))
    finally:
        browser.dark(False)
        browser.size(1280, 900)


def test_axe_finds_no_fault_in_the_panels_and_the_keys(page):
    browser = page.browser
    axe()
    try:
        for width, height in [(1280, 800), (390, 844)]:
            browser.size(width, height)
            show(page, "#/play?white=person&moves=C3.D4")
            rested(browser)
            for title, shown in PANELS.items():
                open_panel(browser, title)
                browser.until(f"return {shown}", what=f"the contents of {title}")
                assert_accessible(browser, (width, title))
            press_button(browser, "Keys")
            browser.until("return document.querySelector('dialog[open]')")
            assert_accessible(browser, (width, "keys"))
            press_button(browser, "Close")
            show(page, "#/play?white=person&moves=C3.D4.pass.pass")
            browser.until("return document.querySelector('.status .dead')")
            assert_accessible(browser, (width, "end of a game"))
    finally:
        browser.dark(False)
        browser.size(1280, 900)


def test_axe_finds_no_fault_in_the_runs(page):
    browser = page.browser
    axe()
    try:
        browser.go("about:blank")
        browser.go(page.url + "#/runs")
        browser.until("return document.querySelectorAll('.runs tbody tr').length >= 2")
        assert_accessible(browser, "runs")
        browser.go(page.url + "#/run?name=finished")
        browser.until("return document.querySelector('.games tbody a')")
        assert_accessible(browser, "run")
        browser.go(page.url + "#/records")
        browser.until("return document.querySelectorAll('.runs tbody tr').length === 2"
                      " && document.title.startsWith('Records')")
        assert_accessible(browser, "records")
    finally:
        browser.dark(False)


ACCESSIBLE = [
    test_axe_finds_no_fault_in_the_board,
    test_axe_finds_no_fault_in_the_panels_and_the_keys,
]
ACCESSIBLE_RUNS = [test_axe_finds_no_fault_in_the_runs]
