use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nes::{Buttons, Region};
use stream::{Follower, Reader, Update};
use tetris::View;

use super::super::both_cartridges::{BUILT_IN, OTHER, Rig, SLOW};
use crate::messages::command::{PracticeCommand, StreamCommand};
use crate::{Command, Options};

/// How long a test waits for another thread.
const PATIENCE: Duration = Duration::from_secs(20);

/// Counts what the stream's thread has taken in.
struct Counter(Arc<AtomicU64>);

impl Follower for Counter {
    fn update(&mut self, _: &Update) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A machine whose stream is read.
struct Watched {
    rig: Rig,
    reader: Reader,
    taken: Arc<AtomicU64>,
    lines: Vec<String>,
}

fn serving(options: &mut Options) {
    (options.stream.serve, options.stream.port) = (true, Some(0));
}

impl Watched {
    fn new(image: &[u8], change: impl FnOnce(&mut Options)) -> Self {
        let mut rig = Rig::with(image, |options| {
            serving(options);
            change(options);
        });
        let taken = Arc::new(AtomicU64::new(0));
        let reader = rig.machine.streaming.watch(Box::new(Counter(Arc::clone(&taken))));
        Self { rig, reader, taken, lines: vec![] }
    }

    fn command(&mut self, command: Command) {
        self.rig.machine.command(command);
    }

    /// Runs frames, no faster than the stream's thread takes them in, so that none is left out.
    fn frames(&mut self, count: u32, hold: impl Fn(u32, View) -> Buttons) {
        for frame in 0..count {
            let held = hold(frame, View::new(self.rig.machine.engine.state().ram()));
            self.rig.shared.input.hold(0, held);
            self.rig.machine.frame();
            let begun = Instant::now();
            while self.taken.load(Ordering::Relaxed) < self.rig.machine.streaming.fed {
                assert!(begun.elapsed() < PATIENCE, "the stream's thread takes no frame");
                std::thread::yield_now();
            }
        }
        self.settle();
    }

    /// Takes the lines of everything that was run.
    fn settle(&mut self) {
        // The thread's lines are there when it has taken in the frame; the last one's a moment
        // later.
        while let Some(line) = self.reader.wait(Duration::from_millis(150)) {
            self.lines.push(line.to_string());
        }
        assert_eq!(self.rig.machine.streaming.status().lost, 0);
    }

    fn count(&self, word: &str) -> usize {
        self.lines.iter().filter(|line| line.contains(word)).count()
    }

