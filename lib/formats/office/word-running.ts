import { ownValue } from '../../text/own-value.ts';
import type { Attributes, XmlReader } from '../../text/xml.ts';
import type { Archive } from './archive.ts';
import { entryOfType, type Relationship } from './relationships.ts';
import { withoutPageNumber } from './running-text.ts';
import type { TextBlocks } from './text-blocks.ts';
import { isOn, readWordParagraphs, UNREAD } from './word-paragraphs.ts';
import { visibleRuns, type WordStyles } from './word-styles.ts';
import { readXml } from './xml.ts';

const REFERENCES: Partial<Record<string, string>> = { headerReference: 'Header', footerReference: 'Footer' };

/** A header or a footer of a section. */
interface Reference {
  label: string;
  /** `default`, `first`, or `even`. */
  type: string;
  id: string;
}

/** Collects the visible headers and footers from a document's sections. */
export function collectRunning() {
  const found: Reference[] = [];
  let section: Reference[] = [];
  let hasFirst = false;
  return {
    found,
    open(name: string, { type = 'default', id = '', val = '' }: Attributes) {
      const label = ownValue(REFERENCES, name);
      if (label !== undefined) section.push({ label, type, id });
      if (name === 'titlePg') hasFirst = isOn(val);
    },
    close(name: string) {
      if (name !== 'sectPr') return;
      found.push(...section.filter(({ type }) => type !== 'first' || hasFirst));
      section = [];
      hasFirst = false;
    },
  };
}

/** Writes headers and footers, each paragraph once per document, without page numbers. */
export async function writeRunning(
  archive: Archive,
  relationships: Relationship[],
  references: Reference[],
  { styles, blocks }: { styles: WordStyles; blocks: TextBlocks },
): Promise<void> {
  const byId = new Map(relationships.map(({ id, entry }) => [id, entry]));
  const hasEven = await readsEven(archive, entryOfType(relationships, 'settings') ?? '');
  const entries = new Map(
    references.flatMap(({ id, label, type }): [string, string][] => {
      const entry = byId.get(id);
      return entry === undefined || (type === 'even' && !hasEven) ? [] : [[entry, label]];
    }),
  );
  const written = new Set<string>();
  for (const [entry, label] of entries)
    await readXml(
      archive,
      entry,
      readRunning(styles, (text) => {
        if (text === '' || written.has(text)) return;
        written.add(text);
        blocks.paragraph(`${label}: ${text}`);
      }),
    );
}

async function readsEven(archive: Archive, settings: string): Promise<boolean> {
  let found = false;
  await readXml(archive, settings, {
    open(name, { val = '' }) {
      if (name === 'evenAndOddHeaders') found = isOn(val);
    },
  });
  return found;
}

/** Fields that differ by page or day. */
const CHANGING = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES|DATE|TIME)\b/i;
/** Field codes are read here, but never written. */
const SKIPPED = new Set([...UNREAD].filter((name) => name !== 'instrText'));

function readRunning(styles: WordStyles, onText: (text: string) => void): XmlReader {
  let hadNumber = false;
  const paragraphs = readWordParagraphs((paragraph) => {
    const text = visibleRuns(styles, paragraph)
      .map((run) => run.text)
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
    onText(hadNumber ? withoutPageNumber(text) : text);
    hadNumber = false;
  });
  /** The codes of the open fields. */
  const fields: string[] = [];
  let inCode = false;
  return {
    skip: SKIPPED,
    open(name, attributes, ...place) {
      inCode = name === 'instrText';
      if (name === 'fldSimple') fields.push(attributes.instr ?? '');
      if (attributes.fldCharType === 'begin') fields.push('');
      if (attributes.fldCharType === 'end') fields.pop();
      paragraphs.open(name, attributes, ...place);
    },
    text(text) {
      if (inCode) fields.push((fields.pop() ?? '') + text);
      else if (!fields.some((code) => CHANGING.test(code))) paragraphs.text(text);
      else if (text.trim() !== '') hadNumber = true;
    },
    close(name, end) {
      inCode = false;
      if (name === 'fldSimple') fields.pop();
      paragraphs.close(name, end);
    },
  };
}
