"""The board in sight: overlays on it, panels beside and below it, and on phones."""

from cases.think import THINK
from player import (
    address, backend, click, empty_points, moves, open_panel, press_button, rested, said, show, text,
)

NINE = "#/play?size=9x9&white=person&moves=E5.C4.G6.D7"
SMALL = "#/play?size=5x5&white=person&moves=C3.B2"
ABOVE = """return ["disc", "path", "ring"].filter((name) =>
    document.querySelector(`.boards figure:first-child .heat .${name}`) !== null)"""
OVERLAY = "return document.querySelector('#overlay').value"
# Whether an element lies wholly in the window.
IN_SIGHT = """const box = document.querySelector(arguments[0]).getBoundingClientRect();
    return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1"""
BOARD = ".boards figure:first-child .goban"
# Whether boards and panels share no part of the window.
IS_APART = """const boards = document.querySelector(".boards").getBoundingClientRect();
    return [".tabs", "#dock"].every((name) => {
        const box = document.querySelector(name).getBoundingClientRect();
        return boards.bottom <= box.top + 1 || box.bottom <= boards.top + 1;
    })"""


def choose_overlay(browser, value):
    browser.js("""const field = document.querySelector("#overlay");
        field.value = arguments[0];
        field.dispatchEvent(new Event("change"))""", value)
    rested(browser)


def test_one_thing_lies_above_the_stones(page):
    browser = page.browser
    show(page, SMALL)
    press_button(browser, "Analyse")
    browser.until("return document.querySelectorAll('.heat .disc').length > 5")
    press_button(browser, "Stop")
    rested(browser)
    assert browser.js(ABOVE) == ["disc"]
    # Opening the tree replaces the discs by its own overlay, and says so.
    open_panel(browser, "The tree")
    browser.until("return document.querySelector('.heat .path')")
    assert (browser.js(ABOVE), browser.js(OVERLAY)) == (["path"], "tree")
    assert "principal variation" in text(browser, ".overlay .note")
    choose_overlay(browser, "visits")
    assert browser.js(ABOVE) == ["disc"]
    assert "simulations" in text(browser, ".overlay .note")
    visits = browser.js("return document.querySelector('.heat .best + text').textContent")
    choose_overlay(browser, "rates")
    rate = browser.js("return document.querySelector('.heat .best + text').textContent")
    assert "." in rate and "." not in visits, (rate, visits)
    choose_overlay(browser, "none")
    assert browser.js(ABOVE) == []
    # Choosing an overlay that a panel draws opens this panel; closing the panel removes the
    # overlay.
    choose_overlay(browser, "owners")
    browser.until("return document.querySelectorAll('.heat rect').length === 25")
    assert "leads by" in text(browser, ".overlay .note")
    press_button(browser, "Owners and scores")
    rested(browser)
    assert (browser.js(OVERLAY), browser.js(ABOVE)) == ("visits", ["disc"])


