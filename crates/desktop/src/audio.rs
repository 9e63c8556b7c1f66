//! Sound, from the samples of a frame to the device.

pub(crate) mod device;
pub(crate) mod output;
pub(crate) mod resample;
pub(crate) mod ring;
pub(crate) mod time_stretch;
