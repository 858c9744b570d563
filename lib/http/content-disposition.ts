import { encodeFileName } from '../text/file-name.ts';

/**
 * Returns the header that names a file (RFC 6266): `filename*` in UTF-8 and, for clients that don't know it, `filename` in ASCII.
 */
export function contentDisposition(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=${encodeFileName(name)}`;
}
