//! What the system has to bring, and how its package manager calls it.
//!
//! macOS and Windows bring what the window needs themselves; there, only the assembler is looked
//! at.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a requirement is needed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To compile the workspace.
    Build,
    /// To open the window.
    Run,
    /// To assemble the cartridges.
    Assemble,
    /// To make the packages that people install.
    Package,
    /// To test the core of libretro in a front end.
    RetroArch,
    /// To test the window on a display without a screen, with pads and sound that are not there.
    Window,
}

/// How to see that a requirement is there: any one of these.
enum Probe {
    /// A program in `PATH`.
    Program(&'static str),
    /// A development package known to pkg-config.
    PkgConfig(&'static str),
    /// A shared library known to the loader.
    Library(&'static str),
    /// A folder with something in it.
    Folder(&'static str),
    /// A plugin of ALSA's library.
    AlsaPlugin(&'static str),
    /// A module of `GObject` introspection, with its version, that the system's Python can load.
    Introspected(&'static str, &'static str),
}

/// Something the system brings.
struct Requirement {
    purpose: Purpose,
    what: &'static str,
    probes: &'static [Probe],
    apt: &'static str,
    dnf: &'static str,
    pacman: &'static str,
    /// `None` where the system brings it on everything but Linux.
    brew: Option<&'static str>,
}

const REQUIREMENTS: &[Requirement] = &[
    Requirement {
        purpose: Purpose::Build,
        what: "pkg-config, which finds the other two",
        probes: &[Probe::Program("pkg-config")],
        apt: "pkg-config",
        dnf: "pkgconf-pkg-config",
        pacman: "pkgconf",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Build,
        what: "ALSA headers, for sound",
        probes: &[Probe::PkgConfig("alsa")],
        apt: "libasound2-dev",
        dnf: "alsa-lib-devel",
        pacman: "alsa-lib",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Build,
        what: "udev headers, for gamepads",
        probes: &[Probe::PkgConfig("libudev")],
        apt: "libudev-dev",
        dnf: "systemd-devel",
        pacman: "systemd-libs",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Run,
        what: "the X11 client library",
        probes: &[Probe::Library("libX11.so.6")],
        apt: "libx11-6",
        dnf: "libX11",
        pacman: "libx11",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Run,
        what: "the X11 to XCB bridge",
        probes: &[Probe::Library("libX11-xcb.so.1")],
        apt: "libx11-xcb1",
        dnf: "libX11-xcb",
        pacman: "libx11",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Run,
        what: "keyboard layouts under X11",
        probes: &[Probe::Library("libxkbcommon-x11.so.0")],
        apt: "libxkbcommon-x11-0",
        dnf: "libxkbcommon-x11",
        pacman: "libxkbcommon-x11",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Run,
        what: "X11 cursors",
        probes: &[Probe::Library("libXcursor.so.1")],
        apt: "libxcursor1",
        dnf: "libXcursor",
        pacman: "libxcursor",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Run,
        what: "X11 input devices",
        probes: &[Probe::Library("libXi.so.6")],
        apt: "libxi6",
        dnf: "libXi",
        pacman: "libxi",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Run,
        what: "a graphics loader (Vulkan or EGL)",
        probes: &[Probe::Library("libvulkan.so.1"), Probe::Library("libEGL.so.1")],
        apt: "libvulkan1",
        dnf: "vulkan-loader",
        pacman: "vulkan-icd-loader",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Run,
        what: "a graphics driver",
        probes: &[
            Probe::Folder("/usr/share/vulkan/icd.d"),
            Probe::Folder("/etc/vulkan/icd.d"),
            Probe::Library("libEGL.so.1"),
        ],
        apt: "mesa-vulkan-drivers",
        dnf: "mesa-vulkan-drivers",
        pacman: "vulkan-swrast",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Assemble,
        what: "the assembler ca65, for the cartridges",
        probes: &[Probe::Program("ca65")],
        apt: "cc65",
        dnf: "cc65",
        pacman: "cc65",
        brew: Some("cc65"),
    },
    Requirement {
        purpose: Purpose::Package,
        what: "Debian's tools for packages",
        probes: &[Probe::Program("dpkg-shlibdeps")],
        apt: "dpkg-dev",
        dnf: "dpkg-dev",
        pacman: "dpkg",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Package,
        what: "SquashFS, for AppImages",
        probes: &[Probe::Program("mksquashfs")],
        apt: "squashfs-tools",
        dnf: "squashfs-tools",
        pacman: "squashfs-tools",
        brew: None,
    },
    Requirement {
        purpose: Purpose::RetroArch,
        what: "RetroArch, the front end of libretro",
        probes: &[Probe::Program("retroarch")],
        apt: "retroarch",
        dnf: "retroarch",
        pacman: "retroarch",
        brew: None,
    },
    Requirement {
        purpose: Purpose::RetroArch,
        what: "a display without a screen",
        probes: &[Probe::Program("Xvfb")],
        apt: "xvfb",
        dnf: "xorg-x11-server-Xvfb",
        pacman: "xorg-server-xvfb",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "a display without a screen",
        probes: &[Probe::Program("Xvfb")],
        apt: "xvfb",
        dnf: "xorg-x11-server-Xvfb",
        pacman: "xorg-server-xvfb",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "xdotool, which presses keys and moves windows",
        probes: &[Probe::Program("xdotool")],
        apt: "xdotool",
        dnf: "xdotool",
        pacman: "xdotool",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "ImageMagick, which takes pictures of windows",
        probes: &[Probe::Program("import")],
        apt: "imagemagick",
        dnf: "ImageMagick",
        pacman: "imagemagick",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "umockdev, for gamepads that are not there",
        probes: &[Probe::Program("umockdev-wrapper")],
        apt: "umockdev",
        dnf: "umockdev",
        pacman: "umockdev",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "Python's bindings of umockdev",
        probes: &[Probe::Introspected("UMockdev", "1.0")],
        apt: "gir1.2-umockdev-1.0 python3-gi",
        dnf: "umockdev python3-gobject",
        pacman: "umockdev python-gobject",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "PulseAudio",
        probes: &[Probe::Program("pulseaudio")],
        apt: "pulseaudio",
        dnf: "pulseaudio",
        pacman: "pulseaudio",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "parec, which records what PulseAudio plays",
        probes: &[Probe::Program("parec")],
        apt: "pulseaudio-utils",
        dnf: "pulseaudio-utils",
        pacman: "libpulse",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "ALSA's way to PulseAudio",
        probes: &[Probe::AlsaPlugin("libasound_module_pcm_pulse.so")],
        apt: "libasound2-plugins",
        dnf: "alsa-plugins-pulseaudio",
        pacman: "alsa-plugins",
        brew: None,
    },
    Requirement {
        purpose: Purpose::Window,
        what: "ffmpeg and ffprobe, for MP4",
        probes: &[Probe::Program("ffprobe")],
        apt: "ffmpeg",
        dnf: "ffmpeg-free",
        pacman: "ffmpeg",
        brew: None,
    },
];

/// A package manager and the words it wants.
struct Manager {
    program: &'static str,
    refresh: &'static [&'static str],
    install: &'static [&'static str],
    package: fn(&Requirement) -> Option<&'static str>,
    /// Does it want to be root?
    root: bool,
}

const MANAGERS: &[Manager] = &[
    Manager {
        program: "apt-get",
        refresh: &["update"],
        install: &["install", "-y", "--no-install-recommends"],
        package: |requirement| Some(requirement.apt),
        root: true,
    },
    Manager {
        program: "dnf",
        refresh: &["makecache"],
        install: &["install", "-y"],
        package: |requirement| Some(requirement.dnf),
        root: true,
    },
    Manager {
        program: "pacman",
        refresh: &["-Sy"],
        install: &["-S", "--needed", "--noconfirm"],
        package: |requirement| Some(requirement.pacman),
        root: true,
    },
    Manager {
        program: "brew",
        refresh: &["update"],
        install: &["install"],
        package: |requirement| requirement.brew,
        root: false,
    },
];

/// Makes sure that the system brings what `purpose` needs: installs what is missing, saying so, or
/// only says so when `install` is false.
///
/// # Errors
/// When something is missing and could not be installed. What only running needs is never an error:
/// the window says by itself what it lacks.
pub fn ensure(purpose: Purpose, install: bool) -> Result<()> {
    let missing = missing(purpose);
    if missing.is_empty() {
        return Ok(());
    }
    for requirement in &missing {
        println!("missing: {} (Debian: {})", requirement.what, requirement.apt);
    }
    let packages = |manager: &Manager| {
        let mut packages: Vec<&str> =
            missing.iter().map(|requirement| (manager.package)(requirement)).collect::<Option<_>>()?;
        packages = packages.into_iter().flat_map(str::split_whitespace).collect();
        packages.dedup();
        Some(packages)
    };
    let mut managers = MANAGERS.iter().filter(|manager| present(&Probe::Program(manager.program)));
    let Some((manager, packages)) = managers.find_map(|manager| Some((manager, packages(manager)?))) else {
        if !install {
            return Ok(());
        }
        return give_up(purpose, "no package manager that is known here (apt-get, dnf, pacman, brew)");
    };
    let command = line(manager, &packages);
    if !install {
        println!("to install it: {command}");
        return Ok(());
    }
    println!("installing: {command}");
    let attempt = || call(manager, &[manager.install, &packages].concat());
    // A fresh machine's package lists may be empty or old: the second try comes after a refresh.
    let installed = attempt() || (call(manager, manager.refresh) && attempt());
    if !installed || !complete(purpose) {
        return give_up(purpose, &format!("it is still missing; by hand: {command}"));
    }
    Ok(())
}

/// Makes sure that cargo has `fmt` and `clippy`, by rustup where there is one.
///
/// # Errors
/// When rustup cannot add one.
pub fn ensure_components(install: bool) -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if quiet("cargo", &[subcommand, "--version"]) {
            continue;
        }
        println!("missing: cargo {subcommand} (rustup component add {component})");
        if install && present(&Probe::Program("rustup")) {
            println!("installing: rustup component add {component}");
            if !succeeds(Command::new("rustup").args(["component", "add", component])) {
                bail!("rustup could not add {component}");
            }
        }
    }
    Ok(())
}

/// What Debian calls the libraries and drivers that the window loads while it runs.
pub fn debian_packages_to_run() -> impl Iterator<Item = &'static str> {
    REQUIREMENTS
        .iter()
        .filter(|requirement| requirement.purpose == Purpose::Run)
        .map(|requirement| requirement.apt)
}

