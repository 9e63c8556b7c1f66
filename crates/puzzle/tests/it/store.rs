//! The file of a player's progress.

use draft::Draft;
use puzzle::{Bank, Progress, Store, StoreError};

#[test]
fn progress_is_kept_and_a_damaged_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::beside(&folder.path().join("data/games"));
    assert_eq!(store.path(), folder.path().join("data/puzzles.json"));
    let new = store.read().unwrap();
    assert_eq!(new, Progress::default());
    store.write(&new).unwrap();
    assert_eq!(store.read().unwrap(), new);
    assert_eq!(store.own_bank(), Bank::default());
    let own = Bank { puzzles: Bank::built_in().puzzles[..3].to_vec() };
    store.keep_own_bank(&own).unwrap();
    assert_eq!(store.own_bank(), own);
    Draft::write_file(store.path(), b"{").unwrap();
    let error = store.read().unwrap_err().to_string();
    assert!(error.contains("left as it is"), "{error}");
    let nowhere = Store::at(store.path().join("in/a/file.json"));
    assert!(matches!(nowhere.write(&new), Err(StoreError::Write { .. })));
}
