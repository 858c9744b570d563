import { raiseDigits } from '../../text/raise-digits.ts';
import type { Attributes } from '../../text/xml.ts';
import type { Archive } from './archive.ts';
import { readLook, type WordAnchor, type WordParagraph } from './word-paragraphs.ts';
import { readXml } from './xml.ts';

interface WordStyle {
  outlineLevel?: number;
  inList?: boolean;
  /** True for a line in a table of contents. */
  isContents?: boolean;
  isCode?: boolean;
  isHidden?: boolean;
  isStruck?: boolean;
  isRaised?: boolean;
  isBold?: boolean;
}

/** Styles by ID, which is in the author's language. The empty ID is the default. */
export type WordStyles = Map<string, WordStyle>;

interface StoredStyle extends WordStyle {
  basedOn?: string;
}

/** An ID is unique across types. */
const STYLE_TYPES = new Set(['paragraph', 'character']);
const MAX_ANCESTORS = 20;

/** Returns a document's styles, each with the properties inherited from its base styles. */
export async function readWordStyles(archive: Archive, entry: string): Promise<WordStyles> {
  const stored = new Map<string, StoredStyle>();
  let style: StoredStyle = {};
  await readXml(archive, entry, {
    open(name, attributes) {
      if (name === 'style') {
        style = {};
        if (STYLE_TYPES.has(attributes.type ?? '')) stored.set(attributes.styleId ?? '', style);
      } else readElement(style, name, attributes);
    },
  });
  return new Map([...stored].map(([id, own]) => [id, withInherited(stored, own)]));
}

/**
 * Returns a paragraph's visible text, run by run. Text that is formatted as hidden isn't printed either, and
 * struck-out text counts as deleted.
 */
export function visibleRuns(
  styles: WordStyles,
  { text, style, runs }: WordParagraph,
): { text: string; anchor: WordAnchor; isBold: boolean }[] {
  const ofParagraph = styles.get(style) ?? {};
  return runs.flatMap(({ at, anchor, style: own, isHidden, isStruck, isRaised, isBold }, index) => {
    const ofRun = styles.get(own) ?? {};
    // A property that both styles set is off (ECMA-376, 17.7.3).
    if (isHidden ?? (ofRun.isHidden === true) !== (ofParagraph.isHidden === true)) return [];
    if (isStruck ?? (ofRun.isStruck === true) !== (ofParagraph.isStruck === true)) return [];
    const seen = text.slice(at, runs[index + 1]?.at);
    const raised = isRaised ?? ofRun.isRaised ?? ofParagraph.isRaised ?? false;
    const bold = isBold ?? (ofRun.isBold === true) !== (ofParagraph.isBold === true);
    return [{ text: raised ? raiseDigits(seen) : seen, anchor, isBold: bold }];
  });
}

/** Word's own styles have English names in every language. */
function readElement(style: StoredStyle, name: string, { val = '' }: Attributes): void {
  if (name === 'name') Object.assign(style, byName(val));
  if (name === 'basedOn') style.basedOn = val;
  Object.assign(style, readLook(name, val));
  if (name === 'outlineLvl') style.outlineLevel = Number(val);
  if (name === 'numId') style.inList = val !== '0';
}

function byName(name: string): WordStyle {
  const [, level] = /^heading ([1-9])$/i.exec(name) ?? [];
  if (level !== undefined) return { outlineLevel: Number(level) - 1 };
  if (/^title$/i.test(name)) return { outlineLevel: 0 };
  if (/^(?:source code|html preformatted|macro|code(?: block)?|verbatim)$/i.test(name))
    return { isCode: true };
  return /^toc \d$/i.test(name) ? { isContents: true } : {};
}

function withInherited(stored: Map<string, StoredStyle>, own: StoredStyle): WordStyle {
  let style = own;
  const found: WordStyle = {};
  for (let step = 0; step < MAX_ANCESTORS; step++) {
    found.outlineLevel ??= style.outlineLevel;
    found.inList ??= style.inList;
    found.isContents ??= style.isContents;
    found.isCode ??= style.isCode;
    found.isHidden ??= style.isHidden;
    found.isStruck ??= style.isStruck;
    found.isRaised ??= style.isRaised;
    found.isBold ??= style.isBold;
    const parent = stored.get(style.basedOn ?? '');
    if (parent === undefined) break;
    style = parent;
  }
  return found;
}
