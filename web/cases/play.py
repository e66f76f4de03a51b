"""The board: what a person does with it, quickly, oddly and on a phone."""

import random
import tempfile
import time
from pathlib import Path

from player import (
    address, backend, click, moves, press_button, rested, said, show, text, turn,
)

ENTER = "\ue007"
STONES = """return [...document.querySelectorAll(".boards figure:first-child [data-at]")]
    .map((cell) => /black stone/.test(cell.ariaLabel) ? "X"
        : /white stone/.test(cell.ariaLabel) ? "O" : ".").join("")"""
# What a person does at once, before the page has done the first of it.
BURST = """for (const act of arguments[0]) {
    const cell = document.querySelector(`.boards figure:first-child [id$='-${act}']`);
    if (cell) cell.dispatchEvent(new PointerEvent("click", { bubbles: true }));
    else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: act, bubbles: true }));
}"""


def position_of_address(page):
    """What the backend answers of the game that the address describes."""
    state = address(page.browser)
    made = state.get("moves", "").split(".") if state.get("moves") else []
    at = int(state.get("at", len(made)))
    game = {"size": state.get("size", "5x5"), "moves": ".".join(made[:at])}
    script = "return import(arguments[0]).then(({ ask }) => ask('position', arguments[1]))"
    return page.browser.js(script, backend(page), game), made, at


def assert_one_state(page):
    browser = page.browser
    rested(browser)
    position, made, at = position_of_address(page)
    assert browser.js(STONES) == position["rows"].replace("/", ""), (made, at)
    assert text(browser, ".place") == f"move {at} of {len(made)}"
    shown = text(browser, ".status strong")
    if position["end"] is None:
        assert shown == f"{position['to_play'].capitalize()} to play", shown
    before = browser.js(STONES)
    browser.do("/refresh")
    rested(browser)
    assert browser.js(STONES) == before, "the link leads to another position"
    assert not browser.js("return document.querySelector('.notice:not([hidden])')")


def acts(seed, count=20):
    chance = random.Random(seed)
    points = [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)]
    return [chance.choice(points) if chance.random() < 0.7 else chance.choice("pur")
            for _ in range(count)]


def test_quick_acts_of_two_persons(page):
    for seed in range(3):
        show(page, "#/play?white=person")
        page.browser.js(BURST, acts(seed))
        assert_one_state(page)
        assert len(moves(page.browser)) > 3


def test_quick_clicks_by_the_mouse(page):
    show(page, "#/play?white=person")
    for act in acts(7):
        page.browser.press(act) if act in "pur" else click(page.browser, act)
    assert_one_state(page)


def test_quick_acts_against_bots(page):
    for seed, bot in enumerate(["uct:simulations=200", "two-ply", "uct:simulations=30"]):
        show(page, f"#/play?white={bot}")
        for number, act in enumerate(acts(10 + seed)):
            page.browser.js(BURST, [act])
            time.sleep(0.04 * (number % 3))
        assert_one_state(page)
        # The bot has made its own moves, and no others.
        state = address(page.browser)
        if "at" not in state and turn(page.browser):
            assert len(moves(page.browser)) % 2 == 0, state


def test_two_passes_are_two_passes(page):
    show(page, "#/play?white=person")
    page.browser.js(BURST, ["p", "p", "p", "p"])
    rested(page.browser)
    assert moves(page.browser) == ["pass", "pass"]
    show(page, "#/play?white=two-ply")
    page.browser.js(BURST, ["p", "p"])
    rested(page.browser)
    assert len(moves(page.browser)) == 2, moves(page.browser)


def test_the_thoughts_of_a_bot_stay_after_its_move(page):
    browser = page.browser
    show(page, "#/play?white=uct:simulations=3000")
    click(browser, "C3")
    browser.until("return location.hash.includes('moves=C3.')")
    rested(browser)
    answer = moves(browser)[1]
    assert text(browser, ".figures").startswith(f"the search before {answer} · 3,000 simulations")
    rows = "return document.querySelectorAll('.findings tbody tr:not([hidden])').length"
    discs = "return document.querySelectorAll('.heat .disc').length"
    # The board shows the next position, where discs of this search would be wrong.
    assert browser.js(rows) == 8 and browser.js(discs) == 0
    assert text(browser, ".findings tbody th") == answer
    browser.press("p")
    browser.until("return !document.querySelector('.figures').textContent.startsWith('the search before "
                  f"{answer} ')")