/// Makes sure that a Debian has packages that other systems call otherwise or do not have: the
/// program of each tells whether it is there.
///
/// # Errors
/// When one is missing and was not installed.
pub fn ensure_debian(programs: &[(&'static str, &str)], install: bool) -> Result<()> {
    let packages: Vec<&str> = programs
        .iter()
        .filter(|(program, _)| !present(&Probe::Program(program)))
        .map(|&(_, package)| package)
        .collect();
    if packages.is_empty() {
        return Ok(());
    }
    let manager = &MANAGERS[0];
    let command = line(manager, &packages);
    if !install || !present(&Probe::Program(manager.program)) {
        bail!("missing: {}; on Debian: {command}", packages.join(", "));
    }
    println!("installing: {command}");
    let attempt = || call(manager, &[manager.install, &packages].concat());
    if !(attempt() || (call(manager, manager.refresh) && attempt())) {
        bail!("the package manager failed; by hand: {command}");
    }
    Ok(())
}

/// Is everything there that `purpose` needs?
pub fn complete(purpose: Purpose) -> bool {
    missing(purpose).is_empty()
}

fn missing(purpose: Purpose) -> Vec<&'static Requirement> {
    REQUIREMENTS
        .iter()
        .filter(|requirement| cfg!(target_os = "linux") || requirement.brew.is_some())
        .filter(|requirement| requirement.purpose == purpose && !requirement.probes.iter().any(present))
        .collect()
}

fn give_up(purpose: Purpose, reason: &str) -> Result<()> {
    match purpose {
        Purpose::Build | Purpose::Assemble | Purpose::Package | Purpose::RetroArch | Purpose::Window => {
            bail!("{reason}")
        }
        Purpose::Run => {
            println!("{reason}; trying without");
            Ok(())
        }
    }
}

fn present(probe: &Probe) -> bool {
    match *probe {
        Probe::Program(name) => {
            let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
            std::env::var_os("PATH")
                .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(&name).is_file()))
        }
        Probe::PkgConfig(name) => quiet("pkg-config", &["--exists", name]),
        Probe::Library(name) => loader_knows(name),
        Probe::AlsaPlugin(name) => alsa_folders().any(|folder| folder.join(name).is_file()),
        Probe::Introspected(module, version) => {
            let load = format!("import gi; gi.require_version('{module}', '{version}')");
            quiet(PYTHON, &["-c", &load])
        }
        Probe::Folder(path) => Path::new(path).read_dir().is_ok_and(|mut entries| entries.next().is_some()),
    }
}

