//! Reviews of whole games by the nets of the repository.

mod games;
