//! Pictures of all pages in three windows and both themes, compared with those of
//! `crates/desktop/tests/pictures`. They are drawn without a graphics driver, and without the
//! game's own picture, which the surface shows below.
//!
//! `UPDATE_PICTURES=1 cargo test --package desktop --lib -- every_page_looks_as_it_did` makes them
//! anew; look at what changed before it is committed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use egui_software_backend::{BufferMutRef, ColorFieldOrder, EguiSoftwareRender};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, RgbaImage};
use nes_testing::differing_pixels;

use super::content::rails;
use super::*;
use crate::ui::theme::Theme;

/// A small window, that of a first start on the screen of a laptop, the usual one, and a large one,
/// in pixels; and its themes.
const WINDOWS: [((u32, u32), &[Theme]); 4] = [
    ((768, 720), &[Theme::Dark, Theme::Light]),
    ((1024, 600), &[Theme::Dark]),
    ((1280, 800), &[Theme::Dark, Theme::Light]),
    ((1920, 1080), &[Theme::Dark]),
];

/// Steps of a colour's part in the files, which makes them a third as large.
const STEP: u8 = 17;

/// How far a part may be from its file: half a step, and what vectors of processors round in their
/// own ways.
const NEAR: u8 = STEP / 2 + 3;

/// Returns what was drawn on the ground of the theme.
fn picture(screen: &Screen, output: FullOutput, (width, height, _): (u32, u32, f64)) -> RgbaImage {
    let scale = output.pixels_per_point;
    let ground = theme::of(&screen.context).ground.to_array();
    let mut pixels = vec![ground; width as usize * height as usize];
    let meshes = screen.context.tessellate(output.shapes, scale);
    let mut target = BufferMutRef::new(&mut pixels, width as usize, height as usize);
    let mut painter = EguiSoftwareRender::new(ColorFieldOrder::Rgba).with_caching(false);
    painter.render(&mut target, &meshes, &output.textures_delta, scale);
    RgbaImage::from_raw(width, height, pixels.into_flattened()).expect("four parts a pixel")
}

/// Writes a picture with few colours, each by its number where they are few enough.
fn write(picture: &RgbaImage, path: &Path) {
    let mut coarse = DynamicImage::ImageRgba8(picture.clone()).into_rgb8();
    for part in coarse.iter_mut() {
        *part = part.saturating_add(STEP / 2) / STEP * STEP;
    }
    let colours: BTreeSet<[u8; 3]> = coarse.pixels().map(|pixel| pixel.0).collect();
    let mut bytes = Vec::new();
    if let Ok(last) = u8::try_from(colours.len().saturating_sub(1)) {
        let numbers: BTreeMap<[u8; 3], u8> = colours.iter().copied().zip(0..=last).collect();
        let pixels: Vec<u8> = coarse.pixels().map(|pixel| numbers[&pixel.0]).collect();
        let mut encoder = png::Encoder::new(&mut bytes, coarse.width(), coarse.height());
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(colours.into_iter().flatten().collect::<Vec<u8>>());
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header().expect("pictures can be packed");
        writer.write_image_data(&pixels).expect("pictures can be packed");
        writer.finish().expect("pictures can be packed");
    } else {
        let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::NoFilter);
        coarse.write_with_encoder(encoder).expect("pictures can be packed");
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    fs::write(path, bytes).expect("the picture can be written");
}

/// Returns the pixels in which a picture differs from its file; none where there is no such file.
fn differing(picture: &RgbaImage, path: &Path) -> Option<usize> {
    // `image`, which would convert the pixels, is not optimised where tests run.
    let mut decoder = png::Decoder::new(Cursor::new(fs::read(path).ok()?));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut file = decoder.read_info().ok()?;
    let mut pixels = vec![0; file.output_buffer_size()?];
    let size = file.next_frame(&mut pixels).ok()?;
    if (size.width, size.height) != picture.dimensions() {
        return None;
    }
    differing_pixels(picture, &pixels, NEAR)
}

#[test]
fn every_page_looks_as_it_did() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    // What is drawn is written there for a look, where it differs.
    let drawn_folder = std::env::temp_dir().join("maxout-pictures");
    let updates = std::env::var_os("UPDATE_PICTURES").is_some();
    let mut wrong = Vec::new();
    for ((width, height), themes) in WINDOWS {
        let window = (width, height, 1.0);
        for &chosen in themes {
            let name = if chosen == Theme::Dark { "dark" } else { "light" };
            for content in everything().chain(rails()) {
                let mut screen = content.screen(window);
                theme::apply(&screen.context, chosen);
                screen.room.state.settings.look.theme = chosen;
                let output = screen.draw(window);
                let drawn = picture(&screen, output, window);
                let file = format!("{}-{}-{name}.png", content.name, window.0);
                let path = folder.join(&file);
                if differing(&drawn, &path) == Some(0) {
                    continue;
                }
                if updates {
                    write(&drawn, &path);
                } else {
                    write(&drawn, &drawn_folder.join(&file));
                    wrong.push(match differing(&drawn, &path) {
                        Some(pixels) => format!("{file}: {pixels} pixels differ"),
                        None => format!("{file}: there is no such picture of that size"),
                    });
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nWhat is drawn now is in {}; UPDATE_PICTURES=1 takes it over",
        wrong.join("\n"),
        drawn_folder.display()
    );
}