def luminance(color):
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
              for c in (part / 255 for part in color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_texts_on_discs_can_be_read(page):
    browser = page.browser
    script = """const rgb = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const wood = rgb(getComputedStyle(document.querySelector(".wood")).fill);
        return [...document.querySelectorAll(".heat .rate")].map((text) => {
            const disc = text.previousElementSibling;
            const own = rgb(getComputedStyle(disc).fill);
            return [rgb(getComputedStyle(text).fill), own, Number(disc.getAttribute("fill-opacity")), wood];
        })"""
    try:
        for is_dark in (False, True):
            browser.dark(is_dark)
            # A search that visits many moves.
            show(page, NINE + "&a=uct:rave=none,prior=none,exploration=1")
            press_button(browser, "Analyse")
            browser.until("return document.querySelectorAll('.heat .rate').length > 9")
            press_button(browser, "Stop")
            shown = browser.js(script)
            for ink, disc, opacity, wood in shown:
                ground = [opacity * a + (1 - opacity) * b for a, b in zip(disc, wood)]
                assert contrast(ink, ground) >= 4.4, (is_dark, ink, disc, opacity)
    finally:
        browser.dark(False)


def test_the_board_stays_in_sight(page):
    browser = page.browser
    try:
        for width, height in [(1280, 800), (1920, 1080)]:
            browser.size(width, height)
            show(page, NINE)
            assert browser.js(IN_SIGHT, BOARD), (width, "at first")
            for part in (".walk", ".status", ".place"):
                assert browser.js(IN_SIGHT, part), (width, part)
            browser.js("scrollTo(0, document.documentElement.scrollHeight)")
            assert browser.js(IN_SIGHT, BOARD), (width, "at the end of the page")
            for panel in ("The tree", "One simulation", "Why this move?"):
                open_panel(browser, panel)
                rested(browser)
                browser.until("return document.querySelector('#dock table tbody tr') !== null")
                assert browser.js(IN_SIGHT, BOARD), (width, panel)
                wide = browser.js("""return [document.documentElement,
                    ...document.querySelectorAll("#dock .scroll")].filter((one) =>
                    one.scrollWidth > one.clientWidth + 1).map((one) => one.className)""")
                assert wide == [], (width, panel, wide)
        # The urgency comes first, then its terms.
        open_panel(browser, "The tree")
        browser.until("return document.querySelector('.terms thead th') !== null")
        head = browser.js("return [...document.querySelectorAll('.terms thead th')].map((one) => one.textContent)")
        assert head[:3] == ["move", "urgency", "from win rate"], head
    finally:
        browser.size(1280, 900)


def test_no_board_lies_above_a_panel(page):
    browser = page.browser
    try:
        for width, height in [(1280, 720), (1024, 768), (1024, 600), (844, 390)]:
            browser.size(width, height)
            for has_two in (False, True):
                browser.go("about:blank")
                show(page, NINE)
                if has_two:
                    press_button(browser, "Compare")
                browser.js("scrollTo(0, document.documentElement.scrollHeight)")
                open_panel(browser, "Analysis of the game")
                for place in (0, 99999):
                    browser.js("scrollTo(0, arguments[0])", place)
                    rested(browser)
                    assert browser.js(IS_APART), (width, height, has_two, place)
    finally:
        browser.size(1280, 900)


def test_a_phone_on_its_side_has_two_columns(page):
    browser = page.browser
    try:
        browser.size(844, 390)
        show(page, NINE)
        assert browser.js(IN_SIGHT, BOARD)
        left = browser.js("return document.querySelector('.state').getBoundingClientRect().left")
        right = browser.js("return document.querySelector(arguments[0]).getBoundingClientRect().right", BOARD)
        assert left > right, (left, right)
        browser.size(390, 844)
        show(page, NINE)
        assert browser.js(IN_SIGHT, BOARD) and browser.js(IN_SIGHT, ".walk")
    finally:
        browser.size(1280, 900)


TOUCH = """const cell = document.querySelector(`.boards figure:first-child [id$='-${arguments[0]}']`);
    cell.dispatchEvent(new PointerEvent("click", { bubbles: true, pointerType: "touch" }))"""
CONFIRM = "return [...document.querySelectorAll('.toolbar button')].find((one) => /^Play [A-T]/.test(one.textContent))"


def test_a_finger_aims_and_confirms_on_large_boards(page):
    browser = page.browser
    show(page, "#/play?size=13x13&white=person")
    browser.js(TOUCH, "D4")
    assert browser.js(f"{CONFIRM}?.textContent") == "Play D4"
    assert moves(browser) == []
    browser.js(TOUCH, "E5")
    press_button(browser, "Play E5")
    rested(browser)
    assert moves(browser) == ["E5"]
    assert browser.js(f"{CONFIRM}?.hidden ?? true")
    # On a small board with large points a tap plays.
    show(page, "#/play?size=5x5&white=person")
    browser.js(TOUCH, "C3")
    rested(browser)
    assert moves(browser) == ["C3"]


def test_why_this_move(page):
    browser = page.browser
    show(page, SMALL)
    open_panel(browser, "Why this move?")
    browser.until("return /^It plays/.test(document.querySelector('.why .facts').textContent)")
    rows = browser.js("""return [...document.querySelectorAll(".influence tbody tr")].map((row) =>
        [...row.children].map((cell) => cell.textContent))""")
    bots = {"as it is": "uct", "without exploration": "uct:exploration=0",
            "without RAVE": "uct:rave=none", "without prior": "uct:prior=none",
            "with uniform playouts": "uct:policy=uniform", "with another seed": "uct"}
    assert [row[0] for row in rows] == list(bots), rows
    game = {"size": "5x5", "rules": "tengen", "handicap": 0, "setup": "", "first": "black",
            "moves": "C3.B2"}
    best, before = None, None
    for name, plays, share, of_first, change in rows:
        seed = 2 if name == "with another seed" else 1
        question = {"game": game, "bot": bots[name], "purpose": "analysis", "seed": seed,
                    "simulations": 1000}
        found = browser.js(THINK, backend(page), question)["moves"]
        visits = sum(one["visits"] for one in found)
        shares = {one["move"]: one["visits"] / visits for one in found}
        best = best or found[0]["move"]
        before = shares[best] if before is None else before
        assert plays == found[0]["move"] and share == f"{100 * shares[plays]:.1f} %", (name, share)
        assert of_first == f"{100 * shares.get(best, 0):.1f} %", (name, of_first)
        if name != "as it is":
            points = 100 * (shares.get(best, 0) - before)
            assert float(change.replace("−", "-").split(" ")[0]) - points < 0.051, (name, change)
    assert browser.js(OVERLAY) == "influence"
    assert browser.js("return document.querySelectorAll('.heat .disc').length") > 2


def test_a_setting_that_cannot_be_taken_off_is_left_out(page):
    browser = page.browser
    show(page, SMALL)
    browser.js("""const own = window.fetch;
        const isRefused = (path, body) => String(path).endsWith("settings") && /rave=none/.test(body);
        window.fetch = (path, options) => isRefused(path, options?.body)
            ? Promise.resolve(new Response("no", { status: 400 })) : own(path, options);""")
    open_panel(browser, "Why this move?")
    browser.until("return /^It plays/.test(document.querySelector('.why .facts').textContent)")
    labels = browser.js("return [...document.querySelectorAll('.influence tbody tr')].map((row) => row.dataset.label)")
    assert "without RAVE" not in labels and len(labels) == 5, labels


def test_the_last_move_is_explained_by_the_search_before_it(page):
    browser = page.browser
    show(page, SMALL)
    open_panel(browser, "Why this move?")
    done = "return /Another seed/.test(document.querySelector('.why .facts').textContent)"
    browser.until(done)
    browser.js("""const field = document.querySelector(".why select");
        field.value = "last";
        field.dispatchEvent(new Event("change"))""")
    browser.until("return / The game has /.test(document.querySelector('.why .facts').textContent)")
    game = {"size": "5x5", "rules": "tengen", "handicap": 0, "setup": "", "first": "black",
            "moves": "C3"}
    question = {"game": game, "bot": "uct", "purpose": "analysis", "seed": 1, "simulations": 1000}
    best = browser.js(THINK, backend(page), question)["moves"][0]["move"]
    answer = text(browser, ".why .facts")
    assert answer.startswith(f"It plays {best} ") and best != "B2", answer
    assert answer.endswith("The game has B2."), answer
    # The board shows the position before the move.
    assert "B2" in empty_points(browser)


def test_what_a_bot_thought_does_not_lie_on_the_board_at_a_persons_turn(page):
    browser = page.browser
    show(page, "#/play?size=5x5&black=person&white=uct:simulations=300")
    click(browser, "C3")
    browser.until("return location.hash.includes('moves=C3.')")
    rested(browser)
    assert browser.js(ABOVE) == []
    assert "your turn" in text(browser, ".overlay .note")
    # The table still shows the search.
    assert "the search before" in text(browser, ".findings .figures")
    press_button(browser, "Analyse")
    browser.until("return document.querySelectorAll('.heat .disc').length > 3")


def test_nothing_is_analysed_after_the_end(page):
    browser = page.browser
    show(page, "#/play?size=5x5&white=person&moves=C3.pass.pass")
    button = "return document.querySelector('.analysis button')"
    assert browser.js(f"{button}.disabled") and text(browser, ".analysis button") == "Analyse"
    browser.press(" ")
    said(browser, "the game is over here")
    press_button(browser, "Back")
    rested(browser)
    press_button(browser, "Analyse")
    browser.until("return document.querySelectorAll('.heat .disc').length > 3")
    press_button(browser, "Last")
    rested(browser)
    assert text(browser, ".analysis button") == "Analyse"


def test_a_click_while_a_bot_thinks_is_answered(page):
    browser = page.browser
    show(page, "#/play?size=9x9&black=uct:seconds=20&white=person")
    click(browser, "A1")
    said(browser, "it is the turn of uct:seconds=20")


def test_the_solver_says_what_is_not_proved(page):
    browser = page.browser
    show(page, "#/play?size=5x5&black=solver:nodes=2000&white=person&seed=5")
    browser.until("return location.hash.includes('moves=')")
    rested(browser)
    first = moves(browser)
    assert "not proved" in text(browser, ".status"), text(browser, ".status")
    assert first != ["A1"], first
    show(page, "#/play?size=3x3&komi=0.5&rules=simple&black=solver&white=person")
    browser.until("return location.hash.includes('moves=B2')")
    assert "not proved" not in text(browser, ".status")


def test_colours_and_coordinates_are_chosen(page):
    browser = page.browser
    try:
        show(page, SMALL)
        ground = "return getComputedStyle(document.documentElement).backgroundColor"
        light = browser.js(ground)
        browser.js("""const field = document.querySelector("#theme");
            field.value = "dark";
            field.dispatchEvent(new Event("change"))""")
        assert browser.js(ground) != light
        browser.js("document.querySelector('#coordinates').click()")
        shown = "return getComputedStyle(document.querySelector('.lines text')).display"
        assert browser.js(shown) == "none"
        show(page, SMALL)
        assert browser.js(ground) != light and browser.js(shown) == "none", "they are kept"
    finally:
        browser.js("localStorage.clear()")
        show(page, SMALL)


def test_a_link_holds_the_whole_game(page):
    browser = page.browser
    show(page, SMALL)
    browser.js("""navigator.clipboard.writeText = (text) => {
        window.copied = text;
        return Promise.resolve();
    }""")
    press_button(browser, "Copy link")
    copied = browser.until("return window.copied")
    assert "moves=C3.B2" in copied, copied
    show(page, copied[copied.index("#"):])
    assert address(browser)["moves"] == "C3.B2"


BOARDS = [
    test_one_thing_lies_above_the_stones,
    test_texts_on_discs_can_be_read,
    test_the_board_stays_in_sight,
    test_no_board_lies_above_a_panel,
    test_a_phone_on_its_side_has_two_columns,
    test_a_finger_aims_and_confirms_on_large_boards,
    test_why_this_move,
    test_the_last_move_is_explained_by_the_search_before_it,
    test_what_a_bot_thought_does_not_lie_on_the_board_at_a_persons_turn,
    test_nothing_is_analysed_after_the_end,
    test_a_click_while_a_bot_thinks_is_answered,
    test_colours_and_coordinates_are_chosen,
    test_a_link_holds_the_whole_game,
]
# Without a server there is no solver, and no request that could be refused.
BOARDS_OF_THE_SERVER = [
    test_the_solver_says_what_is_not_proved,
    test_a_setting_that_cannot_be_taken_off_is_left_out,
]
