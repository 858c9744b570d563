import { MAX_XML_DEPTH, xmlParser } from '../../text/xml.ts';
import { broken } from './archive.ts';

/** The source of a part of an Office document, for changes without rewriting the rest. */
export interface XmlPart {
  /** The source from character 0, including a byte order mark. */
  source: string;
  encoding: Encoding;
  /** The root element's opening tag. */
  root: { name: string; prefix: string; start: number; end: number; isEmpty: boolean };
  /** The start of its closing tag, or the end of the opening tag if it's empty. */
  close: number;
  /** The values of `id` in certain elements. */
  ids: Set<number>;
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * Throws Unreadable if the part isn't XML in an encoding that Office uses, or has a broken character.
 * `withId` names the elements whose `id` is collected.
 */
export function readXmlPart(bytes: Uint8Array, title: string, withId: string[] = []): XmlPart {
  const encoding = encodingOf(bytes);
  const source = decode(bytes, encoding, title);
  const ids = new Set<number>();
  let root: XmlPart['root'] | undefined;
  let rootEnd: number | undefined;
  let depth = 0;
  const parser = xmlParser(
    {
      open(name, { id }, start, end) {
        root ??= readRoot(source, source.indexOf('<', start), end);
        depth++;
        if (id !== undefined && withId.includes(name)) ids.add(Number(id));
      },
      close(_name, end) {
        depth--;
        if (depth === 0) rootEnd ??= end;
      },
    },
    () => broken(title, new Error(`more than ${MAX_XML_DEPTH} nested elements`)),
  );
  parser.end(source);
  if (root === undefined || rootEnd === undefined) throw broken(title);
  const close = root.isEmpty ? root.end : source.lastIndexOf('</', rootEnd - 1);
  if (!root.isEmpty && !source.startsWith(`</${root.name}`, close)) throw broken(title);
  return { source, encoding, root, close, ids };
}

function encodingOf([first, second]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function decode(bytes: Uint8Array, encoding: Encoding, title: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw broken(title, error);
  }
}

export function encodeXml(source: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(source);
  const bytes = Buffer.from(source, 'utf16le');
  return encoding === 'utf-16le' ? bytes : bytes.swap16();
}

function readRoot(source: string, start: number, end: number): XmlPart['root'] {
  const tag = source.slice(start, end);
  const [, name = '', prefix = ''] = /^<((?:([^\s:/<>]+):)?[^\s:/<>]+)/.exec(tag) ?? [];
  return { name, prefix, start, end, isEmpty: /\/\s*>$/.test(tag) };
}

const ATTRIBUTE = /\s([^\s=<>"']+)\s*=\s*("[^"]*"|'[^']*')/g;

/** Returns the namespace of a prefix in the root element. */
export function namespaceOf({ source, root }: XmlPart, prefix: string): string | undefined {
  const name = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  const tag = source.slice(root.start, root.end);
  const found = [...tag.matchAll(ATTRIBUTE)].find(([, each]) => each === name);
  return found?.[2]?.slice(1, -1);
}

/** Adds elements at the end of the root element. */
export function appendToRoot({ source, root, close }: XmlPart, xml: string): string {
  if (root.isEmpty) {
    const open = source.slice(0, root.end).replace(/\/\s*>$/, '>');
    return `${open}${xml}</${root.name}>${source.slice(root.end)}`;
  }
  return source.slice(0, close) + xml + source.slice(close);
}

export interface Insertion {
  at: number;
  xml: string;
}

/** Insertions at the same position stay in order. */
export function insertInto(source: string, insertions: Insertion[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { at, xml } of insertions.toSorted((one, other) => one.at - other.at)) {
    pieces.push(source.slice(from, at), xml);
    from = at;
  }
  return pieces.join('') + source.slice(from);
}

/** Characters that XML can't contain, even escaped. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeXml(text: string): string {
  return withoutNotXml(text).replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? '');
}

/** Returns a text for a library that writes XML, and escapes only its signs. */
export function withoutNotXml(text: string): string {
  return text.replace(NOT_XML, '');
}
