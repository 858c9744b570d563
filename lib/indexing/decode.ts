const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

/** How much of a file is looked at to tell text from binary. */
const SAMPLE_BYTES = 8192;
const MAX_CONTROL_SHARE = 0.05;

/**
 * The text of a file: UTF-8, UTF-16 with a byte order mark, else windows-1252 (the web's word for Latin-1). The mark
 * stays in, so that positions are those of the file. Undefined for binaries.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decodeUtf16(bytes, 'utf-16be');
  if (bytes.subarray(0, SAMPLE_BYTES).includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return looksLikeText(bytes) ? windows1252.decode(bytes) : undefined;
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

function looksLikeText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const controls = sample.filter(
    (byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13,
  );
  return controls.length <= sample.length * MAX_CONTROL_SHARE;
}
