//! What a window manager does when its close button is pressed.

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt as _, EventMask, Window};

/// Asks the window of that number to close (ICCCM, *Window Deletion*).
pub(crate) fn ask_to_close(display: &str, window: &str) {
    let (connection, _) = x11rb::connect(Some(display)).expect("the display answers");
    let atom = |name: &str| {
        let asked = connection.intern_atom(false, name.as_bytes()).expect("the display answers");
        asked.reply().expect("an atom").atom
    };
    let target: Window = window.parse().expect("the window's number");
    let [protocols, delete] = ["WM_PROTOCOLS", "WM_DELETE_WINDOW"].map(atom);
    let message = ClientMessageEvent::new(32, target, protocols, [delete, x11rb::CURRENT_TIME, 0, 0, 0]);
    connection.send_event(false, target, EventMask::NO_EVENT, message).expect("the display takes it");
    connection.flush().expect("the display takes it");
}
