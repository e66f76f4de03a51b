//! The protocol itself: commands about commands, and the loop that reads and
//! answers.

use super::arguments::{number, word};
use super::live::{Incoming, Live};
use super::{Commands, Engine, names};
use crate::program;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use tengen_gtp::protocol::{Answer, Command};
use tengen_gtp::{Line, Log, Source, read_line};

/// Bytes that a command line may have, without comment and repeated spaces.
const MAX_LINE: usize = 1 << 16;

/// Lines that are read ahead.
const MAX_LINES: usize = 256;

pub const COMMANDS: Commands = &[
    ("protocol_version", 0, |_, _, _| Ok("2".to_owned())),
    ("name", 0, |_, _, _| Ok(program().map_or_else(|| "Tengen".to_owned(), |it| it.name))),
    ("version", 0, |_, _, _| {
        let own = env!("CARGO_PKG_VERSION");
        Ok(program().map_or_else(|| own.to_owned(), |it| it.versions(own)))
    }),
    ("list_commands", 0, |_, _, _| Ok(names().join("\n"))),
    ("known_command", 1, |_, words, _| {
        Ok(names().contains(&word(words, 0, "the name of a command")?).to_string())
    }),
    ("quit", 0, |engine, _, _| {
        engine.has_ended = true;
        Ok(String::new())
    }),
    ("set_random_seed", 1, |engine, words, _| {
        engine.seed = number(words, 0, "a seed")?;
        engine.bot = None;
        engine.games = 0;
        Ok(String::new())
    }),
    // Ends an analysis, as every line does.
    ("stop", 0, |_, _, _| Ok(String::new())),
];

impl Engine<'_> {
    /// Answers the commands of `input` until it ends or says `quit`. Another thread reads the
    /// input: a new line ends an analysis, and never waits for one. The thread ends with the input,
    /// or when the next line after `quit` arrives.
    pub fn serve(
        &mut self,
        input: impl BufRead + Send + 'static,
        output: impl Write,
    ) -> io::Result<()> {
        self.serve_logged(input, output, &Log::default(), &mut io::sink())
    }

    /// As [`Self::serve`], and writes the dialogue to `log`, and details of refusals to `notes` as
    /// well.
    pub fn serve_logged(
        &mut self,
        input: impl BufRead + Send + 'static,
        mut output: impl Write,
        log: &Log,
        notes: &mut dyn Write,
    ) -> io::Result<()> {
        let incoming = Arc::new(Incoming::default());
        let lines = read_ahead(input, Arc::clone(&incoming))?;
        while !self.has_ended {
            // The reader is gone once the input has ended.
            let Ok(line) = lines.recv() else { break };
            incoming.take();
            self.respond(line?, &incoming, &mut output, log, notes)?;
        }
        Ok(())
    }

    /// Answers one line.
    pub(super) fn respond(
        &mut self,
        line: Line,
        incoming: &Incoming,
        output: &mut dyn Write,
        log: &Log,
        notes: &mut dyn Write,
    ) -> io::Result<()> {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong { id } => {
                let why = format!("line too long: more than {MAX_LINE} bytes");
                log.line(Source::Errors, &why);
                return send(&Answer { id, result: Err(why) }, output, log);
            }
        };
        log.line(Source::Output, &line);
        let Some(command) = Command::read(&line) else { return Ok(()) };
        let mut sending = Live::new(command.id, output, incoming);
        let mut result = self.execute(&command, &mut sending);
        let has_sent = sending.has_begun();
        let why = result.as_mut().err().and_then(|refusal| refusal.why.take());
        for note in self.notes.drain(..).chain(why) {
            log.line(Source::Errors, &note);
            // Notes are for people: a failure to write them changes nothing.
            let _ = writeln!(notes, "{}: {note}", command.name);
        }
        if has_sent {
            if let Err(refusal) = result {
                log.line(Source::Errors, &refusal.said);
                let _ = writeln!(notes, "{}: {}", command.name, refusal.said);
            }
            output.write_all(b"\n")?;
            log.line(Source::Us, "");
            return output.flush();
        }
        let result = result.map_err(|refusal| refusal.said);
        send(&Answer { id: command.id, result }, output, log)
    }
}

fn send(answer: &Answer, output: &mut dyn Write, log: &Log) -> io::Result<()> {
    let text = answer.to_string();
    for line in text.trim_end().lines() {
        log.line(Source::Us, line);
    }
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// Reads `input` on a thread of its own.
fn read_ahead(
    mut input: impl BufRead + Send + 'static,
    incoming: Arc<Incoming>,
) -> io::Result<Receiver<io::Result<Line>>> {
    let (sender, lines): (SyncSender<io::Result<Line>>, _) = sync_channel(MAX_LINES);
    let read = move || {
        loop {
            let line = read_line(&mut input, MAX_LINE).transpose();
            let Some(line) = line else { break };
            let is_last = line.is_err();
            // Before it is sent, or it might be taken before it is counted.
            incoming.add();
            if sender.send(line).is_err() || is_last {
                break;
            }
        }
        incoming.add();
    };
    thread::Builder::new().name("gtp input".into()).spawn(read)?;
    Ok(lines)
}