    fn forget(&mut self) {
        self.lines.clear();
    }
}

fn down(frame: u32, _: View) -> Buttons {
    if frame % 30 < 28 { Buttons::DOWN } else { Buttons::empty() }
}

fn nobody(_: u32, _: View) -> Buttons {
    Buttons::empty()
}

#[test]
fn a_new_game_is_streamed_from_its_first_event_on_both_cartridges_and_not_what_is_run_ahead() {
    for image in [BUILT_IN, SLOW] {
        let mut watched = Watched::new(image, |options| options.settings.time.run_ahead = 2);
        watched.frames(5, nobody);
        watched.command(Command::NewGame);
        watched.frames(300, down);
        assert_eq!(watched.count("\"event\":\"hello\""), 1, "{:?}", watched.lines);
        assert_eq!(watched.count("\"event\":\"seek\""), 1, "power off and on");
        assert_eq!(watched.count("\"event\":\"game_start\""), 1);
        assert!(watched.count("\"event\":\"spawn\",\"number\":1,") == 1, "{:?}", watched.lines);
        assert!(watched.count("\"event\":\"lock\"") >= 2);
        assert!(watched.count("\"complete\":true") >= 2, "{:?}", watched.lines);
        let last = watched.rig.machine.engine.frame_number();
        let frames: Vec<u64> = watched.lines.iter().filter_map(|line| frame_of(line)).collect();
        assert!(frames.iter().all(|frame| *frame <= last), "nothing of the future");
        let after = frames.iter().position(|frame| *frame > 100).unwrap_or_default();
        assert!(frames[after..].is_sorted());
    }
}

fn frame_of(line: &str) -> Option<u64> {
    let (_, rest) = line.split_once("\"frame\":")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[test]
fn a_rewind_a_loaded_state_and_a_piece_taken_back_say_seek_and_nothing_else_does() {
    for image in [BUILT_IN, SLOW] {
        let states = tempfile::tempdir().unwrap();
        let mut watched = Watched::new(image, |options| options.states = Some(states.path().to_owned()));
        watched.command(Command::NewGame);
        watched.frames(200, down);
        watched.forget();
        watched.frames(100, down);
        assert_eq!(watched.count("\"seek\""), 0);
        let here = watched.rig.machine.engine.frame_number();
        watched.forget();
        watched.command(Command::Rewind(true));
        watched.frames(50, nobody);
        assert_eq!(watched.lines, [""; 0], "while a rewind lasts, nothing is sent");
        watched.command(Command::Rewind(false));
        watched.frames(3, nobody);
        let seek = format!("\"frame\":{},", here - 49);
        assert!(watched.lines[0].contains(&seek) && watched.lines[0].contains("seek"), "{:?}", watched.lines);
        assert!(watched.lines[0].contains(&format!("\"from\":{here}")), "{:?}", watched.lines);
        assert_eq!((watched.count("\"event\":\"seek\""), watched.count("\"event\":\"state\"")), (1, 1));

        watched.command(Command::SaveSlot(1));
        watched.frames(40, down);
        watched.forget();
        watched.command(Command::LoadSlot(1));
        watched.frames(3, nobody);
        assert_eq!(watched.count("\"event\":\"seek\""), 1);

        let (mode, options) = ("tetris".parse().unwrap(), practice::Options::default());
        watched.command(Command::Practice(PracticeCommand::Begin { mode, options, position: None }));
        watched.forget();
        watched.frames(260, down);
        assert_eq!((watched.count("\"event\":\"seek\""), watched.count("\"event\":\"game_start\"")), (1, 1));
        watched.command(Command::Practice(PracticeCommand::Mark));
        watched.forget();
        for command in
            [PracticeCommand::Undo { other_luck: false }, PracticeCommand::Retry { other_luck: true }]
        {
            watched.command(Command::Practice(command));
            watched.frames(4, nobody);
        }
        assert_eq!(watched.count("\"event\":\"seek\""), 2, "{:?}", watched.lines);
    }
}

#[test]
fn another_cartridge_is_greeted_and_one_that_is_not_known_is_not_streamed() {
    let mut watched = Watched::new(BUILT_IN, |_| {});
    watched.frames(20, nobody);
    watched.forget();
    watched.command(Command::Insert("slow".into(), SLOW.to_vec()));
    watched.frames(20, nobody);
    assert_eq!((watched.count("\"event\":\"hello\""), watched.count("\"event\":\"seek\"")), (1, 1));
    watched.command(Command::Insert("other".into(), OTHER.to_vec()));
    watched.forget();
    watched.frames(20, nobody);
    assert_eq!(watched.lines, [""; 0]);
    watched.rig.machine.update_status();
    assert!(watched.rig.machine.streaming.status().players.is_empty());
}

#[test]
fn a_pal_console_is_streamed_at_its_own_rate() {
    const PAL: &[u8] = include_bytes!("../../../../../../roms/maxout-pal.nes");
    for (image, region, rate) in [
        (BUILT_IN, None, 60.0988),
        (BUILT_IN, Some(Region::Pal), 50.007),
        (SLOW, None, 60.0988),
        (PAL, None, 50.007),
    ] {
        let mut watched = Watched::new(image, |options| options.config.region = region);
        watched.frames(700, |frame, _| if frame % 20 < 2 { Buttons::START } else { Buttons::empty() });
        let hello = watched.lines.iter().rfind(|line| line.contains("\"event\":\"hello\"")).unwrap();
        let player = format!("\"rate\":{rate}}}]");
        assert!(hello.contains(&format!("\"rate\":{rate},")) && hello.contains(&player), "{hello}");
        let line = watched.lines.iter().rfind(|line| line.contains("\"event\":\"spawn\"")).unwrap();
        let field = |name: &str| -> f64 {
            let from = line.find(name).unwrap() + name.len();
            line[from..].split(',').next().unwrap().parse().unwrap()
        };
        let (frame, ms) = (field("\"frame\":"), field("\"ms\":"));
        assert!((ms - 1_000.0 * frame / rate).abs() < 1.0, "{line}");
    }
}

#[test]
fn the_computer_is_player_2_with_its_own_game_from_the_beginning() {
    for image in [BUILT_IN, SLOW] {
        let mut watched = Watched::new(image, |options| options.settings.tetris.start_level = 18);
        watched.command(Command::Versus(true));
        watched.frames(400, down);
        let second: Vec<&String> =
            watched.lines.iter().filter(|line| line.contains("{\"player\":2,")).collect();
        let has = |word: &str| second.iter().filter(|line| line.contains(word)).count();
        assert_eq!(has("\"event\":\"game_start\""), 1, "{second:?}");
        assert!(has("\"event\":\"lock\"") >= 2 && has("\"complete\":true") >= 2);
        assert_eq!(watched.lines.iter().filter(|line| line.contains("\"player\":2,\"name\"")).count(), 1);
        watched.command(Command::Versus(false));
        watched.forget();
        watched.frames(5, nobody);
        let hello = watched.lines.iter().find(|line| line.contains("hello")).expect("another hello");
        assert!(!hello.contains("\"player\":2"), "{hello}");
    }
}

#[test]
fn the_server_is_turned_on_and_off_and_a_port_that_is_taken_is_said() {
    let mut rig = Rig::new(BUILT_IN);
    assert!(!rig.machine.streaming.is_on(), "off unless it is asked for");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = |port| crate::config::settings::StreamSettings { port, ..Default::default() };
    rig.machine.command(Command::Streaming(port(taken.local_addr().unwrap().port())));
    rig.machine.command(Command::Stream(StreamCommand::Serve(true)));
    assert!(rig.final_messages().contains("is the port taken?"), "{}", rig.final_messages());
    assert!(!rig.machine.streaming.is_on());
    rig.machine.command(Command::Streaming(port(0)));
    rig.machine.command(Command::Stream(StreamCommand::Serve(true)));
    let address = rig.machine.streaming.address().expect("it serves");
    assert_eq!(rig.final_messages(), format!("streaming at {address}"));
    rig.wait(3);
    let place = address.trim_start_matches("http://").trim_end_matches('/');
    let mut page = std::net::TcpStream::connect(place).unwrap();
    page.set_read_timeout(Some(PATIENCE)).unwrap();
    std::io::Write::write_all(
        &mut page,
        format!("GET /overlay HTTP/1.1\r\nHost: {place}\r\n\r\n").as_bytes(),
    )
    .unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut page, &mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200") && text.contains("overlay.js"), "{text}");
    rig.machine.command(Command::Stream(StreamCommand::Serve(false)));
    assert!(!rig.machine.streaming.is_on() && rig.shared.status().stream.address.is_none());
    let begun = Instant::now();
    while std::net::TcpStream::connect(place).is_ok() {
        assert!(begun.elapsed() < PATIENCE, "the port is still open");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn connections_want_their_secrets_and_no_message_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stream.toml");
    let mut rig = Rig::with(BUILT_IN, |options| options.stream.settings = Some(file.clone()));
    let ask = |rig: &mut Rig, command| {
        rig.machine.command(Command::Stream(command));
        rig.final_messages()
    };
    assert!(ask(&mut rig, StreamCommand::Obs(true)).contains("stream.toml"));
    std::fs::write(&file, "[obs]\npassword = \"hush\"\nadress = 1\n").unwrap();
    let said = ask(&mut rig, StreamCommand::Obs(true));
    assert!(said.contains("line 3") && said.contains("adress") && !said.contains("hush"), "{said}");
    // Nobody listens on this port: it was just given back.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let text = format!(
        "[[nestrischamps]]\nserver = \"ws://{free}\"\nsecret = \"hush-hush\"\n[obs]\naddress = \"ws://{free}\"\n"
    );
    std::fs::write(&file, text).unwrap();
    ask(&mut rig, StreamCommand::Obs(true));
    ask(&mut rig, StreamCommand::NestrisChamps(true));
    let begun = Instant::now();
    let lost = |link: &crate::messages::status::LinkStatus| {
        matches!(link, crate::messages::status::LinkStatus::Lost(_))
    };
    loop {
        let status = rig.machine.streaming.status();
        assert!(!format!("{status:?}").contains("hush"));
        if status.obs.as_ref().is_some_and(lost) && status.nestrischamps.iter().all(lost) {
            assert_eq!(status.nestrischamps.len(), 1);
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{status:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
    ask(&mut rig, StreamCommand::Obs(false));
    ask(&mut rig, StreamCommand::NestrisChamps(false));
    assert!(!rig.machine.streaming.is_on());
}

#[test]
fn the_lines_go_into_a_file_with_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines.jsonl");
    let mut rig = Rig::with(BUILT_IN, |options| {
        options.stream.lines = Some(path.clone());
        options.stream.states = true;
        options.stream.names = vec!["Ada".into()];
    });
    rig.wait(30);
    rig.machine.streaming.end();
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("hello") && lines[0].contains("Ada"), "{text}");
    assert!(lines.iter().any(|line| line.contains("\"event\":\"state\"")) && text.ends_with("\"end\"}\n"));
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_reads_stops_neither_the_game_nor_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut rig = Rig::with(BUILT_IN, |options| options.stream.lines = Some(pipe.clone()));
    rig.wait(200);
    let begun = Instant::now();
    rig.machine.streaming.end();
    assert!(begun.elapsed() < PATIENCE);
}
