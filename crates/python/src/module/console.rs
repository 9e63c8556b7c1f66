//! The console.

use std::sync::Arc;

use emulator::{Attached, Emulator, SavedState};
use nes::{Buttons, Cartridge, Config, Region};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::movie::Movie;
use super::{IMAGE, wrong};
use crate::Colours;

/// The region of that name.
pub(super) fn region_of(name: &str) -> PyResult<Region> {
    match name.to_ascii_lowercase().as_str() {
        "ntsc" => Ok(Region::Ntsc),
        "pal" => Ok(Region::Pal),
        _ => Err(wrong(format!("region: expected \"ntsc\", \"pal\" or None, found {name:?}"))),
    }
}

/// The name of a region.
pub(super) const fn name_of(region: Region) -> &'static str {
    match region {
        Region::Ntsc => "ntsc",
        Region::Pal => "pal",
    }
}

/// What a pickled console is made of: image, byte of RAM, video, samples a second, region, state.
type Reduced<'py> = (Option<Bound<'py, PyBytes>>, u8, bool, Option<u32>, &'static str, Bound<'py, PyBytes>);

/// An NES with a cartridge in it, powered on.
#[pyclass(module = "maxout._maxout")]
pub(super) struct Console {
    emulator: Emulator,
    config: Config,
    /// The image, if it is not the built-in one, and the byte that RAM held.
    made: (Option<Arc<[u8]>>, u8),
    /// What has sounded since it was asked for.
    samples: Vec<f32>,
    colours: Arc<Colours>,
}

impl Console {
    fn advance(&mut self, mut pads: [Buttons; 2]) {
        self.emulator.frame(&mut pads, Attached::default());
        self.samples.extend_from_slice(self.emulator.sound());
    }
}

#[pymethods]
impl Console {
    #[new]
    #[pyo3(signature = (rom = None, *, ram_fill = 0, video = true, sample_rate = None, region = None))]
    fn new(
        rom: Option<&[u8]>,
        ram_fill: u8,
        video: bool,
        sample_rate: Option<u32>,
        region: Option<&str>,
    ) -> PyResult<Self> {
        if sample_rate.is_some_and(|rate| !(8_000..=192_000).contains(&rate)) {
            return Err(wrong("sample_rate: expected 8000 to 192000 samples a second, or None"));
        }
        let cartridge = Cartridge::from_bytes(rom.unwrap_or(IMAGE)).map_err(wrong)?;
        let region = region.map(region_of).transpose()?;
        let config = Config { ram_fill: ram_fill.into(), video, sample_rate, region, ..Config::default() };
        let emulator = Emulator::bare(cartridge, config);
        let made = (rom.map(Arc::from), ram_fill);
        Ok(Self { emulator, config, made, samples: Vec::new(), colours: Arc::new(Colours::ntsc()) })
    }

    /// Runs `frames` frames with these buttons held on the two pads.
    #[pyo3(signature = (buttons = 0, second = 0, frames = 1))]
    fn step(&mut self, py: Python<'_>, buttons: u8, second: u8, frames: u32) {
        let pads = [buttons, second].map(Buttons::from_bits_retain);
        py.detach(|| (0..frames).for_each(|_| self.advance(pads)));
    }

    /// Runs a frame for each number of an array of buttons.
    fn run(&mut self, py: Python<'_>, buttons: PyReadonlyArrayDyn<'_, u8>) -> PyResult<()> {
        let buttons = buttons.as_slice()?;
        py.detach(|| {
            for &held in buttons {
                self.advance([Buttons::from_bits_retain(held), Buttons::empty()]);
            }
        });
        Ok(())
    }

    /// Powers on as the movie wants it and plays it. Out: the frames that were run.
    fn play(&mut self, py: Python<'_>, movie: &Movie) -> usize {
        let movie = &movie.0;
        let region = movie.pal.then_some(Region::Pal).or(self.config.region);
        let config = Config { ram_fill: movie.ram.into(), region, devices: movie.devices, ..self.config };
        let (cartridge, _) = self.emulator.power();
        py.detach(|| {
            self.emulator = Emulator::bare(cartridge, config);
            self.emulator.movie.play(movie.clone());
            movie.frames.iter().for_each(|_| self.advance([Buttons::empty(); 2]));
            movie.frames.len()
        })
    }

