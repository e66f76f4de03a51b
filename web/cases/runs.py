"""What a person does at the list of runs, at a run, and at its games."""

import csv
import json
import re
import signal
import subprocess
import time
import urllib.request

from cases.play import SHIFTS
from player import address, click, press_button, rested, show, text
from webdriver import LIMIT, PATIENCE

ROWS = "return document.querySelectorAll('.games tbody tr').length"
COUNT = "return document.querySelector('.about .count')?.textContent"


def open_run(page, name, rest=""):
    page.browser.go("about:blank")
    page.browser.go(f"{page.url}#/run?name={name}{rest}")
    page.browser.until("return document.querySelector('.badge')?.textContent")


def results(browser):
    return browser.js("return [...document.querySelectorAll('.games tbody td:nth-child(4)')]"
                      ".map((cell) => cell.textContent)")


def choose(browser, label, value):
    """Chooses a filter of the games by its label."""
    browser.js("""const label = [...document.querySelectorAll(".filters label")]
            .find((one) => one.textContent === arguments[0]);
        const field = document.getElementById(label.htmlFor);
        field.value = arguments[1];
        field.dispatchEvent(new Event("change"));""", label, value)


def cells(browser, section):
    """The texts of the table in the section with this label, row by row."""
    return browser.js("""return [...document.querySelectorAll(
            `section[aria-label="${arguments[0]}"] tbody tr`)]
        .map((row) => [...row.children].map((cell) => cell.textContent))""", section)


def file_rows(page, run, name):
    with open(page.runs / run / name, newline="") as file:
        return list(csv.DictReader(file))


def interval(row, name, form):
    if row[name] == "":
        return ""
    ends = [form(row[name + end]) for end in ("", "_low", "_high")]
    return "{} ({} to {})".format(*ends)


def signed(number):
    """A number as the page writes Elo."""
    value = "∞" if number.endswith("inf") else f"{abs(float(number)):.1f}"
    return ("−" if number.startswith("-") else "+") + value


def percent(number):
    return f"{100 * float(number):.1f} %"


def agree(shown, wanted):
    """Whether cells are equal but for one in the last digit of a percent: the page rounds the number, the
    test its four decimals in the file."""
    number = re.compile(r"[\d.]+(?= %)")
    pairs = [(number.findall(one), number.findall(other))
             for row, line in zip(shown, wanted) for one, other in zip(row, line)]
    return ([[number.sub("", cell) for cell in row] for row in shown]
            == [[number.sub("", cell) for cell in row] for row in wanted]
            and all(abs(float(one) - float(other)) < 0.11
                    for ones, others in pairs for one, other in zip(ones, others)))


def assert_figures_of_files(page, run):
    """The page shows the figures of `summary.csv` and `ratings.csv`."""
    browser = page.browser
    summary = file_rows(page, run, "summary.csv")
    rates = {row["bot"]: row for row in summary if row["kind"] == "bot"}
    shown = [[row[0], row[1], row[3], row[4]] for row in cells(browser, "Ratings")]
    wanted = [[row["bot"], interval(row, "rating", signed),
               interval(rates[row["bot"]], "win_rate", percent), rates[row["bot"]]["games"]]
              for row in file_rows(page, run, "ratings.csv")]
    assert agree(shown, wanted), (shown, wanted)
    pairings = [row for row in summary if row["kind"] == "pairing"]
    shown = cells(browser, "Pairs")
    assert [row[:2] for row in shown] == [[row["bot"], row["opponent"]] for row in pairings]
    assert [row[6] for row in shown] == [interval(row, "elo", signed) for row in pairings]
    for row, line in zip(shown, pairings):
        won, split, lost = map(int, row[2:5])
        assert won + split + lost == int(line["pairs"]), (row, line)
        if line["jigo"] == "0":
            assert 2 * won + split == int(line["wins"]), (row, line)


