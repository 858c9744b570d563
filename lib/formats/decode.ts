const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

const MAX_CONTROL_SHARE = 0.05;

/**
 * The text of a file: UTF-8, UTF-16 with a byte order mark, else windows-1252 (the web's word for Latin-1). The mark
 * stays in, so that positions are those of the file. Undefined for binaries: whatever holds a NUL, or many control
 * characters.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const text = decode(bytes);
  return isReadable(text) ? text : undefined;
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decodeUtf16(bytes, 'utf-16be');
  try {
    return utf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** Tab, line feed, form feed and carriage return are not counted. */
function isReadable(text: string): boolean {
  if (text.includes('\0')) return false;
  let controls = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) controls++;
  }
  return controls <= text.length * MAX_CONTROL_SHARE;
}
