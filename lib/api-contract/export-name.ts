const MAX_LENGTH = 60;
/** The maximum number of bytes. File systems allow 255, including the extension. */
const MAX_BYTES = 200;
/** Names that Windows reserves, whatever the extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Returns a file name for an export of a question or title: `when-do-owls-hunt.docx`. Keeps words in any
 * script.
 */
export function exportName(title: string, extension: string, fallback: string): string {
  const words =
    title
      .toWellFormed()
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const slug = cutSlug(words);
  return `${slug === '' || RESERVED.test(slug) ? fallback : slug}.${extension}`;
}

/** Returns as many whole words as fit, but at least the start of the first one. */
function cutSlug([first = '', ...others]: string[]): string {
  let slug = [...first].slice(0, MAX_LENGTH).join('');
  while (bytesOf(slug) > MAX_BYTES) slug = [...slug].slice(0, -1).join('');
  for (const word of others) {
    const longer = `${slug}-${word}`;
    if ([...longer].length > MAX_LENGTH || bytesOf(longer) > MAX_BYTES) break;
    slug = longer;
  }
  return slug;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
