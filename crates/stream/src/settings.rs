//! Secrets, rooms and rules, as a file has them (docs/streaming.md).

use serde::Deserialize;

use crate::Secret;
use crate::nestris::Site;
use crate::obs::ObsSettings;

/// What a file of settings says of connections to others.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whom to send to NestrisChamps.
    pub nestrischamps: Vec<Site>,
    /// What OBS is to do.
    pub obs: Option<ObsSettings>,
}

/// Why a connection is not made. No message holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The text is not understood.
    #[error("line {line}: {message}")]
    Text {
        /// Counted from 1; 0 where it is not known.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// Nobody to send to.
    #[error(
        "NestrisChamps: expected your secret, found none: set MAXOUT_NESTRISCHAMPS_SECRET, or write [[nestrischamps]] \
         into the file of --settings"
    )]
    NoSecret,
    /// Nothing for OBS.
    #[error("OBS: expected [obs] in the file of --settings, found none")]
    NoObs,
}

impl Settings {
    /// Reads a text.
    ///
    /// # Errors
    /// [`SettingsError::Text`].
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        // The whole message of the library quotes the line, which may hold a secret.
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            SettingsError::Text { line: line.unwrap_or(0), message: error.message().to_owned() }
        })
    }

    /// Where games are sent; `secret` takes the place of the first one's.
    ///
    /// # Errors
    /// [`SettingsError::NoSecret`].
    pub fn sites(&self, secret: Option<Secret>) -> Result<Vec<Site>, SettingsError> {
        let mut sites = self.nestrischamps.clone();
        if let Some(secret) = secret {
            match sites.first_mut() {
                Some(site) => site.secret = secret,
                None => sites.push(Site::of_secret(secret)),
            }
        }
        if sites.is_empty() { Err(SettingsError::NoSecret) } else { Ok(sites) }
    }

    /// What OBS is to do; `password` takes the place of the file's.
    ///
    /// # Errors
    /// [`SettingsError::NoObs`].
    pub fn obs(&self, password: Option<Secret>) -> Result<ObsSettings, SettingsError> {
        let mut obs = self.obs.clone().ok_or(SettingsError::NoObs)?;
        obs.password = password.or(obs.password);
        Ok(obs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_what_the_environment_says_goes_before_it() {
        let text = "[[nestrischamps]]\nsecret = \"abc\"\nplayer = 2\n[obs]\npassword = \"x\"\n";
        let settings = Settings::parse(text).unwrap();
        let sites = settings.sites(Some(Secret::new("other".into()))).unwrap();
        assert_eq!((sites.len(), sites[0].secret.reveal(), sites[0].player), (1, "other", 2));
        let password = |given| settings.obs(given).unwrap().password.unwrap().reveal().to_owned();
        assert_eq!((password(None), password(Some(Secret::new("y".into())))), ("x".into(), "y".into()));
        let nothing = Settings::default();
        assert_eq!(nothing.sites(None).unwrap_err(), SettingsError::NoSecret);
        assert_eq!(nothing.obs(None).unwrap_err(), SettingsError::NoObs);
        assert_eq!(nothing.sites(Some(Secret::new("own".into()))).unwrap()[0].player, 1);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_without_the_secret() {
        let error =
            Settings::parse("[[nestrischamps]]\nsecret = \"hush\"\nroon = 1\n").unwrap_err().to_string();
        assert!(
            error.starts_with("line 3: ") && error.contains("roon") && !error.contains("hush"),
            "{error}"
        );
        let error = Settings::parse("[[nestrischamps]]\nsecret = hush\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2: ") && !error.contains("hush"), "{error}");
        for (head, value) in [("[[nestrischamps]]\nsecret", None), ("[obs]\npassword", None)]
            .into_iter()
            .flat_map(|(head, _): (_, Option<()>)| SHAPES.map(|value| (head, value)))
        {
            let error = Settings::parse(&format!("{head} = {value}\n")).unwrap_err().to_string();
            assert!(!error.contains("12345") && !error.contains("true"), "{head} = {value}: {error}");
        }
    }

    /// Values that a player may write for a password without its quotes.
    const SHAPES: [&str; 8] =
        ["12345", "-12345", "0x12345", "12345.5", "true", "2012-12-12", "[12345]", "{ a = 12345 }"];
}
