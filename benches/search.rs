//! UCT: simulations per second from the empty board. The benchmark checks the
//! number of simulations in the tree while it times.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tengen::go::{Game, Preset, Rules, Size, default_komi};
use tengen::search::tree::Tree;
use tengen::search::{UctConfig, shared};

const PLAYOUTS: u64 = 2_000;

fn uct(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uct");
    group.throughput(Throughput::Elements(PLAYOUTS)).sample_size(20);
    for side in [5, 9, 19] {
        let size = Size::square(side).expect("a size");
        let game = Game::new(size, Rules::new(Preset::Tengen, size, default_komi(size)));
        let config = UctConfig { simulations: Some(PLAYOUTS), ..UctConfig::plain() };
        group.bench_function(size.to_string(), |b| {
            b.iter(|| {
                let (_, trees) =
                    shared::search(&game, &config, 1, Vec::new(), None).expect("a small tree");
                assert_eq!(u64::from(trees[0].visits(Tree::ROOT)), PLAYOUTS);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, uct);
criterion_main!(benches);
