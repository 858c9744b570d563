/** Encodings that the Encoding Standard lacks. */
const DECODERS: Record<string, (bytes: Uint8Array) => string> = {
  'utf-32le': (bytes) => decodeUtf32(bytes, true),
  'utf-32be': (bytes) => decodeUtf32(bytes, false),
  ibm855: (bytes) =>
    Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : IBM855.charAt(byte - 128))).join(
      '',
    ),
  johab: decodeJohab,
};

/** Decodes a text in any detected encoding. A byte order mark stays, and unreadable characters become U+FFFD. */
export function decodeAs(encoding: string, bytes: Uint8Array): string {
  return DECODERS[encoding]?.(bytes) ?? new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/**
 * Returns the encoding for a label. Programs use other separators (`latin-1`, `koi8_r`), and append the type
 * of line ends (`-unix`).
 */
export function encodingNamed(label: string): string | undefined {
  const name = label.toLowerCase().replace(/-(?:unix|dos|mac)$/, '');
  const forms = [name, name.replaceAll('_', '-'), name.replace(/[-_]/g, '')];
  for (const form of [...forms, name.replace(/^cp/, 'ibm'), name.replace(/^cp/, 'windows-')]) {
    if (Object.hasOwn(DECODERS, form)) return form;
    try {
      return new TextDecoder(form).encoding;
    } catch {
      // another form of the label may be known
    }
  }
  return undefined;
}

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength - (bytes.byteLength % 4));
  const pieces: string[] = [];
  for (let at = 0; at < view.byteLength; at += 4) {
    const point = view.getUint32(at, isLittle);
    pieces.push(point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point));
  }
  return pieces.join('').toWellFormed();
}

const IBM855 =
  'ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТуУжЖвВьЬ№\u00adыЫзЗшШэЭщЩчЧ§■\u00a0';

/**
 * Decodes the Korean encoding in which the bits of a syllable are its three letters. All other characters are
 * in the order of EUC-KR.
 */
function decodeJohab(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) pieces.push(String.fromCharCode(lead));
    else pieces.push(johabCharacter(lead, bytes[++at] ?? 0));
  }
  return pieces.join('');
}

const euc = new TextDecoder('euc-kr');

function johabCharacter(lead: number, trail: number): string {
  if (lead < 0xd8) return syllable((lead << 8) | trail);
  const row = lead < 0xe0 ? 0xa1 + 2 * (lead - 0xd9) : 0xca + 2 * (lead - 0xe0);
  if (trail >= 0xa1) return euc.decode(Uint8Array.of(row + 1, trail));
  return euc.decode(Uint8Array.of(row, trail + (trail < 0x91 ? 0x70 : 0x5e)));
}

/** The vowel codes skip two of every eight, and the final consonant codes skip one. */
function syllable(code: number): string {
  const initial = ((code >> 10) & 31) - 2;
  const vowelCode = (code >> 5) & 31;
  const vowel = vowelCode - 3 - 2 * (vowelCode >> 3);
  const finalCode = code & 31;
  const final = finalCode - (finalCode > 18 ? 2 : 1);
  const isSyllable = initial >= 0 && initial < 19 && vowel >= 0 && vowel < 21 && final >= 0 && final < 28;
  return isSyllable ? String.fromCharCode(0xac00 + (initial * 21 + vowel) * 28 + final) : '\ufffd';
}
