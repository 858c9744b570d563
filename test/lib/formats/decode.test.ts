import { describe, expect, it } from '@jest/globals';
import { decodeText } from '../../../lib/formats/decode.ts';

describe('decodeText', () => {
  const latin = Uint8Array.of(0x93, 0x68, 0x69, 0x94, 0x80, 0xe9);
  const utf16 = Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x42, 0);
  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffä'), '\ufeffä'],
    ['UTF-16 with a mark', utf16, '\ufeffAB'],
    ['windows-1252', latin, '“hi”€é'],
    ['nothing', new Uint8Array(), ''],
  ])('reads %s', (_what, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it.each([
    ['a NUL', Buffer.from('a\0b')],
    ['a NUL far behind', Buffer.concat([Buffer.alloc(9000, 'a'), Buffer.alloc(4)])],
    ['control characters', Buffer.alloc(1000, 1)],
  ])('takes %s for binary', (_what, bytes) => {
    expect(decodeText(bytes)).toBeUndefined();
  });
});
