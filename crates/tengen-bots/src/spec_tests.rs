use super::*;
use crate::RandomConfig;
use tengen_search::{FinalMove, UctConfig};

fn refused(text: &str) -> String {
    text.parse::<NamedBot>().unwrap_err().to_string()
}

#[test]
fn reads_kinds_settings_and_names() {
    assert_eq!("random".parse(), Ok(BotConfig::from(RandomConfig {})));
    let uct = UctConfig {
        simulations: Some(200),
        exploration: 1.0,
        workers: 2,
        final_move: FinalMove::built_in("value"),
        ..UctConfig::default()
    };
    let spec = "uct:simulations=200,exploration=1,workers=2,final_move=value";
    assert_eq!(spec.parse(), Ok(BotConfig::from(uct.clone())));
    let named: NamedBot = format!("strong-1.0={spec}").parse().unwrap();
    assert_eq!((named.name.as_str(), named.config), ("strong-1.0", BotConfig::from(uct)));
    assert_eq!("uct".parse(), Ok(BotConfig::from(UctConfig::default())));
}

#[test]
fn a_program_is_its_command_line() {
    let spec = "gtp:gnugo --mode gtp --seed={seed} -o 'my file,a=b:c #1'";
    let named: NamedBot = format!("gnugo={spec}").parse().unwrap();
    let config = named.config.settings_of::<tengen_gtp::GtpConfig>().unwrap();
    assert_eq!(format!("gtp:{}", config.command), spec);
    assert_eq!((named.name.as_str(), named.config.to_string().as_str()), ("gnugo", spec));
    let unnamed: NamedBot = spec.parse().unwrap();
    assert_eq!((unnamed.name.as_str(), unnamed.is_named()), (spec, false));
    let table = "kind = 'gtp'\ncommand = 'a b'\nname = 'x'\nstartup = ['go']\n\
                 working_directory = '/tmp'\nkeep = true\nmove_seconds = 1.5\n\
                 [env]\nLANG = 'C'\n[clock]\nmain = 60\nperiod = 10\nstones = 5";
    let bot: NamedBot = toml::from_str(table).unwrap();
    let text = toml::to_string(&bot).unwrap();
    assert_eq!(toml::from_str::<NamedBot>(&text).unwrap(), bot, "{text}");
    let twin = format!("{text}\n").replace("name = \"x\"", "name = \"gtp:a b#2\"");
    assert_eq!(toml::from_str::<NamedBot>(&twin).unwrap().name, "gtp:a b#2");
}

#[test]
fn a_name_is_one_line() {
    // A line break in a command is fine, in a name it is not.
    let script = "gtp:sh -c 'one\ntwo'";
    assert!(refused(script).contains("give the bot a name"), "{}", refused(script));
    let named: NamedBot = format!("a={script}").parse().unwrap();
    assert_eq!((named.name.as_str(), named.config.to_string().as_str()), ("a", script));
    assert_eq!(toml::from_str::<NamedBot>(&toml::to_string(&named).unwrap()).unwrap(), named);
    assert_eq!("gtp:a b\r\n".parse::<NamedBot>().unwrap().name, "gtp:a b");
    for text in ["gtp:a\rb", "gtp:a\u{85}b", "gtp:a\u{2028}b", "gtp:a\u{1b}[1mb"] {
        assert!(refused(text).contains("line break"), "{text:?}: {}", refused(text));
    }
    let toml = "kind = 'gtp'\ncommand = \"a\\nb\"\n";
    assert!(toml::from_str::<NamedBot>(toml).unwrap_err().message().contains("line break"));
    assert_eq!(toml::from_str::<NamedBot>(&format!("{toml}name = 'x'")).unwrap().name, "x");
    for name in ["gtp:a#2\\nb", "gtp:a#", "gtp:a#x"] {
        let toml = format!("kind = 'gtp'\ncommand = 'a'\nname = \"{name}\"\n");
        let fault = toml::from_str::<NamedBot>(&toml).unwrap_err();
        assert!(fault.message().contains("leave `name` out"), "{name}: {fault}");
    }
}

/// A run of a version with other defaults can be read: its bots keep their names.
#[test]
fn a_name_may_be_the_text_of_another_version() {
    let bot = |name: &str| {
        let settings = "kind = 'uct'\nexploration = 0.5\nrave = 'none'\npolicy = 'uniform'\n";
        toml::from_str::<NamedBot>(&format!("{settings}name = '{name}'"))
    };
    let whole = bot("a").unwrap().config;
    for name in ["uct:exploration=0.5,rave=none", "uct:workers=1", "uct", "uct:rave=none#2"] {
        let named = bot(name).unwrap();
        assert_eq!((named.name.as_str(), &named.config), (name, &whole));
        assert_eq!(toml::from_str::<NamedBot>(&toml::to_string(&named).unwrap()), Ok(named));
    }
    // The settings of a saved bot were edited, and not its name.
    for name in ["uct:exploration=0.6", "uct:rave=none#", "uct:magic=1", "gtp:x"] {
        let fault = bot(name).unwrap_err();
        let said = format!("the name `{name}` is the text of other settings");
        assert!(fault.message().contains(&said), "{name}: {fault}");
        assert!(fault.message().contains("leave `name` out"), "{name}: {fault}");
    }
    let fault = bot("uct:workers").unwrap_err();
    assert!(fault.message().contains("invalid name of a bot `uct:workers`"), "{fault}");
}

#[test]
fn a_clock_alone_leaves_playouts_without_limit() {
    let limits = |text: &str| {
        let config: BotConfig = text.parse().unwrap();
        config.uct().map(|uct| (uct.simulations, uct.seconds))
    };
    assert_eq!(limits("uct:seconds=0.5"), Some((None, Some(0.5))));
    assert_eq!(limits("uct:exploration=1"), Some((Some(1000), None)));
}

