//! The other side of drag and drop: a program that a file is dragged from (freedesktop.org:
//! Drag-and-Drop Protocol for the X Window System, version 5).

use std::path::Path;

use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, CURRENT_TIME, NONE};

/// The version of the protocol.
const VERSION: u32 = 5;

/// Drags the file `path` over the window of that number and lets it go there; waits until it was
/// taken.
pub(crate) fn drop_file(display: &str, window: &str, path: &Path) {
    let (connection, screen) = x11rb::connect(Some(display)).expect("the display answers");
    let root = connection.setup().roots[screen].root;
    let source = connection.generate_id().expect("a number for the window");
    connection
        .create_window(
            COPY_DEPTH_FROM_PARENT,
            source,
            root,
            0,
            0,
            1,
            1,
            0,
            WindowClass::INPUT_OUTPUT,
            0,
            &CreateWindowAux::new(),
        )
        .expect("a window to drag from");
    let target = window.parse().expect("the window's number");
    let drag = Drag { source, target, uri: format!("file://{}\r\n", path.display()), connection };
    drag.carry_out();
}

struct Drag {
    connection: RustConnection,
    source: Window,
    target: Window,
    uri: String,
}

impl Drag {
    fn carry_out(&self) {
        let [selection, list, copy] =
            ["XdndSelection", "text/uri-list", "XdndActionCopy"].map(|name| self.atom(name));
        self.connection
            .set_selection_owner(self.source, selection, CURRENT_TIME)
            .expect("it owns the selection");
        self.say("XdndEnter", [self.source, VERSION << 24, list, NONE, NONE]);
        self.say("XdndPosition", [self.source, 0, (300 << 16) + 300, CURRENT_TIME, copy]);
        let [status, finished] = ["XdndStatus", "XdndFinished"].map(|name| self.atom(name));
        let (mut accepted, mut given) = (false, false);
        loop {
            match self.connection.wait_for_event().expect("the display answers") {
                Event::SelectionRequest(request) => {
                    self.give(&request);
                    given = true;
                }
                Event::ClientMessage(message) if message.type_ == status => {
                    accepted = message.data.as_data32()[1] & 1 == 1;
                }
                Event::ClientMessage(message) if message.type_ == finished => return,
                _ => continue,
            }
            if accepted && given {
                self.say("XdndDrop", [self.source, 0, CURRENT_TIME, 0, 0]);
                accepted = false;
            }
        }
    }

    /// Hands over what is dragged.
    fn give(&self, request: &SelectionRequestEvent) {
        let SelectionRequestEvent { requestor, selection, target, property, time, .. } = *request;
        self.connection
            .change_property8(PropMode::REPLACE, requestor, property, target, self.uri.as_bytes())
            .expect("a property");
        let notice = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time,
            requestor,
            selection,
            target,
            property,
        };
        self.connection.send_event(false, requestor, EventMask::NO_EVENT, notice).expect("a notice");
        self.connection.flush().expect("it is sent");
    }

    fn say(&self, kind: &str, data: [u32; 5]) {
        let message = ClientMessageEvent::new(32, self.target, self.atom(kind), data);
        self.connection.send_event(false, self.target, EventMask::NO_EVENT, message).expect("a message");
        self.connection.flush().expect("it is sent");
    }

    fn atom(&self, name: &str) -> Atom {
        let cookie = self.connection.intern_atom(false, name.as_bytes()).expect("it is asked");
        let atom = cookie.reply().expect("it is answered").atom;
        assert_ne!(atom, u32::from(AtomEnum::NONE), "{name}");
        atom
    }
}
