//! Arrays of any length as serde's sequences; a sequence of another length is refused.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

fn sized<const N: usize, T, E: Error>(parts: Vec<T>) -> Result<[T; N], E> {
    parts.try_into().map_err(|parts: Vec<T>| E::invalid_length(parts.len(), &&*format!("{N} numbers")))
}

/// `[f64; N]`.
pub(crate) mod vector {
    use super::{Deserialize, Deserializer, Serialize, Serializer, sized};

    pub(crate) fn serialize<const N: usize, S: Serializer>(
        vector: &[f64; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        vector.as_slice().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, const N: usize, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[f64; N], D::Error> {
        sized(Vec::deserialize(deserializer)?)
    }
}

/// `Vec<[f64; N]>`.
pub(crate) mod vectors {
    use super::{Deserialize, Deserializer, Serializer, sized};

    pub(crate) fn serialize<const N: usize, S: Serializer>(
        vectors: &[[f64; N]],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(vectors.iter().map(<[f64; N]>::as_slice))
    }

    pub(crate) fn deserialize<'de, const N: usize, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<[f64; N]>, D::Error> {
        Vec::<Vec<f64>>::deserialize(deserializer)?.into_iter().map(sized).collect()
    }
}

/// `[[f64; N]; N]`.
pub(crate) mod matrix {
    use super::{Deserializer, Serializer, sized, vectors};

    pub(crate) fn serialize<const N: usize, S: Serializer>(
        matrix: &[[f64; N]; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        vectors::serialize(matrix, serializer)
    }

    pub(crate) fn deserialize<'de, const N: usize, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[[f64; N]; N], D::Error> {
        sized(vectors::deserialize(deserializer)?)
    }
}
