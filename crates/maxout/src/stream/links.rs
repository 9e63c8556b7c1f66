//! Connections to others, and what is said about them.

use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use stream::nestris::{Champs, Site};
use stream::obs::{Complaint, Obs, ObsSettings};
use stream::{Broadcast, Link, Retry, Secret, Status};

use super::{Arguments, refused};
use crate::error::{Error, wrong};
use crate::image_file;

/// The settings of a stream.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    /// Whom to send to NestrisChamps.
    nestrischamps: Vec<Site>,
    /// What OBS is to do.
    obs: Option<ObsSettings>,
}

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
            let mut sites = settings.nestrischamps;
            if let Some(secret) = variable("MAXOUT_NESTRISCHAMPS_SECRET") {
                match sites.first_mut() {
                    Some(site) => site.secret = secret,
                    None => sites.push(Site::of_secret(secret)),
                }
            }
            if sites.is_empty() {
                return Err(refused(
                    "NestrisChamps: expected your secret, found none: set MAXOUT_NESTRISCHAMPS_SECRET, or write \
                     [[nestrischamps]] into the file of --settings",
                ));
            }
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
            let Some(mut obs) = settings.obs else {
                return Err(refused("OBS: expected [obs] in the file of --settings, found none"));
            };
            if let Some(password) = variable("MAXOUT_OBS_PASSWORD") {
                obs.password = Some(password);
            }
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
            eprintln!("OBS: {complaint}");
        }
        for (name, link, said) in &mut self.links {
            let status = link.status();
            if said.as_ref() == Some(&status) {
                continue;
            }
            match &status {
                Status::Connecting => {}
                Status::Connected => eprintln!("{name}: connected"),
                Status::Lost(reason) => eprintln!("{name}: {reason}; trying again"),
                Status::Ended(reason) => eprintln!("{name}: {reason}"),
            }
            *said = Some(status);
        }
    }
}

fn read(path: &Path) -> Result<Settings, Error> {
    let bytes = image_file::read(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong(path)("expected text, as UTF-8"))?;
    // The message of the library quotes the line, which may hold a secret.
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let line =
            error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        wrong(path)(format!("line {line}: {}", error.message()))
    })
}

fn variable(name: &str) -> Option<Secret> {
    std::env::var(name).ok().filter(|value| !value.is_empty()).map(Secret::new)
}
