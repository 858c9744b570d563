/** Roughly how tokenizers split a text: four English letters per token, or four bytes of anything else. */
export const BYTES_PER_TOKEN = 4;

/** Roughly what vendors count for a large image; small ones are less. */
export const PICTURE_TOKENS = 1500;

/** For calls without token counts from a provider; estimates are recorded as such. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** No call has more, so sums stay whole numbers. */
const MOST_TOKENS = 1e9;

/** A server may report anything: adding one invalid number would make the month unreadable. Null = none. */
export function readCount(told: unknown): number | null {
  return Number.isFinite(told) && Number(told) >= 0 ? Math.min(Math.ceil(Number(told)), MOST_TOKENS) : null;
}
