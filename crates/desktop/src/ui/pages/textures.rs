//! Pictures that pages show: of saved states, and the game's own.

use std::sync::Arc;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};
use nes::Palette;

use crate::messages::status::Slot;
use crate::ui::page::Page;
use crate::video::presented_frame::PresentedFrame;

const SIZE: [usize; 2] = [crate::PICTURE_WIDTH as usize, crate::PICTURE_HEIGHT as usize];

/// The pictures that were handed to the driver, and how far pages were scrolled.
#[derive(Default)]
pub(crate) struct Textures {
    /// The page and the line on it that was brought into sight last.
    pub(super) scrolled: Option<(Page, usize)>,
    slots: Vec<(usize, Arc<[u8]>, TextureHandle)>,
    game: Option<(Vec<u16>, TextureHandle)>,
}

impl Textures {
    /// Returns the picture of a saved state.
    pub(super) fn slot(&mut self, context: &Context, number: usize, saved: &Slot) -> Option<TextureHandle> {
        let is_same = |(slot, of, _): &&(usize, Arc<[u8]>, TextureHandle)| {
            *slot == number && Arc::ptr_eq(of, &saved.thumbnail)
        };
        if let Some((.., texture)) = self.slots.iter().find(is_same) {
            return Some(texture.clone());
        }
        if saved.thumbnail.len() != 3 * SIZE[0] * SIZE[1] {
            return None;
        }
        let image = ColorImage::from_rgb(SIZE, &saved.thumbnail);
        let texture = context.load_texture(format!("slot {number}"), image, TextureOptions::LINEAR);
        self.slots.retain(|(slot, ..)| *slot != number);
        self.slots.push((number, Arc::clone(&saved.thumbnail), texture.clone()));
        Some(texture)
    }

    /// Returns the picture of the game.
    pub(super) fn game(
        &mut self,
        context: &Context,
        presented: &PresentedFrame,
        palette: &Palette,
    ) -> TextureHandle {
        if let Some((of, texture)) = &self.game
            && of[..] == presented.dots[..]
        {
            return texture.clone();
        }
        let mut rgba = vec![0; 4 * SIZE[0] * SIZE[1]];
        palette.paint(&presented.dots, &mut rgba);
        let image = ColorImage::from_rgba_unmultiplied(SIZE, &rgba);
        let texture = context.load_texture("game", image, TextureOptions::NEAREST);
        self.game = Some((presented.dots.to_vec(), texture.clone()));
        texture
    }
}