def test_the_list_and_a_run_in_progress(page):
    browser = page.browser
    browser.go("about:blank")
    browser.go(page.url + "#/runs")
    browser.until("return document.querySelectorAll('.runs tbody tr').length >= 2")
    open_run(page, "live")
    first = browser.until(COUNT)
    assert "playing" in first, first
    browser.until(f"{COUNT} !== arguments[0]", first, what="the run advances")


def await_rows(folder, count):
    """Waits until a tournament has written so many games."""
    deadline, file = time.monotonic() + PATIENCE, folder / "games.csv"
    while not file.exists() or len(file.read_text().splitlines()) <= count:
        assert time.monotonic() < deadline, "the tournament does not begin"
        time.sleep(0.02)


def test_a_run_is_followed_to_its_end(page):
    browser, folder = page.browser, page.runs / "followed"
    games = page.tournament("--pairs", "60", "--bot", "two-ply", "--bot", "uct:simulations=150",
                            "--bot", "uct:simulations=300", "--out", folder)
    try:
        await_rows(folder, 30)
        # Pause the run, so that it does not end before even a slow browser has looked.
        games.send_signal(signal.SIGSTOP)
        open_run(page, "followed")
        figures = "return document.querySelectorAll('section[aria-label=Ratings] tbody tr').length"
        browser.until(f"{figures} === 3", what="ratings while the run is played")
        assert "playing" in browser.js(COUNT), "the run was over before anybody looked"
        assert not (folder / "summary.csv").exists()
        browser.until("return document.querySelector('.facts').textContent.includes('left')")
        browser.until("return document.querySelectorAll('.minis li').length > 3")
        shown = browser.js(COUNT)
        games.send_signal(signal.SIGCONT)
        browser.until(f"{COUNT} !== arguments[0]", shown, what="the run advances")
        assert games.wait(timeout=LIMIT) == 0
    finally:
        games.kill()
    browser.until("return document.querySelector('.badge').textContent === 'finished'")
    browser.until("return [...document.querySelectorAll('details summary')]"
                  ".some((one) => one.textContent === 'Report')", what="the report")
    browser.until("return document.querySelector('.facts').textContent"
                  ".startsWith('360 games count')")
    assert_figures_of_files(page, "followed")


def test_a_sequential_test_is_drawn(page):
    browser, folder = page.browser, page.runs / "decided"
    games = page.tournament("--pairs", "500", "--bot", "uct:simulations=300", "--bot",
                            "uct:simulations=20", "--sprt", "elo0=0 elo1=100", "--out", folder)
    assert games.wait(timeout=LIMIT) == 0
    open_run(page, "decided")
    verdict = browser.until("return document.querySelector('.standing .ratio ~ .note')"
                            "?.textContent")
    told = subprocess.run([page.tournament_program, "--report", folder], text=True,
                          capture_output=True, check=True).stdout
    assert verdict in told.splitlines(), (verdict, told)
    drawn = browser.js("""const chart = document.querySelector(".ratio");
        const height = (name) => chart.querySelector(name).getBBox().y;
        return [height(".bound"), chart.querySelector(".dot").cy.baseVal.value,
            chart.querySelector(".course").getTotalLength()]""")
    bound, dot, length = drawn
    assert dot <= bound and length > 50, f"the test ends above its upper bound: {drawn}"
    assert_figures_of_files(page, "decided")