#[test]
fn leaves_out_what_is_default() {
    let text = |spec: &str| spec.parse::<BotConfig>().unwrap().to_string();
    assert_eq!(text("uct:simulations=1000,workers=1"), "uct");
    assert_eq!(text("uct:workers=4,simulations=500"), "uct:simulations=500,workers=4");
    assert_eq!(text("uct:policy=tactical"), "uct");
    let policy = "uct:policy=uniform";
    assert_eq!(text(policy), policy);
    assert_eq!(text("uct:stop=none"), "uct");
    let stop = "uct:stop=mercy:25";
    assert_eq!(text(stop), stop);
    assert_eq!(text("uct:seconds=2"), "uct:seconds=2.0");
    assert_eq!(text("two-ply"), "two-ply");
    let both = "uct:seconds=2.0,simulations=1000";
    assert_eq!(text(both), both, "without its simulations this would be another bot");
}

#[test]
fn a_bot_is_called_by_texts_with_earlier_keys() {
    let bot: NamedBot = "uct:simulations=9,proofs=true".parse().unwrap();
    assert_eq!((bot.name.as_str(), bot.is_named()), ("uct:proofs=true,simulations=9", false));
    for (name, is_its) in [
        ("uct:proofs=true,simulations=9", true),
        ("uct:playouts=9,solver=true", true),
        ("uct:playouts=8,solver=true", false),
        ("a", false),
    ] {
        assert_eq!(bot.is_called(name), is_its, "{name}");
    }
    let chosen: NamedBot = "a=uct:simulations=9".parse().unwrap();
    assert!(chosen.is_called("a") && !chosen.is_called("uct:playouts=9"), "it was named");
    // A run keeps the name that its rows have.
    let read = "name = 'uct:playouts=9'\nkind = 'uct'\nplayouts = 9";
    let earlier: NamedBot = toml::from_str(read).unwrap();
    assert_eq!((earlier.name.as_str(), earlier.is_named()), ("uct:playouts=9", false));
}

#[test]
fn toml_takes_text_and_tables() {
    #[derive(Debug, serde::Deserialize)]
    struct Bots {
        bot: Vec<NamedBot>,
    }
    let read = |text: &str| toml::from_str::<Bots>(text).map(|bots| bots.bot);
    let texts = read("bot = ['a=uct:simulations=9', 'random']").unwrap();
    let tables = "[[bot]]\nname = 'a'\nkind = 'uct'\nplayouts = 9\n[[bot]]\nkind = 'random'";
    assert_eq!(texts, read(tables).unwrap());
    let named = read("[[bot]]\nkind = 'random'\nname = 'my bot'").unwrap_err().to_string();
    assert!(named.contains("invalid name of a bot `my bot`"), "{named}");
    assert!(read("bot = [3]").unwrap_err().to_string().contains("expected a bot: a text"));
}

#[test]
fn an_evaluator_has_defaults_of_its_own() {
    use tengen_search::evaluator::{Batch, NamedEvaluator, register, register_named};
    let even = |batch: Batch<'_>| {
        batch.values.fill(0.5);
        Ok(())
    };
    register("even", "1", move |_| Ok(even)).unwrap();
    let text = "uct:evaluator=even,simulations=50";
    let bot: BotConfig = text.parse().unwrap();
    assert_eq!(bot.to_string(), text);
    let settings = bot.settings();
    for expected in [("selection", "puct"), ("exploration", "1.25"), ("rave", "none")] {
        let found = settings.iter().find(|(key, _)| key == expected.0).unwrap();
        assert_eq!(found.1, expected.1, "{}", expected.0);
    }
    let other: BotConfig = "uct:evaluator=even,exploration=2,seconds=1".parse().unwrap();
    assert_eq!(other.to_string(), "uct:evaluator=even,exploration=2.0,seconds=1.0");
    let said = refused("uct:evaluator=odd");
    assert!(said.contains("evaluator `odd`: not registered: expected "), "{said}");
    assert!(said.contains("even"), "{said}");
    let said = refused("uct:evaluator=even,expansion=2");
    assert!(said.contains("combined with prior=none, expansion=1"), "{said}");
    assert!(said.contains("since it gives priors"), "{said}");
    // The formula is the evaluator's: it is not to blame.
    let said = refused("uct:evaluator=even,rave=equivalence:9");
    assert!(said.contains("`evaluator` is even: it must be left out, or"), "{said}");
    assert!(!said.contains("thompson"), "{said}");

    // Without priors it is another judge of leaves only.
    register_named("plain", move |_| {
        Ok(NamedEvaluator::new("", "1", move || Ok(Box::new(even))).without_priors())
    })
    .unwrap();
    let text = "uct:evaluator=plain";
    let bot: BotConfig = text.parse().unwrap();
    assert_eq!(bot.to_string(), text);
    let all = "uct:evaluator=plain,expansion=2,prior=none,transpositions=true,in_flight=4";
    all.parse::<BotConfig>().unwrap();
    let usual: BotConfig = "uct:rave=none".parse().unwrap();
    let others = bot.settings().into_iter().filter(|(key, _)| *key != "evaluator");
    assert!(others.eq(usual.settings().into_iter().filter(|(key, _)| *key != "evaluator")));
    for wrong in ["rave=equivalence:9", "leaf_playouts=2", "workers=2,sharing=upper-tree:9:0.1:3"] {
        let said = refused(&format!("uct:evaluator=plain,{wrong}"));
        let expected = "left out, or combined with rave=none, leaf_playouts=1 and sharing=none";
        assert!(said.contains(expected), "{said}");
    }
}
