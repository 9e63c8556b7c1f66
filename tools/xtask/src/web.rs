//! `web`: the page, as a folder that any static host can serve.

mod npm;
mod page;
mod server;
mod toolchain;

use crate::node;
use crate::test::linted;
use anyhow::{Context, Result, bail};
use first_run::workspace::{Workspace, exit, succeed};
pub(crate) use npm::pack;
pub(crate) use page::Address;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
pub(crate) use toolchain::TARGET;
use toolchain::Toolchain;

/// What `web` can be told.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Serve the folder on this machine afterwards, with the headers that a host should send.
    #[arg(long)]
    serve: bool,
    /// The port to serve on.
    #[arg(long, default_value_t = 8017)]
    port: u16,
    /// Serve as a host does that cannot set headers: the page is not isolated then, and sound goes
    /// by messages.
    #[arg(long, requires = "serve")]
    bare: bool,
    /// Check the types of the scripts, and play, load, replay and unplug in headless Chromium.
    #[arg(long)]
    test: bool,
    /// A scenario of the test, once for each [default: all but lighthouse, which takes 200 packages
    /// more from npm].
    #[arg(long, value_name = "NAME", requires = "test")]
    only: Vec<String>,
    /// Install what is missing: rustup's target or Debian's compiler for the web, and for --test
    /// packages of npm.
    #[arg(long)]
    install: bool,
    /// Take the folder as it is, without building.
    #[arg(long)]
    no_build: bool,
    /// Make the package for npm as well, in target/packages.
    #[arg(long)]
    npm: bool,
    /// The address at which the page will be, as `https://example.org/maxout/`: other sites show
    /// its picture beside a link only by its whole address.
    #[arg(long, value_name = "URL", value_parser = Address::parse)]
    address: Option<Address>,
    /// Where the folder goes [default: target/web-page].
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Where the test puts its pictures [default: target/web-pictures].
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// The browser of the test.
    #[arg(long, value_name = "PROGRAM", default_value = "chromium")]
    chromium: OsString,
    /// Test in Firefox instead, by this program: what a person does, without what only Chromium is
    /// asked (installing, screen sizes by touch, axe-core).
    #[arg(long, value_name = "PROGRAM", num_args = 0..=1, default_missing_value = "firefox")]
    firefox: Option<OsString>,
}

