/**
 * Samples per second. The service accepts only this rate, with 16-bit little-endian samples on one channel.
 */
export const SAMPLE_RATE = 16_000;
/** Seconds of speech per request; the service accepts at most 60. */
export const PIECE_SECONDS = 55;
