//! Methods measured on synthetic surfaces.

use crate::run::Execution;
use crate::tuning::settings::Settings;
use serde::Serialize;
use tengen_optimize::kind::{MethodConfig, MethodKind};
use tengen_optimize::regret::{Measurement, Outcome};
use tengen_optimize::spsa::Sizes;
use tengen_optimize::surface::Surface;
use tengen_settings::SettingError;
use tengen_stats::Level;
use toml::Table;

/// A comparison of methods: each is measured on every surface with every number of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The settings.
    pub settings: Settings,
    /// What all methods have in common.
    method: MethodConfig,
}

/// A row of `regret.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegretRow {
    /// The surface.
    pub surface: Surface,
    /// The method.
    pub method: MethodKind,
    /// Whether two points play each other, rather than a point and a fixed opponent.
    pub duels: bool,
    /// Games per repeat.
    pub games: usize,
    /// Number of repeats.
    pub repeats: usize,
    /// Mean simple regret: win probability lost at the estimate.
    pub mean_regret: f64,
    /// Lower end of its 95 % interval; empty with one repeat.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Share of the repeats whose interval of the optimum holds it; with two parameters the
    /// mean of both.
    pub coverage: f64,
    /// Mean width of that interval, in shares of the range.
    pub width: f64,
}

impl Comparison {
    /// The comparison that the settings in `table` ask for; none if they name no surface.
    pub fn from_table(table: Table) -> Result<Option<Self>, SettingError> {
        let (settings, _) = Execution::split::<Settings>(table)?;
        if settings.synthetic.is_empty() {
            return Ok(None);
        }
        let Settings { steps, perturbation, step, .. } = settings;
        let (sizes, duels) = (Sizes { perturbation, step }, !settings.fixed_opponent);
        let method = MethodConfig { steps, sizes, duels, ..MethodConfig::default() };
        let comparison = Self { settings, method };
        let cells = comparison.cells();
        for &(surface, kind, games) in &cells {
            comparison.config(kind, games).validate(surface.dimensions(), 1)?;
        }
        if cells.is_empty() {
            let said = comparison.left_out().unwrap_or_default();
            return Err(SettingError::of("games", format!("nothing to measure: {said}")));
        }
        Ok(Some(comparison))
    }

    /// The rows that are measured: every surface with every method and number of games, but for
    /// [`Self::left_out`].
    #[must_use]
    pub fn cells(&self) -> Vec<(Surface, MethodKind, usize)> {
        self.all_cells().filter(|&cell| self.is_possible(cell)).collect()
    }

    /// What is not measured, in a sentence: grids with too few games for their points. None if there
    /// are none.
    #[must_use]
    pub fn left_out(&self) -> Option<String> {
        let left_out = self.all_cells().filter(|&cell| !self.is_possible(cell));
        let named = left_out.map(|(surface, method, games)| {
            let fewest = self.points(surface).saturating_mul(2);
            format!("{method} on {surface} needs {fewest} games, not {games}")
        });
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then(|| format!("{} (or fewer --steps)", named.join("; ")))
    }

    fn all_cells(&self) -> impl Iterator<Item = (Surface, MethodKind, usize)> {
        let Settings { synthetic, method, games, .. } = &self.settings;
        let with = move |&surface: &Surface| {
            let of_method =
                move |&kind: &MethodKind| games.iter().map(move |&games| (surface, kind, games));
            method.iter().flat_map(of_method)
        };
        synthetic.iter().flat_map(with)
    }

    fn config(&self, kind: MethodKind, games: usize) -> MethodConfig {
        MethodConfig { kind, trials: games, ..self.method }
    }

    /// Number of points of a grid on `surface`.
    fn points(&self, surface: Surface) -> usize {
        self.method.steps.saturating_pow(u32::try_from(surface.dimensions()).unwrap_or(2))
    }

    /// Whether there are games enough for each point of a grid.
    fn is_possible(&self, (surface, kind, games): (Surface, MethodKind, usize)) -> bool {
        !kind.is_grid() || games >= self.points(surface).saturating_mul(2)
    }

    /// Measures one of [`Comparison::cells`]; none without repeats.
    ///
    /// # Panics
    /// If the cell is none of these.
    #[must_use]
    pub fn measure(
        &self,
        (surface, method, games): (Surface, MethodKind, usize),
    ) -> Option<RegretRow> {
        let config = self.config(method, games);
        let Settings { repeats, seed, look_ahead, .. } = self.settings;
        let repeats = repeats.unwrap_or(1);
        let measurement = Measurement { surface, games, repeats, seed, look_ahead };
        let outcomes = measurement.outcomes(|seed| config.build(surface.dimensions(), seed));
        let mean = |of: fn(&Outcome) -> f64| {
            outcomes.iter().map(of).sum::<f64>() / outcomes.len().max(1) as f64
        };
        let (coverage, width) = (mean(|outcome| outcome.covered), mean(|outcome| outcome.width));
        let regrets: Vec<f64> = outcomes.iter().map(|outcome| outcome.regret).collect();
        let (mean, interval) = tengen_stats::mean(&regrets, Level::P95)?;
        let (low, high) = (interval.map(|i| i.low), interval.map(|i| i.high));
        Some(RegretRow {
            surface,
            method,
            duels: config.is_duel(),
            games,
            repeats,
            mean_regret: mean,
            low,
            high,
            coverage,
            width,
        })
    }
}
