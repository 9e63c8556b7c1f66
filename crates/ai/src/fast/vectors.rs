//! The same code for vectors of several widths; the widest of the machine is chosen at run time.

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

/// What the kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vectors {
    /// What this machine has.
    Widest,
    /// What every machine of the target has.
    Portable,
}

/// A kernel: all that it calls is inlined into it, so that it is compiled for the same features.
pub(crate) trait Kernel {
    type Output;

    /// `COUNTS`: the machine counts the bits of each word of a vector at once.
    fn run<const COUNTS: bool>(self) -> Self::Output;
}

impl Vectors {
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Self::Widest => widest(kernel),
            Self::Portable => kernel.run::<false>(),
        }
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt",
))]
fn widest<K: Kernel>(kernel: K) -> K::Output {
    if target_cfg_f!(target_feature = "avx512vpopcntdq") {
        kernel.run::<true>()
    } else {
        kernel.run::<false>()
    }
}
