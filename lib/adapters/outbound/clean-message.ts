import { toLine } from '../../text/one-line.ts';

const MAX_LENGTH = 300;

/**
 * Returns a provider's own message as a short line for people; undefined if nothing remains. Removes possible
 * secrets and internal addresses: the given keys and anything like them, tokens, URLs, host names, and IP
 * addresses.
 */
export function cleanMessage(text: string, secrets: (string | undefined)[] = []): string | undefined {
  let plain = toLine(text.slice(0, 4 * MAX_LENGTH), 4 * MAX_LENGTH);
  for (const secret of secrets)
    if (secret !== undefined && secret.length > 3) plain = plain.replaceAll(secret, '…');
  const clean = plain
    .replace(/\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>]+/gi, '…')
    .replace(
      /\b(?:bearer|basic|token|api[ _-]?key|password|secret)(?:["']?\s*[:=]\s*["']?|\s+(?=\S*\d))[^\s"',;]+/gi,
      '…',
    )
    .replace(/\b(?:sk|pk|rk|gsk|hf|xai|nvapi|pplx|ghp|glpat|eyJ|AIza|AKIA|ASIA)[-_]?[\w*.-]{6,}/g, '…')
    .replace(/\b\S+@\S+\.\w+\b/g, '…')
    .replace(
      /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|\[?(?:[\da-f]{0,4}:){3,7}[\da-f]{0,4}\]?(?::\d+)?/gi,
      '…',
    )
    .replace(
      /\b(?:localhost|[\w-]+(?:\.[\w-]+)*\.(?:local|internal|lan|corp|intra|svc|cluster))\b(?::\d+)?/gi,
      '…',
    )
    .replace(/[\w+/=-]{20,}/g, (run) => (isRandom(run) ? '…' : run))
    .replace(/(?:^|(?<=[\s"'(]))(?:\/[\w.@-]+){2,}/g, '…')
    .replace(/[<>`*_[\]|\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /\p{L}{2}/u.test(clean) ? toLine(clean, MAX_LENGTH) : undefined;
}

/**
 * Returns whether a run of characters is a key or an ID. Model names have short words between their hyphens.
 */
function isRandom(run: string): boolean {
  return run.split(/[-_/+=]/).some((piece) => piece.length >= 16 && /\d/.test(piece) && /[a-z]/i.test(piece));
}
