"""Runs that are started, stopped, resumed and extended from the page."""

import json
import subprocess
import time
import tomllib
import urllib.request

from cases.accessible import assert_accessible, axe
from player import press_button
from webdriver import PATIENCE

BADGE = "return document.querySelector('.about .badge')?.textContent"
FAULT = "return document.querySelector('dialog .fault')?.textContent"
PLAN = "return document.querySelector('dialog .plan')?.textContent"

SMALL = {"Size": "5", "Pairs": "1"}


def open_form(page):
    browser = page.browser
    browser.go("about:blank")
    browser.go(page.url + "#/runs")
    press_button(browser, "New run")
    browser.until("return document.querySelector('dialog[open]')")


def fill(browser, label, value):
    """Fills in a field of the form by its label."""
    browser.js("""const label = [...document.querySelectorAll("dialog label")]
            .find((one) => one.textContent === arguments[0]);
        const field = document.getElementById(label.htmlFor);
        field.value = arguments[1];
        field.dispatchEvent(new Event("change"));""", label, value)


def choose_bots(browser, *specs):
    """Makes these the only bots of the form, given as specifications."""
    browser.js("""for (const one of document.querySelectorAll("dialog [aria-label^='Remove Bot']")) one.click();
        for (const spec of arguments) {
            [...document.querySelectorAll("dialog button")].find((one) => one.textContent === "Add a bot").click();
            const bot = [...document.querySelectorAll("dialog .bots .field")].at(-1);
            bot.querySelector("select").value = "";
            bot.querySelector("select").dispatchEvent(new Event("change"));
            const input = bot.querySelector("input");
            input.value = spec;
            input.dispatchEvent(new Event("change"));
        }""", *specs)


def await_state(browser, state):
    browser.until(f"{BADGE} === arguments[0]", state, what=f"the run is {state}")


def await_games(folder, count):
    deadline = time.monotonic() + PATIENCE
    while not folder.joinpath("games.csv").exists() or len(
            folder.joinpath("games.csv").read_text().splitlines()) <= count:
        assert time.monotonic() < deadline, "no game is played"
        time.sleep(0.05)


def test_a_tournament_is_started_and_extended(page):
    browser, folder = page.browser, page.runs / "by-form"
    open_form(page)
    choose_bots(browser, "random", "x=random")
    for label, value in {"Name": "by-form", **SMALL}.items():
        fill(browser, label, value)
    browser.until(f"{PLAN}.includes('2 games')")
    press_button(browser, "Start")
    browser.until("return location.hash === '#/run?name=by-form'")
    await_state(browser, "finished")
    config = tomllib.loads((folder / "config.toml").read_text())
    assert [bot["kind"] for bot in config["bot"]] == ["random", "random"], config
    assert len((folder / "games.csv").read_text().splitlines()) == 3
    fill_extent = """const field = document.querySelector(".control input");
        if (!field.offsetParent || field.value !== "2") return false;
        field.value = "3";
        return true"""
    browser.until(fill_extent)
    press_button(browser, "Extend")
    browser.until("return document.querySelector('.about .count').textContent.includes('6 of 6')")
    await_state(browser, "finished")
    # The name is taken now, and the form keeps all typed values.
    open_form(page)
    fill(browser, "Name", "by-form")
    fill(browser, "Seed", "7")
    press_button(browser, "Start")
    browser.until(f"{FAULT}.includes('another `name`')")
    assert browser.js("""return [...document.querySelectorAll("dialog input")]
        .some((one) => one.value === "7")""")
    press_button(browser, "Cancel")


def test_a_run_is_stopped_and_resumed(page):
    browser, folder = page.browser, page.runs / "long"
    open_form(page)
    # A stopped sequential test does not count as decided.
    choose_bots(browser, "two-ply", "x=two-ply")
    for label, value in {"Name": "long", "Size": "9", "Pairs": "100000", "Threads": "1",
                         "Sprt": "elo0=0 elo1=0.1"}.items():
        fill(browser, label, value)
    browser.until(f"{PLAN}.includes('200000 games')")
    assert browser.js(f"{PLAN}.match(/about [0-9]+ [a-z]+ on 1 thread/)")
    press_button(browser, "Start")
    browser.until("return location.hash === '#/run?name=long'")
    await_state(browser, "playing")
    await_games(folder, 2)
    for _ in range(2):
        press_button(browser, "Stop")
        await_state(browser, "stopped")
        games = len((folder / "games.csv").read_text().splitlines())
        time.sleep(1)
        assert len((folder / "games.csv").read_text().splitlines()) == games
        press_button(browser, "Resume")
        await_state(browser, "playing")
        await_games(folder, games)
    press_button(browser, "Stop")
    await_state(browser, "stopped")


def test_a_wrong_value_is_refused_in_the_form(page):
    browser = page.browser
    open_form(page)
    fill(browser, "Name", "wrong")
    fill(browser, "Pairs", "many")
    browser.until(f"{FAULT}.includes('`pairs`')")
    press_button(browser, "Start")
    browser.until("return document.activeElement.value === 'many'")
    assert browser.js("return document.activeElement.getAttribute('aria-invalid')") == "true"
    fill(browser, "Pairs", "2")
    browser.until(f"{FAULT} === ''")
    choose_bots(browser, "random", "gtp:sh")
    browser.until(f"{FAULT}.includes('other programs')")
    fill(browser, "Kind", "tune")
    browser.until(PLAN)
    assert "validation" in browser.js(PLAN)
    press_button(browser, "Cancel")
    assert not (page.runs / "wrong").exists()


def test_no_run_is_started_where_that_is_not_allowed(page):
    server = subprocess.Popen([page.tengen, "serve", "--port", "0", "--runs", page.runs],
                              stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().split()[-1]
        with urllib.request.urlopen(url + "api/experiments", timeout=60) as answer:
            assert json.load(answer) == {"allowed": False, "kinds": []}
        listen = [page.tengen, "serve", "--allow-runs", "--listen", "0.0.0.0", "--port", "0"]
        refused = subprocess.run(listen, capture_output=True, text=True, timeout=60)
        assert refused.returncode == 2 and refused.stderr.count("\n") == 1, refused
        # Discard the requests of this page, before the tested page begins.
        page.browser.requested()
        page.browser.go("about:blank")
        page.browser.go(url + "#/runs")
        page.browser.until("return document.querySelectorAll('.runs tbody tr').length >= 2")
        time.sleep(0.5)
        assert page.browser.js("return document.querySelector('.heading button').hidden")
        page.browser.go("about:blank")
        page.browser.requested()
    finally:
        server.kill()
        server.wait()


def test_axe_finds_no_fault_in_the_form(page):
    browser = page.browser
    axe()
    try:
        for width, height in [(1280, 800), (390, 844)]:
            browser.size(width, height)
            open_form(page)
            browser.until(PLAN)
            assert_accessible(browser, (width, "new run"))
            browser.js("document.querySelector('dialog details').open = true")
            assert_accessible(browser, (width, "more settings"))
            assert browser.js("""const { scrollWidth, clientWidth } = document.querySelector("dialog");
                return scrollWidth - clientWidth""") <= 0, width
            press_button(browser, "Cancel")
    finally:
        browser.dark(False)
        browser.size(1280, 900)


START = [
    test_a_tournament_is_started_and_extended,
    test_a_run_is_stopped_and_resumed,
    test_a_wrong_value_is_refused_in_the_form,
    test_no_run_is_started_where_that_is_not_allowed,
    test_axe_finds_no_fault_in_the_form,
]
