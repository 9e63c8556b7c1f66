//! What the player sees beside the picture. The menus are a model without a screen (`menu`,
//! `page`), which the window draws with egui (`paint`) and the terminal with characters; so keys,
//! pads and mouse all do the same.

pub(crate) mod app;
pub(crate) mod clipboard;
pub(crate) mod debugger;
pub(crate) mod dialog;
pub(crate) mod editor;
pub(crate) mod editor_panel;
pub(crate) mod folder;
pub(crate) mod games;
pub(crate) mod gui;
pub(crate) mod loss;
pub(crate) mod menu;
pub(crate) mod names;
pub(crate) mod notes;
pub(crate) mod number;
pub(crate) mod pads;
pub(crate) mod page;
pub(crate) mod paint;
pub(crate) mod practice_panel;
pub(crate) mod remap;
pub(crate) mod scrubber;
pub(crate) mod session;
pub(crate) mod shortcut;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod thought_panel;
pub(crate) mod view;
