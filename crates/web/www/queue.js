// @ts-check
// The integers that the machine's worker and the loudspeaker share. Indices count up without end, in 32 bits.

/** Samples that the loudspeaker has taken. */
export const READ = 0;
/** Samples that the worker has written. */
export const WRITTEN = 1;
/** Samples that were missing when the loudspeaker wanted them. */
export const MISSING = 2;
/** 1 while the machine is paused, so that silence is not counted as missing. */
export const RESTS = 3;
/** Integers of a queue. */
export const COUNTS = 4;
/** Samples that a queue holds: a power of two. */
export const SIZE = 16384;

/** Returns the samples between two indices. @param {number} written @param {number} read */
export const between = (written, read) => (written - read) | 0;
