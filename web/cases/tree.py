"""The tree, one simulation, owners and scores: the panels that open a search."""

import math

from player import backend, click, open_panel, press_button, said, show, text

ENTER = "\ue007"
GAME = "#/play?white=person&moves=C3.B2"


def open_at_game(page, title):
    show(page, GAME)
    page.browser.until("return document.querySelector('.status strong').textContent !== 'Loading…'")
    open_panel(page.browser, title)


def ask(page, name, question):
    script = "return import(arguments[0]).then(({ ask }) => ask(arguments[1], arguments[2]))"
    return page.browser.js(script, backend(page), name, question)


def question(**more):
    game = {"size": "5x5", "rules": "tengen", "moves": "C3.B2"}
    return {"game": game, "bot": "uct", "seed": 1, **more}


ROWS = """return [...document.querySelectorAll(".tree .terms tbody tr")].map((row) =>
    [...row.children].map((cell) => cell.textContent))"""


def test_a_node_of_the_tree_and_its_terms(page):
    browser = page.browser
    open_at_game(page, "The tree")
    rows = browser.until(ROWS)
    head = browser.js("return [...document.querySelectorAll('.tree .terms thead th')]"
                      ".map((cell) => cell.textContent)")
    at = head.index("urgency")
    count = browser.js("return document.querySelectorAll('.tree .terms .term').length")
    assert count > 2, head
    # Every shown number is a term of its urgency, to four digits.
    for row in rows:
        terms = [float(cell) for cell in row[at + 1:at + 1 + count] if cell != "–"]
        assert abs(sum(terms) - float(row[at])) < 6e-5 * (len(terms) + 1), (head, row)
    answer = ask(page, "tree", question(simulations=1000, path=[]))
    assert [row[0] for row in rows] == [one["move"] for one in answer["node"]["moves"]]
    # The best child, by the keyboard.
    best = rows[0][0]
    line = "return document.querySelectorAll('.boards figure:first-child .path circle').length"
    assert browser.until(line) > 1, "the principal variation"
    browser.js("document.querySelector('.tree .terms tbody button').focus()")
    browser.press(ENTER)
    here = "return document.querySelector('.tree .crumbs [aria-current]').textContent"
    browser.until(f"return (() => {{ {here} }})() === arguments[0]", best)
    browser.until("return !/Growing/.test(document.querySelector('.tree .facts').textContent)")
    assert text(browser, ".tree .facts").startswith("White to play"), text(browser, ".tree .facts")
    browser.until("return document.activeElement.textContent === arguments[0]", best)
    press_button(browser, "root")
    browser.until("return document.querySelectorAll('.tree .crumbs button').length === 1")
    browser.until("return document.querySelector('.tree .facts').textContent.startsWith('Black')")


def learned_prior(move, formula):
    """The visits of a learned prior and the wins among them, by the manual's formula."""
    if move["move"] == "pass":
        return 20, 2
    even, weight = map(float, formula["prior"].split(":")[1:])
    more = weight * math.sqrt(move["prior"])
    return even + more, even / 2 + more


def recomputed(move, node, formula):
    """The terms of a move's urgency by UCB1 with RAVE and a learned prior, which explores too, from the
    move's statistics."""
    visits, (rave, rewards) = move["visits"], move["rave"] or (0, 0)
    prior, won = learned_prior(move, formula)
    equivalence = float(formula["rave"].split(":")[1])
    weight = math.sqrt(equivalence / (3 * node["visits"] + equivalence))
    known = rave + prior
    share = 0 if move["move"] == "pass" else move["prior"]
    by_prior = formula["prior_exploration"] * share * math.sqrt(node["visits"]) / (1 + visits)
    by_count = formula["exploration"] * math.sqrt(math.log(node["visits"]) / visits)
    return {
        "from win rate": (1 - weight) * move["win_rate"],
        "from RAVE": weight * rewards / known,
        "from prior": weight * won / known,
        "from exploration": by_count + by_prior,
    }


def test_each_shown_number_of_a_node_is_recomputed(page):
    browser = page.browser
    open_at_game(page, "The tree")
    browser.until(ROWS)
    browser.js("""const field = document.querySelector(".tree input");
        field.value = "8000";
        field.dispatchEvent(new Event("change"))""")
    browser.until("return /of 8,000 visits/.test(document.querySelector('.tree .facts').textContent)")
    path, compared = [], 0
    for step in range(4):
        browser.until("return document.querySelectorAll('.tree .crumbs button').length > arguments[0]"
                      " && !/Growing/.test(document.querySelector('.tree .facts').textContent)", step)
        answer = ask(page, "tree", question(simulations=8000, path=path))
        node, formula = answer["node"], answer["formula"]
        head = browser.js("return [...document.querySelectorAll('.tree .terms thead th')]"
                          ".map((cell) => cell.textContent)")
        shown = {row[0]: dict(zip(head, row)) for row in browser.js(ROWS)}
        assert list(shown) == [one["move"] for one in node["moves"]]
        for one in node["moves"]:
            row = shown[one["move"]]
            if one["visits"] == 0:
                continue
            assert row["visits"] == str(one["visits"]) or row["visits"].endswith("k")
            assert row["win rate"] == f"{100 * one['win_rate']:.1f} %"
            terms = recomputed(one, node, formula)
            for name, value in terms.items():
                # A term that all moves lack has no column.
                assert abs(float(row.get(name, 0)) - value) < 6e-5, (path, row, name, value)
            assert abs(float(row["urgency"]) - sum(terms.values())) < 6e-5, (path, row, terms)
            compared += 1
        visited = [one["move"] for one in node["moves"] if one["visits"] > 8]
        if not visited:
            break
        # Descend to the most visited move, and once to the least visited.
        path.append(visited[-1 if step == 1 else 0])
        browser.js("""document.querySelector(`.tree .terms [data-move="${arguments[0]}"] button`)
            .click()""", path[-1])
    assert compared > 15 and len(path) > 1, (compared, path)


