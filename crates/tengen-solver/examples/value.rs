use tengen_go::*;
use tengen_solver::*;
struct W;
impl Watch for W {
    fn progress(&mut self, p: &Progress) {
        if std::env::var("V").is_ok() {
            eprintln!("{p:?}");
        }
    }
    fn is_interrupted(&self) -> bool {
        false
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let size: Size = a[1].parse().unwrap();
    let mut rules = Rules::new(Preset::Simple, size, default_komi(size));
    rules.ko = match a[2].as_str() {
        "psk" => Ko::Psk,
        "ssk" => Ko::Ssk,
        _ => Ko::Simple,
    };
    let game = Game::new(size, rules);
    let mut s = Solver::new(size, a[3].parse().unwrap()).unwrap();
    let limits = Limits { nodes: a.get(4).map(|n| n.parse().unwrap()), time: None };
    let r = s.solve(&game, limits, &mut W).unwrap();
    let line: Vec<String> = r.variation.iter().map(|m| m.to_string()).collect();
    println!(
        "{size} {} {:?} {:?} {:?} {:?} nodes {} {:?} {}",
        a[2],
        r.worst,
        r.best,
        r.end,
        r.best_move,
        r.nodes,
        r.time,
        line.join(" ")
    );
}
