//! A picture as PNG.

use std::io;

use png::{BitDepth, ColorType, Encoder};

/// Returns a picture as a PNG file.
///
/// `pixels` are `width * height` of three bytes (red, green, blue) or of four (and opacity), by
/// rows from the top left.
///
/// # Errors
/// When there are no pixels, or another number of bytes.
pub fn png(width: u32, height: u32, pixels: &[u8]) -> io::Result<Vec<u8>> {
    let count = (width as usize).saturating_mul(height as usize);
    let colour = match pixels.len() {
        length if length == count.saturating_mul(3) => ColorType::Rgb,
        length if length == count.saturating_mul(4) => ColorType::Rgba,
        length => {
            return Err(io::Error::other(format!(
                "expected {width} x {height} pixels of 3 or 4 bytes, found {length} bytes"
            )));
        }
    };
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_has_the_pixels_in_their_order_and_needs_all_of_them() {
        for depth in [3_u8, 4] {
            let pixels: Vec<u8> = (0..3 * 2 * depth).collect();
            let file = png(3, 2, &pixels).unwrap();
            let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
            let mut read = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut read).unwrap();
            assert_eq!((info.width, info.height, info.color_type.samples()), (3, 2, usize::from(depth)));
            assert_eq!(read, pixels);
            let message = png(3, 2, &pixels[1..]).unwrap_err().to_string();
            assert!(message.contains("3 x 2 pixels"), "{message}");
        }
        assert!(png(0, 0, &[]).is_err());
    }
}
