//! Methods measured on synthetic surfaces.

use crate::methods::kind::{MethodConfig, MethodKind};
use crate::methods::regret::{MeanRegret, Measurement};
use crate::methods::surface::Surface;
use crate::tuning::settings::{Settings, SettingsError};
use serde::Serialize;

/// Methods, surfaces and numbers of games, all of which are measured with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    settings: Settings,
    /// What all methods have in common.
    method: MethodConfig,
    repeats: usize,
    seed: u64,
    look_ahead: usize,
}

/// A row of `regret.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegretRow {
    /// The surface.
    pub surface: Surface,
    /// The method.
    pub method: MethodKind,
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
}

impl Comparison {
    /// The comparison that `settings` ask for; none if they name no surface.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn new(settings: Settings) -> Result<Option<Self>, SettingsError> {
        let mut settings = settings.or(Settings::default())?;
        if settings.synthetic.is_empty() {
            return Ok(None);
        }
        if settings.param.is_some() || settings.bot.is_some() || settings.opponent.is_some() {
            let fault = "--synthetic plays no games: leave --param, --bot and --opponent out";
            return Err(SettingsError(fault.to_owned()));
        }
        if settings.method.is_empty() {
            settings.method.push(MethodKind::default());
        }
        if settings.games.is_empty() {
            settings.games.push(1_000);
        }
        let repeats = *settings.repeats.get_or_insert(200);
        if !(1..=1_000_000).contains(&repeats) {
            return Err(SettingsError(format!("repeats is {repeats}: it must be 1 to 1000000")));
        }
        let seed = *settings.seed.get_or_insert(1);
        let look_ahead = *settings.look_ahead.get_or_insert(1);
        if look_ahead == 0 {
            return Err(SettingsError("look-ahead is 0: it must be 1 or more".to_owned()));
        }
        let default = MethodConfig::default();
        let method = MethodConfig {
            steps: *settings.steps.get_or_insert(default.steps),
            perturbation: *settings.perturbation.get_or_insert(default.perturbation),
            step: *settings.step.get_or_insert(default.step),
            ..default
        };
        let comparison = Self { settings, method, repeats, seed, look_ahead };
        for (surface, kind, games) in comparison.cells() {
            let config = comparison.config(kind, games);
            // Grids with more points than games are left out.
            if comparison.is_possible(surface, kind, games) {
                let valid = config.validate(surface.dimensions());
                valid.map_err(|fault| SettingsError::of_method(&fault, 1))?;
            }
        }
        Ok(Some(comparison))
    }

    /// All settings, defaults filled in.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The rows that are measured: every surface with every method and number of games.
    #[must_use]
    pub fn cells(&self) -> Vec<(Surface, MethodKind, usize)> {
        let Settings { synthetic, method, games, .. } = &self.settings;
        let with = |&surface: &Surface| {
            let of_method =
                move |&kind: &MethodKind| games.iter().map(move |&games| (surface, kind, games));
            method.iter().flat_map(of_method)
        };
        synthetic.iter().flat_map(with).collect()
    }

    fn config(&self, kind: MethodKind, games: usize) -> MethodConfig {
        MethodConfig { kind, trials: games, ..self.method }
    }

    /// Whether there are games enough for each point of a grid.
    fn is_possible(&self, surface: Surface, kind: MethodKind, games: usize) -> bool {
        let points =
            self.method.steps.saturating_pow(u32::try_from(surface.dimensions()).unwrap_or(2));
        !matches!(kind, MethodKind::Sweep | MethodKind::Halving) || games >= 2 * points
    }

    /// Measures one of [`Comparison::cells`]; none if a grid has too many points for so
    /// few games.
    ///
    /// # Panics
    /// Never: the settings were validated.
    #[must_use]
    pub fn measure(
        &self,
        (surface, method, games): (Surface, MethodKind, usize),
    ) -> Option<RegretRow> {
        if !self.is_possible(surface, method, games) {
            return None;
        }
        let config = self.config(method, games);
        let Self { repeats, seed, look_ahead, .. } = *self;
        let measurement = Measurement { surface, games, repeats, seed, look_ahead };
        let regrets = measurement
            .regrets(|seed| config.build(surface.dimensions(), seed).expect("validated settings"));
        let MeanRegret { mean, interval } = MeanRegret::of(&regrets)?;
        let (low, high) = (interval.map(|i| i.low), interval.map(|i| i.high));
        Some(RegretRow { surface, method, games, repeats, mean_regret: mean, low, high })
    }
}
