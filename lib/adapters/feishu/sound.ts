/** The service accepts only this: 16-bit samples, little-endian, one channel. */
export const SAMPLE_RATE = 16_000;
/** Seconds of speech per request; the service accepts 60. */
export const PIECE_SECONDS = 55;