def test_updates_leave_the_reader_alone(page):
    browser = page.browser
    open_run(page, "live")
    # The note below the ratings disappears once both bots have won and lost. The settings appear
    # without a click.
    browser.until(f"{ROWS} >= 20 && document.querySelector('details')"
                  " && document.querySelector('section[aria-label=Ratings] .note').hidden")
    # A row that is written at this moment is selected the next time.
    browser.until("""const link = document.querySelectorAll(".games tbody a")[3];
        link.focus();
        const cell = document.querySelectorAll(".games tbody tr")[7].cells[1];
        getSelection().selectAllChildren(cell);
        const config = [...document.querySelectorAll("details")].at(-1);
        config.open = true;
        scrollTo(0, 300);
        window.kept = { link, config, selected: getSelection().toString() };
        return scrollY > 0 && kept.selected !== '';""")
    top = browser.js("return kept.link.getBoundingClientRect().top")
    for _ in range(3):
        before = browser.js(COUNT)
        facts = text(browser, ".facts")
        browser.until(f"{COUNT} !== arguments[0] && "
                      "document.querySelector('.facts').textContent !== arguments[1]",
                      before, facts, what="the run advances")
    state = browser.js("""return {
        focus: document.activeElement === kept.link,
        selected: getSelection().toString() === kept.selected,
        open: kept.config.isConnected && kept.config.open,
        moved: kept.link.getBoundingClientRect().top - arguments[0],
    }""", top)
    # The browser rounds the scroll position when it keeps the read text in place.
    moved = state.pop("moved")
    assert state == {"focus": True, "selected": True, "open": True} and abs(moved) <= 1, (state, moved)
    # The list of runs keeps the focus too.
    browser.go(page.url + "#/runs")
    script = "return [...document.querySelectorAll('.runs tbody a')].find((one) => " \
             "one.textContent === 'live')"
    browser.until(script)
    browser.js(script.replace("return", "window.kept =") + "; kept.focus()")
    count = "return kept.closest('tr').querySelector('.count').textContent"
    before = browser.js(count)
    browser.until(f"{count} !== arguments[0]", before, what="the list advances")
    assert browser.js("return document.activeElement === kept")


def test_a_finished_game_is_replayed(page):
    browser = page.browser
    open_run(page, "finished")
    browser.until("return document.querySelector('.games tbody a')")
    choose(browser, "Result", "white")
    browser.until("""const all = [...document.querySelectorAll(".games tbody td:nth-child(4)")];
        return all.length > 0 && all.every((cell) => cell.textContent.startsWith("W+"))""")
    browser.js("document.querySelector('.games tbody a').click()")
    # Before the record arrives, the page says "of 0".
    browser.until("return /^move 0 of [1-9]/.test(document.querySelector('.place')?.textContent)")
    press_button(browser, "Last")
    browser.until("return /wins/.test(document.querySelector('.status').textContent)")
    press_button(browser, "First")
    browser.until("return document.querySelector('.place').textContent.startsWith('move 0 of ')")
    for number in range(1, 8):
        press_button(browser, "Next")
        browser.until("return document.querySelector('.place').textContent"
                      ".startsWith(`move ${arguments[0]} of `)", number)
    browser.until("return document.querySelectorAll('.chart .dot').length > 3",
                  what="the win rates of the comments are drawn")
    press_button(browser, "Analyse")
    browser.until("return document.querySelector('.heat').children.length > 0")


def follow(browser, name):
    """Follows the link called `name` around a game; returns the number of the game."""
    before = address(browser)["game"]
    browser.js("""const link = [...document.querySelectorAll(".around a")]
        .find((one) => one.textContent === arguments[0]);
        link.focus();
        link.click();""", name)
    browser.until("return new URLSearchParams(location.hash.split('?')[1]).get('game')"
                  " !== arguments[0]", before)
    game = address(browser)["game"]
    # The address changes before the page does: until then the links are those of the game left.
    browser.until("return document.querySelector('.around span')?.textContent === arguments[0]",
                  f"game {game}")
    return int(game)


def test_games_one_after_the_other_and_back(page):
    browser = page.browser
    open_run(page, "finished", "&result=black&color=white")
    browser.until(f"{ROWS} > 0")
    shown = results(browser)
    assert len(shown) > 1 and all(one.startswith("B+") for one in shown), shown
    games = browser.js("return [...document.querySelectorAll('.games tbody a')]"
                       ".map((one) => Number(one.textContent.split(' ')[1]))")
    browser.js("document.querySelectorAll('.games tbody a')[0].click()")
    ready = "return document.querySelector('.around a[href*=game]:not([aria-disabled])')"
    browser.until(ready)
    assert int(address(browser)["game"]) == games[0]
    for wanted in games[1:]:
        browser.until("return [...document.querySelectorAll('.around a')].at(-1).href")
        assert follow(browser, "Next game") == wanted
    # The last game has no next one; the focus is on a link or where it was left.
    browser.until("return [...document.querySelectorAll('.around a')].at(-2).href")
    assert not browser.js("return [...document.querySelectorAll('.around a')].at(-1).href")
    assert follow(browser, "Previous game") == games[-2]
    browser.until("return document.activeElement.textContent === 'Previous game' "
                  "|| arguments[0] === 2", len(games))
    browser.js("document.querySelector('.around a').click()")
    browser.until(f"{ROWS} > 0")
    assert results(browser) == shown
    given = address(browser)
    assert (given["name"], given["result"], given["color"]) == ("finished", "black", "white")


