import { ownValue } from '../../text/own-value.ts';
import type { Attributes, XmlReader } from '../../text/xml.ts';
import type { TextRun } from '../format.ts';
import { graphicOf } from './drawings.ts';

/** A paragraph in WordprocessingML, with its own properties, to which no style has been applied yet. */
export interface WordParagraph {
  text: string;
  style: string;
  /** Counts from 0. Level 9 isn't a heading, whatever the style says. */
  outlineLevel?: number;
  /** Absent if only its style makes it a list item. */
  inList?: boolean;
  listDepth: number;
  /** The notes to which the paragraph refers. */
  notes: WordNote[];
  /** The starts of runs in `text`, and their properties. */
  runs: WordRun[];
}

interface WordNote {
  /** For example, `footnote 2`; for a chart or a diagram, `graphic rId7`. */
  id: string;
  anchor: WordAnchor;
}

interface WordRun {
  at: number;
  anchor: WordAnchor;
  /** The ID of its character style. */
  style: string;
  /** Absent if only styles define it. The same applies to the other properties. */
  isHidden?: boolean;
  isStruck?: boolean;
  isRaised?: boolean;
  isBold?: boolean;
}

/**
 * The range in the XML that a comment on a run surrounds: the child of the run's paragraph that contains the
 * run. That is the run itself, or the link, content control, or field that replaces its runs when it's
 * updated. Text boxes can't have comments, so the comment surrounds the run that contains the text box. Final
 * once the outermost paragraph has ended.
 */
export type WordAnchor = TextRun;

/** The range in the XML for comments on the text from a position on. */
export interface PlacedAnchor {
  at: number;
  anchor: WordAnchor;
  /** True if the run belongs to the number of a note. */
  isNote: boolean;
}

/**
 * Skipped elements: deleted or moved text, earlier formatting, field codes, the reading of ruby text, tab stops, and
 * the second copy of text boxes, for programs before 2010.
 */
export const UNREAD = new Set(
  'del moveFrom delText instrText pPrChange rPrChange sectPrChange tblPrChange rt tabs Fallback'.split(' '),
);

