"""What a person does and sees at the page: clicks, keys and the address."""

import subprocess
import time
from pathlib import Path

from webdriver import PATIENCE


def text(browser, selector):
    return browser.js("return document.querySelector(arguments[0]).textContent", selector)


def backend(page):
    """The address of the module that answers, beside the main module. Without a server, the name of
    their folder has a hash."""
    return page.browser.js("""const main = document.querySelector("script[type=module]").src;
        return new URL("backend.js", main).href""")


def address(browser):
    """What the address says of the game."""
    script = "return [...new URLSearchParams(location.hash.split('?')[1] ?? '')]"
    return dict(browser.js(script))


def moves(browser):
    return [move for move in address(browser).get("moves", "").split(".") if move]


def show(page, hash_="#/play?size=5x5"):
    """Opens a position, as a link does."""
    page.browser.go("about:blank")
    page.browser.go(page.url + hash_)
    page.browser.until("return document.querySelector('.status') !== null"
                       " && !document.querySelector('.status').textContent.startsWith('Loading')",
                       what="the board is loaded")
    # Record all messages, since the page shows each for a few seconds only.
    page.browser.js("""window.heard = [];
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes)
                for (const { textContent } of addedNodes) if (textContent) window.heard.push(textContent);
        }).observe(document.getElementById("said"), { childList: true });""")


def turn(browser):
    """Waits for a person's turn or the end of the game; returns whether the game continues."""
    script = """
        const button = (name) =>
            [...document.querySelectorAll("button")].find((one) => one.textContent === name);
        const status = document.querySelector(".status strong").textContent;
        return /wins|Jigo/.test(status) ? "over" : button("Pass").disabled ? "" : "on";"""
    return browser.until(script, what="the bot's move") == "on"


def press_button(browser, name):
    """Presses the button called `name` once it is there and can be pressed."""
    browser.until("""const button = [...document.querySelectorAll("button")]
            .find((one) => one.textContent === arguments[0] && !one.disabled);
        button?.click();
        return button !== undefined""", name, what=f"the button {name}")


def open_panel(browser, title):
    """Opens a panel: one below the board, or one at its side."""
    browser.js("""const own = (one) => one.textContent === arguments[0];
        const tab = [...document.querySelectorAll(".tabs button")].find(own);
        const summary = [...document.querySelectorAll(".panel > summary")].find(own);
        if (tab?.ariaExpanded === "false") tab.click();
        else if (!tab && !summary.parentElement.open) summary.click();""", title)


def pass_to_the_end(browser):
    """Passes at each turn of a person until the game is over."""
    while turn(browser):
        before = len(moves(browser))
        browser.press("p")
        browser.until("return (new URLSearchParams(location.hash.split('?')[1]).get('moves')"
                      " ?? '').split('.').filter((move) => move).length > arguments[0]", before,
                      what="a pass")


def click(browser, point):
    browser.click(f".boards figure:first-child [id$='-{point}'] rect")


def said(browser, part):
    """Waits until the page says something with `part`, since the last time this was called or
    since `show`."""
    browser.until("""const all = [...(window.heard ?? []), document.getElementById("said").textContent];
        const has = all.some((one) => one.includes(arguments[0]));
        if (has && window.heard) window.heard.length = 0;
        return has""", part, what=f"`{part}` is said")


def rested(browser):
    """Waits until all actions are done and no bot is to move."""
    browser.until("return document.querySelector('.play').dataset.waiting === '0'"
                  " && document.querySelectorAll('.thinking').length === 0", what="rest")


def saved(page, ending=".sgf", button="#save-record"):
    """Saves the record, or the file of another button; returns the file's name and text."""
    browser = page.browser
    folder = Path(browser.profile.name)
    browser.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    for file in folder.glob(f"*{ending}"):
        file.unlink()
    browser.click(button)
    deadline = time.monotonic() + PATIENCE
    # The file gets its name before its contents.
    while (not (found := [file for file in folder.glob(f"*{ending}") if file.stat().st_size])
           and time.monotonic() < deadline):
        time.sleep(0.05)
    return found[0].name, found[0].read_text(encoding="utf-8")


def saved_record(page):
    """The record as the page saves it."""
    return saved(page)[1]


def empty_points(browser):
    script = """return [...document.querySelectorAll(".boards figure:first-child [data-at]")]
        .filter((cell) => cell.getAttribute("aria-label").includes(", empty"))
        .map((cell) => cell.id.split("-")[2])"""
    return browser.js(script)


def to_sgf(page):
    """The game of the address as SGF, written here and not by the page."""
    state, letters = address(page.browser), "abcdefghijklmnopqrs"
    columns = "ABCDEFGHJKLMNOPQRST"
    height = int(state.get("size", "5x5").split("x")[1])
    text_ = f"(;GM[1]FF[4]SZ[{height}]KM[{state.get('komi', '2.5')}]RU[Chinese]"
    for number, move in enumerate(moves(page.browser)):
        point = "" if move == "pass" else (
            letters[columns.index(move[0])] + letters[height - int(move[1:])])
        text_ += f";{'BW'[number % 2]}[{point}]"
    return text_ + ")"


def assert_scored(page):
    """The score on the page is the one that `tengen score` counts."""
    counted = subprocess.run([page.tengen, "score", "-"], input=to_sgf(page), text=True,
                             capture_output=True, check=True).stdout
    shown = text(page.browser, ".status span")
    result = shown.rsplit(" ", 1)[1]
    assert result in counted, f"{shown}\n{counted}"
    shaded = page.browser.js("""return document.querySelectorAll(
        ".boards figure:first-child .area rect").length""")
    stones = 25 - len(empty_points(page.browser))
    words = shown.replace(",", "").split()
    assert shaded == int(words[2]) + int(words[4]) - stones, (shown, shaded, stones)


def play_by_clicks(page, bot, own=9):
    browser = page.browser
    show(page, f"#/play?white={bot}")
    wanted = ["C3", "C2", "C4", "B3", "D3", "B2", "D4", "B4", "D2"]
    for point in wanted[:own]:
        if not turn(browser):
            break
        if point in empty_points(browser):
            before = len(moves(browser))
            click(browser, point)
            browser.until("return (new URLSearchParams(location.hash.split('?')[1]).get('moves')"
                          " ?? '').split('.').length > arguments[0]", before)
    pass_to_the_end(browser)
    assert len(moves(browser)) > 6
    assert_scored(page)