def test_bad_links_say_what_is_wrong(page):
    browser = page.browser
    notice = "return document.querySelector('.notice:not([hidden])')?.textContent"
    for link, why, stones in [
        ("#/play?white=person&moves=E5.E5", "move 2, E5: the point is occupied", 1),
        ("#/play?white=person&moves=C3.Z9.D4", "move 2, Z9", 1),
        ("#/play?white=person&moves=C3&komi=abc", "komi=abc: expected a number", 1),
        ("#/play?white=person&size=99x1", "size=99x1: expected a size", 0),
        ("#/play?white=person&setup=XX", "set-up stones", 0),
        ("#/play?white=person&rules=none", "invalid set of rules `none`", 0),
    ]:
        show(page, link)
        said_ = browser.until(notice, what=f"a notice for {link}")
        assert why in said_ and " at line " not in said_, said_
        browser.until("return !/Loading/.test(document.querySelector('.status').textContent)")
        assert len(browser.js(STONES).replace(".", "")) == stones, link
    for link in ["#/__proto__", "#/constructor", "#/play?__proto__=1&given=x"]:
        show(page, link)
        browser.until("return /to play/.test(document.querySelector('.status').textContent)")
        assert "given" not in browser.js("return location.hash")
    show(page, "#/nothing")
    said(browser, 'This page has no "nothing"')


def test_a_new_game_is_an_entry_of_the_history(page):
    browser = page.browser
    show(page, "#/play?white=person&moves=C3.D4")
    browser.press("n")
    browser.until("return document.querySelector('dialog[open]')")
    press_button(browser, "Start")
    browser.until("return !location.hash.includes('moves')")
    browser.until("return document.activeElement.classList.contains('goban')",
                  what="the board has the focus")
    browser.js("history.back()")
    browser.until("return document.querySelector('.place').textContent === 'move 2 of 2'")
    assert moves(browser) == ["C3", "D4"]


def test_nobody_moves_for_a_bot(page):
    browser = page.browser
    show(page, "#/play?black=two-ply&white=person")
    assert turn(browser)
    first = moves(browser)
    assert len(first) == 1
    browser.press("u")
    rested(browser)
    assert (moves(browser), address(browser).get("at")) == (first, None)
    click(browser, "A1")
    browser.until("return location.hash.includes('.A1')")
    rested(browser)
    assert len(moves(browser)) == 3
    browser.press("u")
    rested(browser)
    assert address(browser)["at"] == "1"


def test_no_ghost_stays_on_the_board(page):
    browser = page.browser
    show(page, "#/play?white=person")
    click(browser, "C3")
    browser.until("return location.hash.includes('moves=C3')")
    browser.press("p")
    browser.until("return location.hash.includes('moves=C3.pass')")
    assert browser.js("return document.querySelectorAll('.ghost *').length") == 0


def test_what_is_said_covers_no_button(page):
    browser = page.browser
    try:
        browser.size(1280, 800)
        show(page, "#/play?white=person")
        click(browser, "C3")
        said(browser, "Black plays C3")
        covered = browser.js("""const box = document.getElementById("said").getBoundingClientRect();
            return [...document.querySelectorAll("button, nav a, select")].filter((one) => {
                const own = one.getBoundingClientRect();
                return own.width > 0 && own.left < box.right && own.right > box.left
                    && own.top < box.bottom && own.bottom > box.top;
            }).map((one) => one.textContent)""")
        assert covered == [], covered
    finally:
        browser.size(1280, 900)


CHARSETS = [
    ("gb2312", "GB2312", "聂卫平", "马晓春"),
    ("gbk", "GBK", "柯潔", "朱镕"),
    ("euc_kr", "EUC-KR", "이창호", "조훈현"),
    ("shift_jis", "Shift_JIS", "申従ソ", "高川格"),
    ("big5", "Big5", "周俊勳", "張栩"),
]


def test_records_in_five_charsets(page):
    browser = page.browser
    with tempfile.TemporaryDirectory() as folder:
        for codec, name, black, white in CHARSETS:
            file = Path(folder) / f"{codec}.sgf"
            record = (f"(;GM[1]FF[4]CA[{name}]SZ[9]KM[7.5]PB[{black}]PW[{white}]"
                      "RE[W+Resign];B[ee];W[gc])")
            file.write_bytes(record.encode(codec))
            show(page, "#/play?white=person")
            browser.upload("#open-record", str(file))
            said(browser, f"read {codec}.sgf")
            names = browser.js("return [...document.querySelectorAll('.player .name')]"
                               ".map((one) => one.textContent)")
            assert names == [f"Black: {black}", f"White: {white}"], (name, names)
            assert text(browser, ".status strong") == "White wins by resignation"
            assert moves(browser) == ["E5", "G7"]


def test_a_slow_line_shows_a_board_and_that_it_loads(page):
    browser = page.browser
    browser.cdp("Network.enable")
    # As on a first visit, before anything is kept.
    browser.cdp("Network.setBypassServiceWorker", bypass=True)
    slow = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.cdp("Network.emulateNetworkConditions", latency=1500, **slow)
    try:
        browser.go("about:blank")
        browser.go(page.url + "#/play?size=9x9&white=person&moves=E5")
        browser.until("return document.querySelector('.status')")
        assert text(browser, ".status") == "Loading…"
        assert browser.js("return document.querySelectorAll('.goban [data-at]').length") == 162
        browser.until("return document.querySelector('.status strong').textContent"
                      " === 'White to play'")
    finally:
        browser.cdp("Network.emulateNetworkConditions", latency=0, **slow)
        browser.cdp("Network.setBypassServiceWorker", bypass=False)


