/** About what tokenizers make of a text: four letters of English a token, four bytes of anything else. */
const BYTES_A_TOKEN = 4;

/** About what the makers count for a large picture; small ones are less. */
export const PICTURE_TOKENS = 1500;

/** For where no provider counts; what is estimated is recorded as such. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
}
