/**
 * Converts a window's tokens to digits. Recognizes `16,384`, `16 384`, and `16k`; validation handles anything else. `k`
 * is a thousand, because a prompt for a window larger than the server's would be truncated.
 */
export function readTokens(text: string): string {
  const typed = text.trim();
  const [, grouped = '', k] = /^(\d{1,3}(?:[.,'_\s]\d{3})+|\d+)\s*(k)?$/i.exec(typed) ?? [];
  return grouped === '' ? typed : `${grouped.replace(/\D/g, '')}${k ? '000' : ''}`;
}

const LEAST = 512;
const MOST = 100_000_000;

/** Returns whether the service accepts a window. Empty means that the server is asked. */
export function isWindow(text: string): boolean {
  const tokens = readTokens(text);
  return tokens === '' || (/^\d+$/.test(tokens) && Number(tokens) >= LEAST && Number(tokens) <= MOST);
}
