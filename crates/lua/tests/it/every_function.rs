//! What the interface has, its tests have.

use crate::rig::printed;

/// Every test of this crate that runs scripts.
const TESTS: [&str; 5] = [
    include_str!("drawing.rs"),
    include_str!("frames.rs"),
    include_str!("memory.rs"),
    include_str!("sandbox.rs"),
    include_str!("states.rs"),
];

#[test]
fn every_function_of_every_table_is_in_a_test_that_runs_a_script() {
    let script = r#"
        for _, name in ipairs{"memory", "joypad", "emu", "savestate", "movie", "gui", "rom", "bit", "input", "zapper", "sound",
            "debugger"} do
            for key in pairs(_G[name]) do print(name .. "." .. key) end
        end
    "#;
    let functions = printed(script);
    assert!(functions.len() > 125, "{functions:?}");
    let tested = |function: &String| {
        let (table, name) = function.split_once('.').expect("a table and a name");
        // A test that goes through several names writes them in quotes.
        let spellings = [format!("{table}.{name}("), format!("\"{name}\""), format!("'{name}'")];
        spellings.iter().any(|spelling| TESTS.iter().any(|test| test.contains(spelling.as_str())))
    };
    let untested: Vec<_> = functions.iter().filter(|function| !tested(function)).collect();
    assert!(untested.is_empty(), "no test calls {untested:?}");
}
