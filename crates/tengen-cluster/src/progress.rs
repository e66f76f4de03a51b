//! The games that a job has finished after some work: several games are open at once and
//! share the core equally, as the bots of a tournament share its lanes.

/// What a job has done after an amount of work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The finished games, as indices into the games of the job, in order of completion.
    pub finished: Vec<usize>,
    /// Work done: all of it if every game is finished.
    pub work: f64,
    /// Of that, work for games that are not finished.
    pub lost: f64,
}

/// Does up to `most` seconds of work on games that take `seconds` each. Up to `open` games
/// are open at once; each gets an equal share of the core, and the next game in order begins
/// when one ends.
#[must_use]
pub fn advance(seconds: &[f64], open: usize, most: f64) -> Progress {
    let mut progress = Progress::default();
    // The work that each open game has had since the first began, if it had always been
    // open, and where on that scale the open games began and will end.
    let mut served = 0.0;
    let mut games: Vec<(usize, f64, f64)> = Vec::with_capacity(open);
    let mut next = 0;
    loop {
        while games.len() < open.max(1) && next < seconds.len() {
            games.push((next, served, served + seconds[next]));
            next += 1;
        }
        let Some(first) =
            (0..games.len()).min_by(|&one, &other| games[one].2.total_cmp(&games[other].2))
        else {
            return progress;
        };
        let work = (games[first].2 - served) * games.len() as f64;
        if progress.work + work > most {
            served += (most - progress.work) / games.len() as f64;
            progress.work = most;
            progress.lost = games.iter().map(|(_, began, _)| served - began).sum();
            return progress;
        }
        progress.work += work;
        served = games[first].2;
        progress.finished.push(games.swap_remove(first).0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_after_the_other() {
        let progress = advance(&[3.0, 1.0, 2.0], 1, 100.0);
        assert_eq!(progress, Progress { finished: vec![0, 1, 2], work: 6.0, lost: 0.0 });
        let cut = advance(&[3.0, 1.0, 2.0], 1, 5.5);
        assert_eq!(cut, Progress { finished: vec![0, 1], work: 5.5, lost: 1.5 });
    }

    #[test]
    fn open_games_share_the_core() {
        // Both games have had 1 s after 2 s; game 2 then begins beside game 0.
        let cut = advance(&[3.0, 1.0, 2.0], 2, 4.0);
        assert_eq!(cut, Progress { finished: vec![1], work: 4.0, lost: 3.0 });
        let all = advance(&[3.0, 1.0, 2.0], 2, 6.0);
        assert_eq!(all.work, 6.0);
        assert_eq!((all.finished.len(), all.lost), (3, 0.0));
    }

    #[test]
    fn work_is_kept_or_lost() {
        let seconds: Vec<f64> = (0..40).map(|game| f64::from(1 + game * 7 % 13)).collect();
        for open in [1, 3, 16, 50] {
            for tenth in 0..=10 {
                let most = seconds.iter().sum::<f64>() * f64::from(tenth) / 10.0;
                let progress = advance(&seconds, open, most);
                let kept: f64 = progress.finished.iter().map(|&game| seconds[game]).sum();
                assert!((kept + progress.lost - progress.work).abs() < 1e-9, "{open} {tenth}");
                assert!(progress.work <= most + 1e-9);
            }
        }
    }
}
