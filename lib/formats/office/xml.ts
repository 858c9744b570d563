import { TextDecoder } from 'node:util';
import { Parser } from 'htmlparser2';
import { Unreadable } from '../../errors.ts';
import type { Archive } from './archive.ts';

/** Names are without their prefix, which each writer of documents may choose. */
export type Attributes = Record<string, string>;

export interface XmlReader {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Elements whose content is passed over. */
  skip?: ReadonlySet<string>;
}

/** Deeper than tables in tables go. */
const MAX_DEPTH = 500;

/**
 * Reads an entry of XML as it is unpacked: nothing of it is kept. No entity but XML's own five and numbers is known, so none can
 * unfold or lead anywhere. An entry that is not there is as good as empty.
 */
export async function readXml(archive: Archive, name: string, reader: XmlReader): Promise<void> {
  if (!archive.has(name)) return;
  const parser = makeParser(archive.title, reader);
  let decoder: TextDecoder | undefined;
  for await (const piece of archive.read(name)) {
    decoder ??= new TextDecoder(encodingOf(piece));
    parser.write(decoder.decode(piece, { stream: true }));
  }
  parser.end();
}

/** A whole entry of XML; empty where there is none. */
export async function readXmlSource(archive: Archive, name: string): Promise<string> {
  if (!archive.has(name)) return '';
  const pieces: Uint8Array[] = [];
  for await (const piece of archive.read(name)) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** XML of documents and books is in no other. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function makeParser(title: string, { open, text, close, skip }: XmlReader): Parser {
  let depth = 0;
  let skipped = 0;
  return new Parser(
    {
      onopentag(fullName, attributes) {
        if (++depth > MAX_DEPTH)
          throw new Unreadable('size', `The ${title} file has more than ${MAX_DEPTH} nested elements.`);
        const name = withoutPrefix(fullName);
        if (skipped > 0 || skip?.has(name)) skipped++;
        else open?.(name, withoutPrefixes(attributes));
      },
      ontext(data) {
        if (skipped === 0) text?.(data);
      },
      onclosetag(fullName) {
        depth--;
        if (skipped > 0) skipped--;
        else close?.(withoutPrefix(fullName));
      },
    },
    { xmlMode: true },
  );
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** `r:id` wins over `id`: it leads to another entry. */
function withoutPrefixes(attributes: Attributes): Attributes {
  const names = Object.keys(attributes);
  if (!names.some((name) => name.includes(':'))) return attributes;
  const plainFirst = names.sort((one, other) => Number(one.includes(':')) - Number(other.includes(':')));
  return Object.fromEntries(plainFirst.map((name) => [withoutPrefix(name), attributes[name] ?? '']));
}

/** What is done at some elements, by their names; nothing at any other. */
export function byElement<Args extends unknown[]>(
  actions: Record<string, (...args: Args) => void>,
): (name: string, ...args: Args) => void {
  const byName = new Map(Object.entries(actions));
  return (name, ...args) => byName.get(name)?.(...args);
}