    /// Which console it is: "ntsc" or "pal".
    #[getter]
    fn region(&self) -> &'static str {
        name_of(self.emulator.state().region())
    }

    /// Frames a second at the console's own speed.
    #[getter]
    fn frame_rate(&self) -> f64 {
        self.emulator.state().region().frame_rate()
    }

    /// Frames since power-on.
    #[getter]
    fn frame(&self) -> u64 {
        self.emulator.state().frame_number()
    }

    /// CPU cycles since power-on.
    #[getter]
    fn cycle(&self) -> u64 {
        self.emulator.state().cycle()
    }

    /// The 2 KiB of RAM: into `out` if it is given, else as a new array.
    #[pyo3(signature = (out = None))]
    fn ram<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray1<u8>>>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let ram = self.emulator.state().ram();
        let Some(out) = out else { return Ok(PyArray1::from_slice(py, ram)) };
        if out.len() != ram.len() {
            return Err(wrong(format!("out: expected 2048 bytes, found {}", out.len())));
        }
        out.try_readwrite()?.as_slice_mut()?.copy_from_slice(ram);
        Ok(out)
    }

    /// What the CPU would read at an address.
    fn peek(&self, address: u16) -> u8 {
        self.emulator.state().peek(address)
    }

    /// Writes as the CPU would.
    fn write(&mut self, address: u16, value: u8) {
        self.emulator.console().write(address, value);
    }

    /// The last picture, (240, 256, 3) bytes: into `out` if it is given, else as a new array.
    #[pyo3(signature = (out = None))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray3<u8>>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let out = out.unwrap_or_else(|| PyArray3::zeros(py, [240, 256, 3], false));
        if out.shape() != [240, 256, 3] {
            return Err(wrong(format!("out: expected (240, 256, 3), found {:?}", out.shape())));
        }
        {
            let mut array = out.try_readwrite()?;
            let bytes = array.as_slice_mut()?;
            let picture = self.emulator.state().picture();
            py.detach(|| self.colours.write_rgb(picture, bytes));
        }
        Ok(out)
    }

    /// The last picture in grey, (84, 84) bytes: into `out` if it is given, else as a new array.
    #[pyo3(signature = (out = None))]
    fn gray<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<u8>>>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let out = out.unwrap_or_else(|| PyArray2::zeros(py, [84, 84], false));
        if out.shape() != [84, 84] {
            return Err(wrong(format!("out: expected (84, 84), found {:?}", out.shape())));
        }
        {
            let mut array = out.try_readwrite()?;
            let bytes = array.as_slice_mut()?;
            let picture = self.emulator.state().picture();
            py.detach(|| self.colours.write_gray(picture, bytes));
        }
        Ok(out)
    }

    /// The last picture as a PNG file, which notebooks show.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let picture = self.picture(py, None)?;
        super::pictures::png(py, picture.readonly())
    }

    /// Is the picture drawn from here on?
    fn set_video(&mut self, drawn: bool) {
        self.config.video = drawn;
        self.emulator.console().set_video(drawn);
    }

    /// The samples made since the last call, if `sample_rate` was given.
    fn samples<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let samples = PyArray1::from_slice(py, &self.samples);
        self.samples.clear();
        samples
    }

    /// The reset button.
    fn reset(&mut self) {
        self.emulator.console().reset_between_frames();
    }

    /// The state as bytes.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.emulator.state().save())
    }

    /// Takes over a state: bytes of `save`, or a file that the window, the page or
    /// `maxout run --save-state` has written.
    fn load(&mut self, state: &[u8]) -> PyResult<()> {
        let saved = SavedState::read(state).map_err(wrong)?;
        self.emulator.console().load(&saved.console).map_err(wrong)
    }

    /// A hash of the state.
    fn state_hash(&self) -> u64 {
        self.emulator.state().state_hash()
    }

    /// A console with the same future.
    fn clone(&self) -> Self {
        let Self { emulator, config, made, samples, colours } = self;
        let (emulator, samples) = (emulator.clone(), samples.clone());
        Self { emulator, config: *config, made: made.clone(), samples, colours: Arc::clone(colours) }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The state as bytes: `save` by the name that environments have.
    fn get_state<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.save(py)
    }

    /// Goes on from a state: `load` by the name that environments have.
    fn set_state(&mut self, state: &[u8]) -> PyResult<()> {
        self.load(state)
    }

    /// The console of an image, settings and a state.
    #[staticmethod]
    #[pyo3(name = "_remade")]
    fn remade(
        rom: Option<&[u8]>,
        ram_fill: u8,
        video: bool,
        sample_rate: Option<u32>,
        region: &str,
        state: &[u8],
    ) -> PyResult<Self> {
        let mut console = Self::new(rom, ram_fill, video, sample_rate, Some(region))?;
        console.load(state)?;
        Ok(console)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Reduced<'py>)> {
        let (rom, ram_fill) = &self.made;
        let rom = rom.as_ref().map(|rom| PyBytes::new(py, rom));
        let Config { video, sample_rate, .. } = self.config;
        let parts = (rom, *ram_fill, video, sample_rate, self.region(), self.save(py));
        Ok((py.get_type::<Self>().getattr("_remade")?, parts))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.emulator.state() == other.emulator.state()
    }

    fn __repr__(&self) -> String {
        format!(
            "maxout.Console(frame {}, cycle {})",
            self.emulator.state().frame_number(),
            self.emulator.state().cycle()
        )
    }
}
