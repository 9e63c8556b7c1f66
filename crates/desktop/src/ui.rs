//! What the player sees beside the picture. The menus are a model without a screen (`menu`,
//! `page`), which the window draws with egui (`pages`, `rail`, `bars`, placed by `layout` in the
//! colours of `theme`) and the terminal with characters; so keys, pads and mouse all do the same.

pub(crate) mod app;
pub(crate) mod bars;
pub(crate) mod candidates;
pub(crate) mod canvas;
pub(crate) mod chart;
pub(crate) mod clipboard;
pub(crate) mod debugger;
pub(crate) mod dialog;
pub(crate) mod editor;
pub(crate) mod field;
pub(crate) mod folder;
pub(crate) mod games;
pub(crate) mod gui;
pub(crate) mod interface;
pub(crate) mod keyboard;
pub(crate) mod layout;
pub(crate) mod loss;
pub(crate) mod menu;
pub(crate) mod names;
pub(crate) mod nav;
pub(crate) mod notes;
pub(crate) mod number;
pub(crate) mod pads;
pub(crate) mod page;
pub(crate) mod pages;
pub(crate) mod puzzle;
pub(crate) mod rail;
pub(crate) mod reader;
pub(crate) mod remap;
pub(crate) mod scrubber;
pub(crate) mod session;
pub(crate) mod shortcut;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod theme;
pub(crate) mod view;
