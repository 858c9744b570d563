import { Unreadable } from '../errors.ts';
import type { Decoded, Format } from './format.ts';
import { type RtfReader, rtfReader } from './rtf-reader.ts';
import { textLimit } from './text-limit.ts';

export const rtf: Format<'rtf', 'encoded'> = {
  name: 'rtf',
  version: 4,
  title: 'RTF',
  extensions: ['rtf'],
  signature: '{\\rtf',
  mediaType: 'application/rtf',
  content: 'encoded',
  unit: 'line',
  emptyNote: 'This document contains no text.',
};

/**
 * A word with its number, a byte in hexadecimal, a mark, a brace, or plain bytes. The file's own line breaks
 * don't matter.
 */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/gi;

export async function decodeRtf(bytes: Uint8Array): Promise<Decoded> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!source.startsWith('{\\rtf'))
    throw new Unreadable('broken', "The RTF file can't be read. It may be damaged.");
  const reader = rtfReader(textLimit(rtf.title));
  const tokens = new RegExp(TOKEN);
  for (let token = tokens.exec(source); token !== null; token = tokens.exec(source)) {
    if (token[1] === 'bin') tokens.lastIndex += Math.max(0, Number(token[2] ?? 0));
    else handOver(reader, token);
  }
  return reader.finish();
}

function handOver(reader: RtfReader, [, word, number, hex, mark, brace, plain]: RegExpExecArray): void {
  if (word !== undefined) reader.word(word, number === undefined ? undefined : Number(number));
  else if (hex !== undefined) reader.bytes(String.fromCharCode(Number.parseInt(hex, 16)));
  else if (mark !== undefined) reader.word(mark);
  else if (brace !== undefined) reader.brace(brace);
  else if (plain !== undefined) reader.bytes(plain);
}