PICTURE = """const board = document.querySelector(".boards figure:first-child .goban");
    return [...board.querySelectorAll("[data-at]")].map((cell) =>
        /black stone/.test(cell.ariaLabel) ? "X" : /white stone/.test(cell.ariaLabel) ? "O" : ".").join("")"""
PHASE = "return document.querySelector('.simulation').dataset.phase"


def press_in_panel(browser, label):
    """Presses a button of the panel: the toolbar has a *Step* too, for the bots."""
    browser.js("""[...document.querySelectorAll(".simulation button")]
        .find((button) => button.textContent === arguments[0]).click()""", label)


def test_one_simulation_step_by_step(page):
    browser = page.browser
    open_at_game(page, "One simulation")
    browser.until(f"return (() => {{ {PHASE} }})() === 'selection'")
    field = "const field = document.querySelector('.simulation input'); field.value = arguments[0];" \
            "field.dispatchEvent(new Event('change'))"
    browser.js(field, "60")
    answer = ask(page, "simulation", question(number=60))
    depth = len(answer["path"])
    browser.until("return document.querySelector('.simulation .facts').textContent"
                  ".includes(arguments[0])", f"chooses {answer['path'][0]['move']}.")
    chosen = browser.js("return document.querySelector('.simulation .terms .chosen').dataset.move")
    assert chosen == answer["path"][0]["move"]
    for _ in range(depth):
        press_in_panel(browser, "Step")
    browser.until(f"return (() => {{ {PHASE} }})() === 'expansion'")
    assert browser.js("return document.querySelectorAll('.boards .ring').length") == 1
    for _ in answer["playout"]:
        press_in_panel(browser, "Step")
    assert browser.js(PHASE) == "playout"
    # The board at the end has the score of the playout: the owner of each point.
    game = question()["game"]
    made = [ply["move"] for ply in answer["path"] + answer["playout"]]
    end = ask(page, "position", {**game, "moves": ".".join([game["moves"], *made])})
    assert browser.js(PICTURE) == end["rows"].replace("/", "")
    press_in_panel(browser, "Step")
    assert browser.js(PHASE) == "backup"
    rows = browser.js("return [...document.querySelectorAll('.back-up tbody tr')].map((row) =>"
                      " [...row.children].map((cell) => cell.textContent))")
    assert rows[-1][0] == "root" and (rows[-1][2], rows[-1][4]) == ("59", "60"), rows
    press_in_panel(browser, "Back")
    assert browser.js(PHASE) == "playout"
    press_button(browser, "Next phase")
    assert browser.js(PHASE) == "backup"
    press_in_panel(browser, "Step")
    browser.until("return document.querySelector('.simulation input').value === '61'")
    press_button(browser, "Play")
    before = browser.js("return document.querySelector('.simulation .facts').textContent")
    browser.until("return document.querySelector('.simulation .facts').textContent !== arguments[0]",
                  before)
    press_button(browser, "Stop playing")


def test_owners_and_scores(page):
    browser = page.browser
    open_at_game(page, "Owners and scores")
    bars = "return document.querySelectorAll('.histogram [class^=bar-]').length"
    shown = browser.until(bars)
    answer = ask(page, "playouts", question(playouts=1000, path=[]))
    assert shown == len(answer["scores"])
    assert sum(count for _, count in answer["scores"]) == 1000
    owned = browser.js("return [...document.querySelectorAll('.boards figure:first-child [data-at]')]"
                       ".map((cell) => /'s by (\\d+) %/.exec(cell.ariaLabel)[1])")
    expected = [abs(share) for share in answer["ownership"]]
    assert all(abs(int(one) / 100 - other) < 0.0051 for one, other in zip(owned, expected))
    # Open the node in the tree.
    open_panel(browser, "The tree")
    browser.until(ROWS)
    browser.js("document.querySelector('.tree .terms tbody button').click()")
    move = browser.until("return document.querySelectorAll('.tree .crumbs button')[1]?.textContent")
    open_panel(browser, "Owners and scores")
    browser.until("return document.querySelector('.score .facts').textContent"
                  ".includes(arguments[0])", f"after {move}:")
    # The labels of points name the owner once, and only while owners are shown.
    browser.js("""const field = document.querySelector("#overlay");
        field.value = "none";
        field.dispatchEvent(new Event("change"))""")
    owners = "return [...document.querySelectorAll('.boards figure:first-child [data-at]')]" \
             ".map((cell) => cell.ariaLabel.split(\"'s by\").length - 1)"
    browser.until(f"return Math.max(...(() => {{ {owners} }})()) === 0")
    browser.js("""const field = document.querySelector("#overlay");
        field.value = "owners";
        field.dispatchEvent(new Event("change"))""")
    browser.until(f"return (() => {{ {owners} }})().every((count) => count === 1)")
    # A click on the board of another position plays no move.
    click(browser, move)
    said(browser, "the board shows owners of the points")
    open_panel(browser, "The tree")
    browser.until("return document.querySelectorAll('.tree .crumbs button')[1]?.textContent"
                  " === arguments[0]", move)


TREE = [
    test_a_node_of_the_tree_and_its_terms,
    test_each_shown_number_of_a_node_is_recomputed,
    test_one_simulation_step_by_step,
    test_owners_and_scores,
]