const MARKS: Record<string, string> = { tab: '\t', ptab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' };
const REFERENCES: Record<string, string> = {
  footnoteReference: 'footnote',
  endnoteReference: 'endnote',
  commentReference: 'comment',
};

/** Passes on each paragraph when it ends, those of a text box before the one that contains it. */
export function readWordParagraphs(
  onParagraph: (paragraph: WordParagraph) => void,
): Required<Omit<XmlReader, 'skip'>> {
  const open: OpenParagraph[] = [];
  const anchors = trackAnchors();
  let isText = false;
  const append = (text: string) => {
    const paragraph = open.at(-1);
    if (paragraph !== undefined) appendText(paragraph, text, anchors.current());
  };
  return {
    open(name, attributes, start) {
      if (open.length > 0) anchors.open(name, attributes, start);
      else anchors.reset();
      if (name === 'p') open.push({ text: '', style: '', listDepth: 0, notes: [], runs: [], run: undefined });
      isText = name === 't';
      const paragraph = open.at(-1);
      if (paragraph === undefined) return;
      readElement(paragraph, name, attributes, anchors.current());
      append(name === 'sym' ? symbolText(attributes) : (ownValue(MARKS, name) ?? ''));
    },
    text(text) {
      if (isText) append(text);
    },
    close(name, end) {
      isText = false;
      const paragraph = name === 'p' ? open.pop() : undefined;
      if (open.length > 0) anchors.close(end);
      if (paragraph !== undefined) onParagraph(paragraph);
    },
  };
}

interface OpenParagraph extends WordParagraph {
  /** The current run. */
  run: Omit<WordRun, 'at' | 'anchor'> | undefined;
}

const NO_RUN = { style: '' };
const LOOKS = ['style', 'isHidden', 'isStruck', 'isRaised', 'isBold'] as const;

function looksAs(one: Omit<WordRun, 'at' | 'anchor'>, other: Omit<WordRun, 'at' | 'anchor'>): boolean {
  return LOOKS.every((look) => one[look] === other[look]);
}

function appendText(paragraph: OpenParagraph, text: string, anchor: WordAnchor): void {
  if (text === '') return;
  const run = paragraph.run ?? NO_RUN;
  const last = paragraph.runs.at(-1);
  if (last === undefined || last.anchor !== anchor || !looksAs(last, run))
    paragraph.runs.push({ ...run, at: paragraph.text.length, anchor });
  paragraph.text += text;
}

function readElement(
  paragraph: OpenParagraph,
  name: string,
  attributes: Attributes,
  anchor: WordAnchor,
): void {
  const { val = '', id = '' } = attributes;
  const note = ownValue(REFERENCES, name);
  const graphic = graphicOf(name, attributes);
  if (graphic !== undefined) paragraph.notes.push({ id: `graphic ${graphic}`, anchor });
  else if (note !== undefined) paragraph.notes.push({ id: `${note} ${id}`, anchor });
  else if (name === 'r') paragraph.run = { style: '' };
  else if (name === 'pStyle') paragraph.style = val;
  else if (name === 'outlineLvl') paragraph.outlineLevel = Number(val);
  else if (name === 'numId') paragraph.inList = val !== '0';
  else if (name === 'ilvl') paragraph.listDepth = Number(val) || 0;
  else if (paragraph.run !== undefined) readRunElement(paragraph.run, name, val);
}

function readRunElement(run: NonNullable<OpenParagraph['run']>, name: string, val: string): void {
  if (name === 'rStyle') run.style = val;
  else Object.assign(run, readLook(name, val));
}

/** Reads the formatting of characters from a property of a run or style. */
export function readLook(
  name: string,
  val: string,
): Partial<Pick<WordRun, 'isHidden' | 'isStruck' | 'isRaised' | 'isBold'>> {
  if (name === 'vanish') return { isHidden: isOn(val) };
  if (name === 'b') return { isBold: isOn(val) };
  if (name === 'strike' || name === 'dstrike') return { isStruck: isOn(val) };
  return name === 'vertAlign' ? { isRaised: val === 'superscript' } : {};
}

/** Returns whether the value turns on an element that is on by default. */
export function isOn(val: string): boolean {
  return !/^(?:0|false|off)$/.test(val);
}

/** Tracked changes contain runs like a paragraph, so a comment may start and end between them. */
const CONTAINERS = new Set(['ins', 'moveTo']);

/** Tracks the children of the outermost paragraph. */
function trackAnchors() {
  let anchor: WordAnchor = { start: 0, end: 0 };
  let depth = 0;
  let fields = 0;
  return {
    current: () => anchor,
    reset() {
      depth = 0;
      fields = 0;
    },
    open(name: string, { fldCharType }: Attributes, start: number) {
      if (depth === 0 && CONTAINERS.has(name)) return;
      if (depth === 0 && fields === 0) anchor = { start, end: start };
      depth++;
      if (fldCharType === 'begin') fields++;
      if (fldCharType === 'end') fields = Math.max(0, fields - 1);
    },
    close(end: number) {
      if (depth === 0) return;
      depth--;
      if (depth === 0) anchor.end = end;
    },
  };
}

/** The Unicode range in which symbol fonts have their characters. Their own codes start at 0. */
const PRIVATE = 0xf000;
/** Adobe's encoding of the font Symbol from 0x20 on, with a space for each part of a larger symbol. */
const SYMBOL =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ ' +
  `${' '.repeat(32)} €ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…   ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑`.slice(1);

/** Returns the character of a `sym` element; empty for a character that only its font has. */
function symbolText({ font = '', char = '' }: Attributes): string {
  const code = Number.parseInt(char, 16);
  if (!(code >= 0x20)) return '';
  const isPrivate = code >= PRIVATE && code < PRIVATE + 0x100;
  if (/^symbol\b/i.test(font)) return SYMBOL[(isPrivate ? code - PRIVATE : code) - 0x20]?.trim() ?? '';
  return isPrivate || code > 0x10ffff ? '' : String.fromCodePoint(code);
}
