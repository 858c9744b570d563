/** Roughly how tokenizers split a text: four English letters per token, four bytes of anything else. */
export const BYTES_PER_TOKEN = 4;

/** Roughly what vendors count for a large image; small ones are less. */
export const PICTURE_TOKENS = 1500;

/** For calls without counts of a provider; estimates are recorded as such. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
