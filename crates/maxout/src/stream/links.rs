//! Connections to others, and what is said about them.

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use stream::nestris::Champs;
use stream::obs::{Complaint, Obs};
use stream::{Broadcast, Link, Retry, Secret, Settings, Status};

use super::{Arguments, refused};
use cli::error::{Error, wrong};
use cli::image_file;

/// Connections, and how they stood when it was last said.
#[derive(Default)]
pub(super) struct Links {
    links: Vec<(&'static str, Arc<Link>, Option<Status>)>,
    complaint: Option<Complaint>,
}

impl Links {
    /// Connects what is asked for.
    pub(super) fn connect(
        &mut self,
        arguments: &Arguments,
        mut broadcast: Broadcast,
    ) -> Result<Broadcast, Error> {
        let settings = arguments.settings.as_deref().map(read).transpose()?.unwrap_or_default();
        if arguments.nestrischamps {
            let sites = settings.sites(variable("MAXOUT_NESTRISCHAMPS_SECRET")).map_err(refused)?;
            // Games of another run of the program have other numbers.
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
            for site in &sites {
                let champs = Champs::connect(site, now as u16, Retry::default(), None)
                    .map_err(|error| Error::Command(error.into()))?;
                self.links.push(("NestrisChamps", champs.link(), None));
                broadcast = broadcast.with(Box::new(champs));
            }
        }
        if arguments.obs {
            let obs = settings.obs(variable("MAXOUT_OBS_PASSWORD")).map_err(refused)?;
            let obs = Obs::connect(obs, Retry::default()).map_err(|error| Error::Command(error.into()))?;
            self.links.push(("OBS", obs.link(), None));
            self.complaint = Some(obs.complaint());
            broadcast = broadcast.with(Box::new(obs));
        }
        Ok(broadcast)
    }

    /// Says on standard error what has changed.
    pub(super) fn report(&mut self) {
        if let Some(complaint) = self.complaint.as_ref().and_then(Complaint::take) {
            tty::tell!("OBS: {complaint}");
        }
        for (name, link, said) in &mut self.links {
            let status = link.status();
            if said.as_ref() == Some(&status) {
                continue;
            }
            match &status {
                Status::Connecting => {}
                Status::Connected => tty::tell!("{name}: connected"),
                Status::Lost(reason) => tty::tell!("{name}: {reason}; trying again"),
                Status::Ended(reason) => tty::tell!("{name}: {reason}"),
            }
            *said = Some(status);
        }
    }
}

fn read(path: &Path) -> Result<Settings, Error> {
    let bytes = image_file::read(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong(path)("expected text, as UTF-8"))?;
    Settings::parse(text).map_err(wrong(path))
}

fn variable(name: &str) -> Option<Secret> {
    std::env::var(name).ok().filter(|value| !value.is_empty()).map(Secret::new)
}