/// Builds the page, then serves or tests it if that is wanted.
///
/// # Errors
/// When something is missing, does not build, or is larger than the page may be.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let out = arguments.out.clone().unwrap_or_else(|| workspace.built("web-page"));
    if !arguments.no_build {
        build(workspace, &out, arguments.install, arguments.address.as_ref())?;
    }
    if arguments.npm {
        let packed = pack(workspace, &out, &workspace.built("web-modules"), &workspace.built("packages"))?;
        println!("{}", packed.display());
    }
    if arguments.test {
        return test(workspace, arguments, &out);
    }
    if arguments.serve {
        server::serve(&out, arguments.port, !arguments.bare)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the page in the folder `out`, and prints what it weighs.
///
/// # Errors
/// When something is missing, does not build, or is larger than the page may be.
pub(crate) fn build(
    workspace: &Workspace,
    out: &Path,
    install: bool,
    address: Option<&Address>,
) -> Result<()> {
    let toolchain = Toolchain::find(workspace, install)?;
    let modules = workspace.built("web-modules");
    for (name, features) in [("simd", Some("+simd128")), ("plain", None)] {
        let module = toolchain.build(workspace, features)?;
        toolchain.bind(&module, &modules.join(name))?;
    }
    page::write(workspace, &modules, out, address)?;
    let size = page::report(out)?;
    if size > page::MOST {
        bail!("the first visit is {size} bytes compressed: expected at most {}", page::MOST);
    }
    Ok(())
}

/// What the test takes from npm; nothing of it is part of the page. Later versions of Playwright
/// send Firefox a command that it does not know.
const PACKAGES: [&str; 6] = [
    "playwright-core@1.65.1",
    "playwright-firefox@npm:playwright-core@1.57.0",
    "typescript@5.9.3",
    "jsnes@3.0.0",
    "@types/node@20.19.25",
    "axe-core@4.14.1",
];

/// What the scenario `lighthouse` takes beside them: 200 packages, so only where it is named.
const LIGHTHOUSE: &str = "lighthouse@12.8.2";

/// Scenarios that need the program.
const PLAY_WITH_PROGRAM: [&str; 2] = ["matches", "modules"];

/// Tests the logic of the page's scripts in Node, without a browser or the page: what `test` runs
/// of the page. Without Node it says so.
///
/// # Errors
/// When Node cannot be started.
pub(crate) fn share(workspace: &Workspace) -> Result<ExitCode> {
    let Some(version) = node::version() else {
        println!("page: the logic of its scripts is NOT tested: expected Node {} or newer", node::OLDEST);
        return Ok(ExitCode::SUCCESS);
    };
    let mut tests = Command::new("node");
    tests
        .args(["--test", "--test-reporter=dot"])
        .arg(workspace.root.join("crates/web/browser/logic.test.mjs"));
    let status = tests.status().context("node could not be started")?;
    println!("page: the logic of its scripts, in Node {version}");
    Ok(exit(status))
}

fn test(workspace: &Workspace, arguments: &Arguments, out: &Path) -> Result<ExitCode> {
    let folder = workspace.built("web-test");
    std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let asks = arguments.only.iter().any(|name| name == "lighthouse");
    let packages: Vec<&str> = PACKAGES.into_iter().chain(asks.then_some(LIGHTHOUSE)).collect();
    node::packages(&folder, &packages, arguments.install)?;
    let types = workspace.built("web-modules").join("simd");
    let sources = workspace.root.join("crates/web/www");
    page::stage_types(&sources, &types, &folder)?;
    let mut check = Command::new(folder.join("node_modules/.bin/tsc"));
    succeed(check.current_dir(&folder).args(["--project", "tsconfig.json"]))?;
    println!("types: nothing wrong");
    let logic = share(workspace)?;
    if logic != ExitCode::SUCCESS {
        return Ok(logic);
    }

    // Matches are played against the program as well.
    let plays = |name: &String| PLAY_WITH_PROGRAM.contains(&name.as_str());
    let program = arguments.only.is_empty() || arguments.only.iter().any(plays);
    if program {
        succeed(&mut linted(workspace, &["build", "--workspace", "--bin", "maxout"]))?;
    }

    // Two servers: one as the page is meant to be served, one as hosts do that cannot set headers.
    let isolated = server::start(out, true)?;
    let bare = server::start(out, false)?;
    let pictures = arguments.pictures.clone().unwrap_or_else(|| workspace.built("web-pictures"));
    std::fs::create_dir_all(&pictures).with_context(|| format!("{} cannot be made", pictures.display()))?;
    let mut tests = Command::new("node");
    tests.arg(workspace.root.join("crates/web/browser/test.mjs")).args(&arguments.only);
    tests.env("MAXOUT_PACKAGES", folder.join("node_modules"));
    tests.env("MAXOUT_PAGE", out);
    tests.env("MAXOUT_ISOLATED", format!("http://127.0.0.1:{isolated}/"));
    tests.env("MAXOUT_BARE", format!("http://127.0.0.1:{bare}/"));
    tests.env("MAXOUT_ROOT", &workspace.root).env("MAXOUT_PICTURES", &pictures);
    tests.env("MAXOUT_CHROMIUM", &arguments.chromium);
    if let Some(firefox) = &arguments.firefox {
        tests.env("MAXOUT_FIREFOX", firefox);
    }
    if program {
        tests
            .env("MAXOUT_PROGRAM", workspace.built(&format!("debug/maxout{}", std::env::consts::EXE_SUFFIX)));
    }
    tests
        .env("MAXOUT_PACKED", pack(workspace, out, &workspace.built("web-modules"), &folder.join("packed"))?);
    Ok(exit(tests.status().context("node could not be started")?))
}
