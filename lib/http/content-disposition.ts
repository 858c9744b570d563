/**
 * Returns the header that names a file (RFC 6266): `filename*` in UTF-8 and, for clients that don't know it, `filename` in ASCII.
 */
export function contentDisposition(name: string, type: 'attachment' | 'inline' = 'attachment'): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escapeByte);
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