def test_a_variation_of_a_game_leads_back_to_it(page):
    browser = page.browser
    open_run(page, "finished")
    browser.until("return document.querySelector('.games tbody a')")
    browser.js("document.querySelector('.games tbody a').click()")
    browser.until("return /^move 0 of [1-9]/.test(document.querySelector('.place')?.textContent)")
    game = address(browser)["game"]
    point = "return document.querySelector('.boards [aria-label*=\", empty\"]').id.split('-')[2]"
    click(browser, browser.js(point))
    browser.until("return location.hash.includes('origin=')")
    rested(browser)
    back = f"Game {game} as it was played"
    shown = """return [...document.querySelectorAll(".around > :not([hidden])")].map((one) => one.textContent)"""
    wanted = ["Back to finished", back, "Previous game", "Next game"]
    # The links come with the run, after the board.
    come = "return document.querySelectorAll('.around > :not([hidden])').length === arguments[0]"
    browser.until(come, len(wanted))
    assert browser.js(shown) == wanted, browser.js(shown)
    browser.js("location.reload()")
    browser.until("return document.querySelector('.place')?.textContent.startsWith('move 1 of')")
    browser.until(come, len(wanted))
    assert browser.js(shown) == wanted, browser.js(shown)
    browser.until("""const link = [...document.querySelectorAll(".around a")]
        .find((one) => one.textContent === arguments[0] && one.href);
        link?.click();
        return link !== undefined""", back)
    browser.until("return /^move 0 of [1-9]/.test(document.querySelector('.place')?.textContent)")
    assert address(browser)["game"] == game and "origin" not in address(browser)


def test_runs_on_a_phone(page):
    browser = page.browser
    browser.size(390, 844)
    try:
        for place, table in [("#/runs", ".runs table"), ("#/run?name=finished", ".games table")]:
            browser.go("about:blank")
            browser.go(page.url + place)
            browser.until(f"return document.querySelector('{table} tbody tr')")
            told = browser.js("""const table = document.querySelector(arguments[0]);
                const scroll = table.closest(".scroll");
                const cells = [...table.querySelectorAll("tbody tr")[0].cells];
                return {
                    overflow: document.documentElement.scrollWidth - innerWidth,
                    columns: cells.filter((cell) => cell.getBoundingClientRect().width > 0).length,
                    reach: cells.every((cell) => cell.getBoundingClientRect().right
                        <= scroll.getBoundingClientRect().right + 1),
                    named: cells.slice(1).every((cell) => cell.dataset.name !== ""),
                }""", table)
            wanted = {"overflow": 0, "columns": 6 if place == "#/runs" else 7, "reach": True,
                      "named": True}
            assert told == wanted, (place, told)
    finally:
        browser.size(1280, 900)


def test_nothing_moves_while_runs_load(page):
    browser = page.browser
    for width, height in [(1280, 800), (390, 844)]:
        try:
            browser.size(width, height)
            for link, loaded in [("#/runs", ".runs tbody tr"),
                                 ("#/run?name=finished", ".games tbody tr")]:
                browser.go("about:blank")
                browser.go(page.url + link)
                browser.until(f"return document.querySelector('{loaded}')?.offsetParent")
                shift = browser.js(SHIFTS)
                # Two runs move little; other servers have a hundred.
                assert shift < 0.01, (width, link, shift)
        finally:
            browser.size(1280, 900)