def test_each_view_has_a_title_and_a_heading(page):
    browser = page.browser
    for link, title, heading in [
        ("#/play", "Play", "Play Go and watch a search think"),
        ("#/runs", "Runs", "Runs"),
        ("#/run?name=finished", "Run finished", "finished"),
    ]:
        browser.go("about:blank")
        browser.go(page.url + link)
        browser.until("return document.title === arguments[0]", f"{title} · Tengen")
        browser.until("return [...document.querySelectorAll('h1')].map((one) => one.textContent).join()"
                      " === arguments[0]", heading)


def test_letters_can_be_switched_off(page):
    browser = page.browser
    show(page, "#/play?white=person")
    browser.click("#letter-keys")
    show(page, "#/play?white=person")
    browser.press("p")
    rested(browser)
    assert moves(browser) == []
    browser.click("#letter-keys")
    browser.js("document.activeElement.blur()")
    browser.press("p")
    browser.until("return location.hash.includes('moves=pass')")


def test_two_searches_follow_a_move(page):
    browser = page.browser
    show(page, "#/play?white=person&moves=C3&a=uct&b=uct:rave=none")
    press_button(browser, "Analyse")
    both = """return [...document.querySelectorAll(".figures")]
        .every((one) => /simulations/.test(one.textContent))"""
    browser.until(both)
    for point in ["B2", "D4"]:
        click(browser, point)
        browser.until("return location.hash.includes(`.${arguments[0]}`)", point)
        browser.until(both, what=f"both searches after {point}")
    counts = "return [...document.querySelectorAll('.figures')].map((one) => one.textContent)"
    before = browser.js(counts)
    browser.until(f"const now = ({counts.replace('return ', '')}); "
                  "return now.every((one, at) => one !== arguments[0][at])", before,
                  what="both searches go on")
    press_button(browser, "Stop")


def test_long_names_and_compared_boards_are_labelled(page):
    browser = page.browser
    show(page, "#/play?black=person&white=uct:simulations=100,rave=none&a=uct&b=uct:rave=none")
    assert browser.js("return document.querySelectorAll('.player .name')[1].title") == \
        "uct:simulations=100,rave=none"
    assert browser.js("return [...document.querySelectorAll('figcaption strong')]"
                      ".map((one) => one.textContent)") == ["uct", "uct:rave=none"]


def tap(browser, point):
    box = browser.js("""const own = document.querySelector(
        `.boards figure:first-child [id$='-${arguments[0]}']`).getBoundingClientRect();
        return [own.x + own.width / 2, own.y + own.height / 2]""", point)
    at = [{"x": box[0], "y": box[1]}]
    browser.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=at)
    browser.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def test_a_finger_aims_on_a_large_board(page):
    browser = page.browser
    browser.size(390, 844)
    browser.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        show(page, "#/play?size=19x19&white=person")
        wide = "return document.documentElement.scrollWidth - innerWidth"
        assert browser.js(wide) <= 0, "the page is wider than the phone"
        tap(browser, "K10")
        said(browser, "K10: tap it again")
        assert moves(browser) == []
        assert browser.js("return document.querySelectorAll('.ghost .aim').length") == 1
        tap(browser, "Q16")
        said(browser, "Q16: tap it again")
        tap(browser, "Q16")
        browser.until("return location.hash.includes('moves=Q16')")
        show(page, "#/play?size=5x5&white=person")
        tap(browser, "C3")
        browser.until("return location.hash.includes('moves=C3')")
    finally:
        browser.cdp("Emulation.setTouchEmulationEnabled", enabled=False)
        browser.size(1280, 900)


# What has moved of itself, in shares of the window.
SHIFTS = """return new Promise((done) => new PerformanceObserver((list) => done(
    list.getEntries().filter((entry) => !entry.hadRecentInput)
        .reduce((sum, entry) => sum + entry.value, 0)))
    .observe({ type: "layout-shift", buffered: true })
    || setTimeout(() => done(0), 500))"""


def test_nothing_moves_while_the_page_loads(page):
    browser = page.browser
    for width, height in [(1280, 800), (390, 844)]:
        try:
            browser.size(width, height)
            for link in ["#/play", "#/play?size=9x9&black=uct:simulations=2000&white=person"]:
                show(page, link)
                browser.until("return document.querySelector('.place')?.textContent")
                rested(browser)
                shift = browser.js(SHIFTS)
                assert shift < 0.05, (width, link, shift)
        finally:
            browser.size(1280, 900)


PLAY = [test for name, test in globals().items() if name.startswith("test_")]
