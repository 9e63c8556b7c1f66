//! The PPU's composite video signal, and how an NTSC television decodes it.

/// Samples in one period of the colour carrier. A dot lasts eight of them (NESdev: NTSC video).
pub const SAMPLES: usize = 12;

/// The signal's levels in volts, low and high half of the colour carrier, by brightness 0–3
/// (NESdev: NTSC video).
const LOW: [f64; 4] = [0.350, 0.518, 0.962, 1.550];
const HIGH: [f64; 4] = [1.094, 1.506, 1.962, 1.962];
const BLACK: f64 = 0.518;
const WHITE: f64 = 1.962;
/// What emphasis leaves of the signal in the other colours' part of the carrier.
const ATTENUATION: f64 = 0.746;

/// Chroma is amplified by this much.
const GAIN: f64 = 1.5;

/// Sine of multiples of 30°, exact to the last bit on every machine.
const SINE: [f64; SAMPLES] = {
    const H: f64 = 0.866_025_403_784_438_6;
    [0.0, 0.5, H, 1.0, H, 0.5, 0.0, -0.5, -H, -1.0, -H, -0.5]
};

/// Returns the signal of `pixel` (palette index in bits 0–5, emphasis in bits 6–8) at `sample`
/// (0–11) of the carrier. Black is 0, white is 1.
pub fn signal(pixel: usize, sample: usize) -> f64 {
    let (hue, emphasis) = (pixel & 0x0F, pixel >> 6);
    // Hues $E and $F are black, whatever the brightness.
    let brightness = if hue >= 0x0E { 1 } else { pixel >> 4 & 3 };
    let in_phase = |hue: usize| (hue + sample) % SAMPLES < 6;
    let high = match hue {
        0x00 => true,
        0x0D.. => false,
        _ => in_phase(hue),
    };
    let volts = if high { HIGH[brightness] } else { LOW[brightness] };
    // Red, green and blue emphasis attenuate in the half of the carrier around cyan, magenta and
    // yellow: phases 0, 4 and 8.
    let attenuated = hue < 0x0E && (0..3).any(|bit| emphasis >> bit & 1 == 1 && in_phase(4 * bit));
    let volts = if attenuated { volts * ATTENUATION } else { volts };
    (volts - BLACK) / (WHITE - BLACK)
}

/// Returns what a television multiplies each sample of the carrier by to get I and Q. `hue` is its
/// tint setting in degrees; `saturation` is its colour setting, 1 for neutral.
///
/// The burst is in phase with hue 8, on the carrier's grid of 30°.
pub fn carrier(hue: f64, saturation: f64) -> [[f64; 2]; SAMPLES] {
    let (sine, cosine) = sine_and_cosine(hue);
    let wave = |step: usize| {
        let (at, ahead) = (step % SAMPLES, (step + 3) % SAMPLES);
        GAIN * saturation * (SINE[at] * cosine + SINE[ahead] * sine)
    };
    core::array::from_fn(|sample| [wave(sample + 7), wave(sample + 4)])
}

/// Returns red, green and blue of a colour in YIQ, by the FCC's matrix.
pub fn rgb([y, i, q]: [f64; 3]) -> [u8; 3] {
    let component = |value: f64| (255.0 * value.clamp(0.0, 1.0) + 0.5) as u8;
    [
        component(y + 0.956 * i + 0.621 * q),
        component(y - 0.272 * i - 0.647 * q),
        component(y - 1.106 * i + 1.703 * q),
    ]
}

/// Returns the colour of `pixel` where the samples are weighed by `carrier`.
pub(crate) fn decode(pixel: usize, carrier: &[[f64; 2]; SAMPLES]) -> [u8; 3] {
    let mut yiq = [0.0; 3];
    for (sample, [i, q]) in carrier.iter().enumerate() {
        let level = signal(pixel, sample) / SAMPLES as f64;
        yiq = [yiq[0] + level, yiq[1] + level * i, yiq[2] + level * q];
    }
    rgb(yiq)
}

/// Returns sine and cosine of an angle in degrees, by their series: the standard library's are not
/// the same on every machine.
fn sine_and_cosine(degrees: f64) -> (f64, f64) {
    let turn = degrees % 360.0;
    let angle = (if turn > 180.0 { turn - 360.0 } else { turn }).to_radians();
    let (mut sine, mut cosine, mut term) = (0.0, 0.0, 1.0);
    for order in 0..40 {
        // term = angle ^ order / order!
        let signed = if order & 2 == 0 { term } else { -term };
        if order % 2 == 0 {
            cosine += signed;
        } else {
            sine += signed;
        }
        term *= angle / f64::from(order + 1);
    }
    (sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_is_sine_and_cosine() {
        for degrees in -400..=400 {
            let (sine, cosine) = sine_and_cosine(f64::from(degrees));
            let (expected_sine, expected_cosine) = f64::from(degrees).to_radians().sin_cos();
            assert!((sine - expected_sine).abs() < 1e-13, "{degrees}: {sine}");
            assert!((cosine - expected_cosine).abs() < 1e-13, "{degrees}: {cosine}");
        }
        assert_eq!(sine_and_cosine(0.0), (0.0, 1.0));
    }

    #[test]
    fn without_saturation_every_colour_is_grey() {
        let carrier = carrier(25.0, 0.0);
        for pixel in 0..512 {
            let [red, green, blue] = decode(pixel, &carrier);
            assert!(red == green && green == blue, "{pixel:#05x}");
        }
    }

    #[test]
    fn thirty_degrees_of_tint_are_one_hue_of_the_palette() {
        let (turned, neutral) = (carrier(30.0, 1.0), carrier(0.0, 1.0));
        for hue in 2..=12 {
            let (one, other) = (decode(0x10 + hue, &turned), decode(0x0F + hue, &neutral));
            let distance = one.iter().zip(other).map(|(one, other)| one.abs_diff(other)).max();
            assert!(distance <= Some(1), "hue {hue}: {one:?}, {other:?}");
        }
    }
}
