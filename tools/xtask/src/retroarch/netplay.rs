//! Two of `RetroArch` that play one game over the network of this machine.

use super::front_end::{Running, Setting, setting, tail};
use crate::display::Display;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::net::UdpSocket;
use std::path::Path;
use std::time::{Duration, Instant};

/// Frames that each runs.
const FRAMES: u64 = 6_000;
/// The last frames of either, in which the other may have been gone already.
const LAST: u64 = 120;
/// The fewest states that are compared.
const LEAST: usize = 20;
/// Ports: of the match, and of the pads of both sides.
const PORT: u16 = 55_470;
const PADS: [u16; 2] = [55_480, 55_490];
const PATIENCE: Duration = Duration::from_secs(240);
/// The longest until the host listens and the guest has joined.
const TO_MEET: Duration = Duration::from_secs(60);

/// Numbers of libretro for what is pressed: the host Start, which leads into a game, and the guest
/// A.
const PRESSED: [u32; 2] = [3, 8];
/// How long a button is down, and then up.
const PRESS: Duration = Duration::from_millis(70);

/// Lets two play, the buttons of both changing all the time, and compares their states at all
/// frames that both have logged. `alone` says what the state is without any presses.
pub(super) fn test(
    display: &Display,
    core: &Path,
    rom: &Path,
    folder: &Path,
    alone: impl Fn(u64) -> Result<String>,
) -> Result<()> {
    let [host, guest] = ["host", "guest"].map(|name| folder.join(name));
    for folder in [&host, &guest] {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("core-options.cfg"), "maxout_log_states = \"on\"\n")?;
    }
    let arguments =
        |own: &[String]| [own, &[format!("--port={PORT}"), format!("--max-frames={FRAMES}")]].concat();
    let mut first =
        Running::start(display, core, Some(rom), &host, &settings(0), &arguments(&["--host".to_owned()]))?;
    meet(&mut first, &["Waiting for client", "netplay_init_host", "Netplay"])?;
    let join = arguments(&["--connect=127.0.0.1".to_owned()]);
    let mut second = Running::start(display, core, Some(rom), &guest, &settings(1), &join)?;
    let [first, second] = press(&mut first, &mut second)?;
    let [first_states, second_states] = [states(&first), states(&second)];
    let end = |states: &BTreeMap<u64, String>| states.keys().next_back().copied().unwrap_or_default();
    let until = end(&first_states).min(end(&second_states)).saturating_sub(LAST);
    let both: Vec<_> =
        first_states.range(..=until).filter(|(frame, _)| second_states.contains_key(frame)).collect();
    let apart = both.iter().find(|(frame, state)| second_states.get(*frame) != Some(*state));
    if let Some((frame, state)) = apart {
        bail!("netplay: at frame {frame} the host has {state}, the guest {:?}", second_states.get(*frame));
    }
    let Some((frame, state)) = both.last().filter(|_| both.len() >= LEAST) else {
        bail!("netplay: {} states to compare\n{}\n--\n{}", both.len(), tail(&first), tail(&second));
    };
    if **state == alone(**frame)? {
        bail!("netplay: no button has reached the game");
    }
    println!("netplay: {} states of both are the same, up to frame {frame}, state {state}", both.len());
    Ok(())
}

/// What is set for side `side` beside the usual.
fn settings(side: usize) -> [Setting; 9] {
    [
        setting("netplay_nickname", ["host", "guest"][side]),
        setting("netplay_public_announce", false),
        setting("netplay_nat_traversal", false),
        setting("netplay_use_mitm_server", false),
        setting("netplay_start_as_spectator", false),
        // Faster than the console would be seconds of waiting for each other.
        setting("netplay_check_frames", 60),
        setting("network_remote_enable", true),
        setting("network_remote_enable_user_p1", true),
        setting("network_remote_base_port", PADS[side]),
    ]
}

/// Waits until a line of the log has one of `words`.
fn meet(running: &mut Running, words: &[&str]) -> Result<()> {
    let begun = Instant::now();
    loop {
        let text = running.text()?;
        if words.iter().any(|word| text.contains(word)) {
            return Ok(());
        }
        if running.has_ended()? || begun.elapsed() > TO_MEET {
            bail!("retroarch has not begun a match:\n{}", tail(&text));
        }
        std::thread::sleep(PRESS);
    }
}

/// Presses buttons on both sides until they have ended, and returns what they have logged.
fn press(first: &mut Running, second: &mut Running) -> Result<[String; 2]> {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).context("no socket for the pads")?;
    let begun = Instant::now();
    let mut down = false;
    while !(first.has_ended()? || second.has_ended()?) && begun.elapsed() < PATIENCE {
        down = !down;
        for (port, button) in PADS.into_iter().zip(PRESSED) {
            // A pad that is not there yet loses a press.
            let _ = socket.send_to(&packet(button, down), ("127.0.0.1", port));
        }
        std::thread::sleep(PRESS);
    }
    Ok([first.wait(PATIENCE)?, second.wait(PATIENCE)?])
}

/// What `RetroArch` takes from a pad on the network: port, device, index and number of the button,
/// 32 bits each, and its state, 16 bits and as many of nothing.
fn packet(button: u32, down: bool) -> [u8; 20] {
    let mut bytes = [0; 20];
    for (place, number) in bytes.as_chunks_mut::<4>().0.iter_mut().zip([0, 1, 0, button, down.into()]) {
        *place = number.to_ne_bytes();
    }
    bytes
}

/// The states that were logged, by frame; of a frame that was run again, the last.
fn states(text: &str) -> BTreeMap<u64, String> {
    let of = |line: &str| {
        let (frame, state) = line.split_once("Maxout: frame ")?.1.split_once(", state ")?;
        Some((frame.parse().ok()?, state.trim().to_owned()))
    };
    text.lines().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_frame_that_was_run_again_the_last_state_counts() {
        let text = "[INFO] Maxout: frame 60, state aa\nMaxout: frame 120, state bb\n\
                    Maxout: frame 60, state cc\nMaxout: 200 frames, state dd\n";
        let expected = BTreeMap::from([(60, "cc".to_owned()), (120, "bb".to_owned())]);
        assert_eq!(states(text), expected);
    }
}
