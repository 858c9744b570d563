/** Roughly how tokenizers split a text: four English letters per token, or four bytes of anything else. */
export const BYTES_PER_TOKEN = 4;

/** Roughly the tokens that vendors count for a large image. Small images count less. */
export const PICTURE_TOKENS = 1500;

/** Estimates tokens for calls for which the provider reports no counts. They are recorded as estimates. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** More tokens than any call has, so that sums stay safe integers. */
const MOST_TOKENS = 1e9;

/**
 * Returns a reported token count, or null if it's invalid. A server may report anything, and one invalid number would
 * make the month unreadable.
 */
export function readCount(told: unknown): number | null {
  return Number.isFinite(told) && Number(told) >= 0 ? Math.min(Math.ceil(Number(told)), MOST_TOKENS) : null;
}
