//! A sound device without a card.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::display::Running;

/// A sound device that keeps time and is heard by nobody but a recorder: `PulseAudio`'s null sink.
pub(crate) struct SoundServer {
    _server: Running,
    pub(crate) folder: PathBuf,
}

impl SoundServer {
    pub(crate) fn start(folder: &Path) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder.join("sound");
        fs::create_dir(&folder).expect("a folder");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("a folder of one's own");
        let script = folder.join("server.pa");
        let modules = "load-module module-null-sink sink_name=cap rate=48000 channels=2\n\
                       load-module module-native-protocol-unix\nset-default-sink cap\n";
        fs::write(&script, modules).expect("the server's script");
        let server = Command::new("pulseaudio")
            .args(["-n", "--exit-idle-time=-1", "--use-pid-file=false", "--daemonize=no", "-F"])
            .arg(&script)
            .env("XDG_RUNTIME_DIR", &folder)
            .stderr(Stdio::null())
            .spawn()
            .expect("pulseaudio starts");
        let mut server = Running(server);
        let socket = folder.join("pulse").join("native");
        while !socket.exists() {
            assert!(server.0.try_wait().expect("its state").is_none(), "the sound server ended");
            thread::sleep(Duration::from_millis(20));
        }
        Self { _server: server, folder }
    }

    /// Records what is played, 48 kHz, one channel, into `path` until it is dropped.
    pub(crate) fn record(&self, path: &Path) -> Running {
        let recorder = Command::new("parec")
            .args([
                "-d",
                "cap.monitor",
                "--rate=48000",
                "--channels=1",
                "--format=s16le",
                "--file-format=wav",
            ])
            .arg(path)
            .env("XDG_RUNTIME_DIR", &self.folder)
            .spawn()
            .expect("parec starts");
        Running(recorder)
    }
}
