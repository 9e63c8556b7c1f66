//! The bill of materials that lies beside each package: what the program is linked from, as
//! `CycloneDX` 1.5 has it. Programs that look for known vulnerabilities read it.

use super::Release;
use super::notices::{self, Metadata, Package};
use anyhow::Result;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Writes the bill of `root`, a package of cargo, for a target. `name` is that of what is released,
/// without its ending.
///
/// # Errors
/// When cargo cannot say what the program is linked from, or the file cannot be written.
pub(super) fn write(release: &Release, root: &str, target: &str, name: &str) -> Result<PathBuf> {
    let metadata = notices::metadata(release.workspace, release.features(), target)?;
    let path = release.folder.join(format!("{name}.cdx.json"));
    let bill = bill(&metadata, root, [release.name(), &release.version, &release.date])?;
    let text = serde_json::to_string_pretty(&bill)?;
    super::staging::put(&path, format!("{text}\n").as_bytes())?;
    Ok(path)
}

fn bill(metadata: &Metadata, root: &str, [name, version, date]: [&str; 3]) -> Result<Value> {
    let packages = notices::sorted(metadata, root)?;
    let components: Vec<Value> =
        packages.into_iter().filter(|package| package.name != root).map(component).collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": format!("{date}T00:00:00Z"),
            "component": { "type": "application", "bom-ref": name, "name": name, "version": version },
        },
        "components": components,
    }))
}

fn component(package: &Package) -> Value {
    let Package { name, version, license, source, .. } = package;
    let mut component = json!({
        "type": "library",
        "bom-ref": format!("{name}@{version}"),
        "name": name,
        "version": version,
    });
    if let Some(license) = license {
        // Older manifests have a slash for "or".
        let expression = license.replace(" / ", " OR ").replace('/', " OR ");
        component["licenses"] = json!([{ "expression": expression }]);
    }
    // Ours come with the program and from nowhere else.
    if source.is_some() {
        component["purl"] = format!("pkg:cargo/{name}@{}", version.replace('+', "%2B")).into();
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use first_run::workspace::Workspace;

    #[test]
    fn the_bill_names_what_is_linked_with_licence_and_origin() -> Result<()> {
        let workspace = Workspace::load()?;
        let metadata = notices::metadata(&workspace, &[], "x86_64-unknown-linux-gnu")?;
        let bill = bill(&metadata, "maxout", ["maxout", "1.0.0", "2026-01-31"])?;
        let components = bill["components"].as_array().cloned().unwrap_or_default();
        let find = |name: &str| components.iter().find(|component| component["name"] == name);
        let clap = find("clap").unwrap_or(&Value::Null);
        assert_eq!(clap["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert!(clap["purl"].as_str().is_some_and(|purl| purl.starts_with("pkg:cargo/clap@")));
        assert!(find("nes").is_some_and(|ours| ours["purl"].is_null()));
        assert!(find("proptest").is_none() && find("maxout").is_none(), "it only tests");
        assert!(components.len() > 200, "{}", components.len());
        for component in &components {
            let expression = component["licenses"][0]["expression"].as_str();
            assert!(expression.is_some_and(|text| spdx::Expression::parse(text).is_ok()), "{component}");
        }
        Ok(())
    }
}
