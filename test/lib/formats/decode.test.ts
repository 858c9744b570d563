import { describe, expect, it } from '@jest/globals';
import { decodeText, decodeWithName } from '../../../lib/formats/decode.ts';

describe('decodeText', () => {
  const latin = Uint8Array.of(0x93, 0x68, 0x69, 0x94, 0x80, 0xe9);
  const utf16 = Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x42, 0);
  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffä'), '\ufeffä'],
    ['UTF-16 with a byte order mark', utf16, '\ufeffAB'],
    ['windows-1252', latin, '“hi”€é'],
    ['an empty file', new Uint8Array(), ''],
  ])('reads %s', (_what, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it.each([
    ['Mail says \x1b$BElKL\x1b(B', 'Mail says 東北', 'iso-2022-jp'],
    ['é: terminals send \x1b$BElKL', 'é: terminals send \x1b$BElKL', 'utf-8'],
    ['\ufeffThe first switch: \x1b$@', '\ufeffThe first switch: \x1b$@', 'utf-8'],
    [
      'A record of a long report: \x1b$BElKL, and 東北.',
      'A record of a long report: \x1b$BElKL, and 東北.',
      'utf-8',
    ],
  ])('reads ISO-2022-JP escape sequences only in ASCII: %j', (stored, text, encoding) => {
    expect(decodeWithName(Buffer.from(stored))).toEqual({ text, encoding, certain: true });
  });

  it('keeps ISO-2022-JP escape sequences in another encoding', () => {
    const text = 'Жизнь и судьба, вторая часть: \x1b$BElKL';
    const bytes = Buffer.from(
      [...text].map((each) => (each < '\x7f' ? each.charCodeAt(0) : each.charCodeAt(0) - 0x350)),
    );
    expect(decodeText(bytes)).toBe(text);
  });

  it.each([
    ['a NUL', Buffer.from('a\0b')],
    ['a NUL far from the start', Buffer.concat([Buffer.alloc(9000, 'a'), Buffer.alloc(4)])],
    ['control characters', Buffer.alloc(1000, 1)],
  ])('treats text with %s as binary', (_what, bytes) => {
    expect(decodeText(bytes)).toBeUndefined();
  });
});
