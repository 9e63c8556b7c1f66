//! Files of what is seen and heard: sound, animations, videos, screenshots.

mod encoder;
pub(crate) mod export;
pub(crate) mod format;
pub(crate) mod gif;
pub(crate) mod recorder;
pub(crate) mod rescue;
pub(crate) mod screenshot;
pub(crate) mod video;
pub(crate) mod wave;
