import { TextDecoder } from 'node:util';
import { Unreadable } from '../../errors.ts';
import { MAX_XML_DEPTH, type XmlReader, xmlParser } from '../../text/xml.ts';
import { declaredXmlEncoding } from '../declared-encoding.ts';
import { decodeText } from '../decode.ts';
import type { Archive } from './archive.ts';

/** Reads an XML entry while it's decompressed, without storing it. A missing entry counts as empty. */
export async function readXml(archive: Archive, name: string, reader: XmlReader): Promise<void> {
  if (!archive.has(name)) return;
  const tooDeep = () =>
    new Unreadable('size', `The ${archive.title} file has more than ${MAX_XML_DEPTH} nested elements.`);
  const parser = xmlParser(reader, tooDeep);
  let decoder: TextDecoder | undefined;
  for await (const piece of archive.read(name)) {
    decoder ??= new TextDecoder(markedEncoding(piece) ?? declaredXmlEncoding(piece) ?? 'utf-8');
    parser.write(decoder.decode(piece, { stream: true }));
  }
  parser.end();
}

/** Returns a whole XML entry; empty if it's missing or isn't text. */
export async function readXmlSource(archive: Archive, name: string): Promise<string> {
  if (!archive.has(name)) return '';
  const bytes = Buffer.concat(await Array.fromAsync(archive.read(name)));
  return decodeText(bytes)?.replace(/^\ufeff/, '') ?? '';
}

function markedEncoding([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Calls the function for an element's name, if there is one. */
export function byElement<Args extends unknown[]>(
  actions: Record<string, (...args: Args) => void>,
): (name: string, ...args: Args) => void {
  const byName = new Map(Object.entries(actions));
  return (name, ...args) => byName.get(name)?.(...args);
}