/// The system's own Python, for which its packages are.
const PYTHON: &str = "/usr/bin/python3";

/// Folders in which ALSA's library looks for plugins, as distributions have them.
fn alsa_folders() -> impl Iterator<Item = PathBuf> {
    let by_architecture = Path::new("/usr/lib").read_dir().into_iter().flatten().flatten();
    let folders = by_architecture.map(|entry| entry.path()).chain(["/usr/lib".into(), "/usr/lib64".into()]);
    folders.map(|folder| folder.join("alsa-lib"))
}

fn loader_knows(library: &str) -> bool {
    // Ordinary users do not have /sbin in PATH.
    ["ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig"].iter().any(|program| {
        Command::new(program)
            .arg("-p")
            .stderr(Stdio::null())
            .output()
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(library))
    })
}

fn quiet(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    succeeds(command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))
}

/// The line a user would type.
fn line(manager: &Manager, packages: &[&str]) -> String {
    let prefix = if is_root() || !manager.root { "" } else { "sudo " };
    format!("{prefix}{} {} {}", manager.program, manager.install.join(" "), packages.join(" "))
}

/// Runs a package manager, through sudo where it wants to be root and this is not. Does it succeed?
fn call(manager: &Manager, arguments: &[&str]) -> bool {
    let mut command = if is_root() || !manager.root {
        Command::new(manager.program)
    } else {
        let mut sudo = Command::new("sudo");
        sudo.arg(manager.program);
        sudo
    };
    succeeds(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
}

fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_requirement_can_be_seen_and_has_a_name_for_every_manager() {
        for requirement in REQUIREMENTS {
            assert!(!requirement.probes.is_empty(), "{}", requirement.what);
            for manager in MANAGERS {
                let package = (manager.package)(requirement);
                assert_ne!(package, Some(""), "{}", requirement.what);
                assert!(package.is_some() || manager.program == "brew", "{}", requirement.what);
            }
        }
    }

    #[test]
    fn a_program_that_nobody_has_is_not_present() {
        assert!(!present(&Probe::Program("no-such-program-anywhere")));
        assert!(!present(&Probe::Folder("no/such/folder")));
    }
}
