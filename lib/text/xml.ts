import { Parser } from 'htmlparser2';

/** Attributes by name, without the prefix, which each writer may choose. */
export type Attributes = Record<string, string>;

export interface XmlReader {
  /** `start` and `end` are the tag's position, in characters of all text written to the parser. */
  open?(name: string, attributes: Attributes, start: number, end: number): void;
  text?(text: string): void;
  close?(name: string, end: number): void;
  /** Elements whose content is skipped. */
  skip?: ReadonlySet<string>;
}

/** Maximum depth, more than nested tables need. */
export const MAX_XML_DEPTH = 500;
/** Maximum attributes of an element, because the parser holds them all. */
const MAX_ATTRIBUTES = 10_000;

/**
 * Parses XML in chunks, as they arrive. Supports only XML's own five entities and numeric references, so no
 * entity can expand or refer to external content. Throws `tooDeep()` at more than 500 nested elements, or 10,000 attributes.
 */
export function xmlParser({ open, text, close, skip }: XmlReader, tooDeep: () => Error): Parser {
  let depth = 0;
  let skipped = 0;
  let attributesOfTag = 0;
  const parser: Parser = new Parser(
    {
      onopentagname() {
        attributesOfTag = 0;
      },
      onattribute() {
        if (++attributesOfTag > MAX_ATTRIBUTES) throw tooDeep();
      },
      onopentag(fullName, attributes) {
        if (++depth > MAX_XML_DEPTH) throw tooDeep();
        const name = withoutPrefix(fullName);
        if (skipped > 0 || skip?.has(name)) skipped++;
        else open?.(name, withoutPrefixes(attributes), parser.startIndex, parser.endIndex + 1);
      },
      ontext(data) {
        if (skipped === 0) text?.(data);
      },
      onclosetag(fullName) {
        depth--;
        if (skipped > 0) skipped--;
        else close?.(withoutPrefix(fullName), parser.endIndex + 1);
      },
    },
    { xmlMode: true },
  );
  return parser;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** `r:id` takes precedence over `id`, because it refers to another entry. */
function withoutPrefixes(attributes: Attributes): Attributes {
  const names = Object.keys(attributes);
  if (!names.some((name) => name.includes(':'))) return attributes;
  const plainFirst = names.sort((one, other) => Number(one.includes(':')) - Number(other.includes(':')));
  return Object.fromEntries(plainFirst.map((name) => [withoutPrefix(name), attributes[name] ?? '']));
}

/**
 * Maximum tags and attributes: a hundred papers with some hundred authors each. Reading more would take over
 * a tenth of a second.
 */
const MOST_MARKS = 100_000;
/** Maximum different names. They take four times as long, because V8 creates a hidden class for each. */
const MOST_NAMES = 5000;

/** The name of an element, or of an attribute. */
const NAME = /<\/?([^\s<>/=]*)|\s([^\s<>/="']+)=/g;

/**
 * Returns whether XML can be parsed without blocking the event loop: at most 100,000 tags and attributes, with at most
 * 5,000 names.
 */
export function isBoundedXml(text: string): boolean {
  const names = new Set<string>();
  let marks = 0;
  for (const [, element, attribute] of text.matchAll(NAME)) {
    names.add(element ?? attribute ?? '');
    if (++marks > MOST_MARKS || names.size > MOST_NAMES) return false;
  }
  return true;
}

export interface XmlElement {
  name: string;
  attributes: Attributes;
  children: XmlElement[];
  /** The element's own text, without that of its children. */
  text: string;
}

class TooDeep extends Error {}

/**
 * Returns the root element of a small document. Undefined for text that isn't one complete element, for more than 500
 * nested elements, and if parsing would block the event loop.
 */
export function readXmlTree(source: string): XmlElement | undefined {
  if (!isBoundedXml(source)) return undefined;
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const path = [document];
  const reader: XmlReader = {
    open(name, attributes) {
      const element = { name, attributes, children: [], text: '' };
      path.at(-1)?.children.push(element);
      path.push(element);
    },
    text(piece) {
      (path.at(-1) ?? document).text += piece;
    },
    close: () => path.pop(),
  };
  try {
    const parser = xmlParser(reader, () => new TooDeep());
    parser.write(source);
    if (path.length > 1) return undefined; // incomplete
    parser.end();
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
  const [root, ...others] = document.children;
  return others.length > 0 || document.text.trim() !== '' ? undefined : root;
}