def test_the_same_answers_without_a_server(page):
    """The run beside the page equals the run of the server that made its files."""
    browser = page.browser
    open_run(page, "finished")
    browser.until(f"{ROWS} === 6")
    assert_figures_of_files(page, "finished")
    with open(page.runs / "finished" / "games.csv", newline="") as file:
        games = list(csv.DictReader(file))
    shown = browser.js("return [...document.querySelectorAll('.games tbody tr')]"
                       ".map((row) => [...row.cells].map((cell) => cell.textContent))")
    for row, game in zip(shown, games, strict=True):
        assert row[:3] == [f"game {game['game']}", game["black"], game["white"]], row
        assert (row[4], row[5]) == (game["termination"], game["plies"]), row
    choose(browser, "Bot", "two-ply")
    choose(browser, "Result", "won")
    won = {game["game"] for game in games
           if game["outcome"] in ("black", "white") and game[game["outcome"]] == "two-ply"}
    browser.until("return document.querySelector('.games .place').textContent"
                  ".includes(arguments[0])", f"of {len(won)} games" if won else "no game")


def test_without_a_network(page):
    """After one visit the page works with no host at all."""
    browser = page.browser
    browser.go(page.url)
    browser.until("return navigator.serviceWorker.ready.then((one) => one.active.state"
                  " === 'activated')")
    page.place.stop()
    browser.go("about:blank")
    open_run(page, "finished")
    browser.until(f"{ROWS} === 6")
    browser.go(f"{page.url}#/play?white=uct:simulations=50")
    browser.until("return document.querySelector('.status')?.textContent.includes('to play')")
    browser.click(".boards figure:first-child [id$='-C3']")
    browser.until("return (new URLSearchParams(location.hash.split('?')[1]).get('moves') ?? '')"
                  ".split('.').length === 2")


def names_of_files(page):
    with urllib.request.urlopen(page.url + "service-worker.js", timeout=10) as answer:
        source = answer.read().decode()
    return json.loads(source.split("FILES = ", 1)[1].split(";", 1)[0])


def test_names_have_hashes(page):
    browser = page.browser
    browser.go("about:blank")
    browser.requested()
    browser.go(page.url)
    browser.until("return document.querySelector('.status')?.textContent.includes('to play')")
    time.sleep(0.5)
    plain = {page.url, page.url + "service-worker.js"}
    asked = {url.split("#")[0] for url in browser.requested() if url.startswith(page.url)}
    kept = {page.url + name for name in names_of_files(page)}
    assert asked - plain <= kept, asked - plain - kept
    assert all("-" in name.split("/")[0] or name.startswith("runs/") for name in names_of_files(page))


RUNS = [
    test_the_list_and_a_run_in_progress,
    test_a_run_is_followed_to_its_end,
    test_a_sequential_test_is_drawn,
    test_updates_leave_the_reader_alone,
    test_runs_on_a_phone,
]

# With and without a server.
RUNS_ANYWHERE = [
    test_a_finished_game_is_replayed,
    test_games_one_after_the_other_and_back,
    test_a_variation_of_a_game_leads_back_to_it,
    test_nothing_moves_while_runs_load,
]

def test_the_first_move_needs_the_small_module_alone(page):
    browser = page.browser
    browser.cdp("Network.enable")
    browser.cdp("Network.setBypassServiceWorker", bypass=True)
    browser.cdp("Network.setBlockedURLs", urls=["*/tengen-*.wasm"])
    try:
        show(page, "#/play?size=9x9&white=person")
        click(browser, "E5")
        browser.until("return location.hash.includes('moves=E5')")
        rested(browser)
    finally:
        browser.cdp("Network.setBlockedURLs", urls=[])
        browser.cdp("Network.setBypassServiceWorker", bypass=False)
        # Discard the console's messages on blocked requests.
        browser.complaints()


# The last one stops the host of the files.
STATIC_RUNS = [
    test_the_first_move_needs_the_small_module_alone,
    test_the_same_answers_without_a_server,
    test_names_have_hashes,
    test_without_a_network,
]
