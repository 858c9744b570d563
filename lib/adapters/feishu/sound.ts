/** The service takes only this: samples of 16 bits, little-endian, one channel. */
export const SAMPLE_RATE = 16_000;
/** The seconds of speech in one request; the service takes 60. */
export const PIECE_SECONDS = 55;
