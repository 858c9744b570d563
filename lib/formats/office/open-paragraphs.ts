import { ownValue } from '../../text/own-value.ts';
import type { Attributes, XmlReader } from '../../text/xml.ts';
import type { OpenObjects } from './open-objects.ts';
import type { TextBlocks } from './text-blocks.ts';

/**
 * Skipped elements: deleted text, lists of text from elsewhere, images and their names, and the reading of ruby text.
 */
const UNREAD = new Set(
  (
    'tracked-changes table-of-content illustration-index table-index alphabetical-index note-citation binary-data title ' +
    'desc ruby-text forms'
  ).split(' '),
);

/** The maximum number of consecutive spaces to keep, because more add nothing. */
const MAX_SPACES = 100;

interface OpenParagraph {
  kind: 'p' | 'h';
  /** The level of a heading, from 1. */
  level: number;
  text: string;
  /** The notes on it, read after it. */
  notes: string[];
}

/** A footnote or a comment: paragraphs within a paragraph. */
interface OpenNote {
  kind: 'note' | 'annotation';
  text: string;
}

/**
 * Writes the text of an OpenDocument body to blocks, which may change from page to page. Omits struck-out
 * text. The lines of its objects (charts, formulas) are given by name.
 */
export function readOpenParagraphs(target: () => TextBlocks, objects?: OpenObjects): Required<XmlReader> {
  const open: (OpenParagraph | OpenNote)[] = [];
  const strikes = followStrikes();
  let lists = 0;
  const finish = (one: OpenParagraph | OpenNote) => {
    if (isParagraph(one)) finishParagraph(target(), one, open.at(-1), lists);
    else finishNote(target(), one, open.at(-1));
  };
  return {
    skip: UNREAD,
    open(name, attributes) {
      strikes.open(name, attributes);
      const started = startOf(name, attributes);
      if (started !== undefined) open.push(started);
      if (name === 'list') lists++;
      if (name === 'table') target().openTable();
      if (name === 'object') writeObject(target(), objects, attributes);
      const top = open.at(-1);
      if (top !== undefined && isParagraph(top)) top.text += markOf(name, attributes);
    },
    text(text) {
      const top = open.at(-1);
      if (top !== undefined && isParagraph(top) && !strikes.isStruck()) top.text += text.replace(/\s+/g, ' ');
    },
    close(name) {
      strikes.close(name);
      if (open.at(-1)?.kind === name) finish(open.pop() as OpenParagraph | OpenNote);
      if (name === 'list') lists--;
      if (name === 'table-cell' || name === 'covered-table-cell') target().closeCell();
      if (name === 'table-row') target().closeRow();
      if (name === 'table') target().closeTable();
    },
  };
}

function writeObject(blocks: TextBlocks, objects: OpenObjects | undefined, { href }: Attributes): void {
  for (const line of objects?.lines(href) ?? []) blocks.line(line);
}

/**
 * Elements with their own style, and its family. Notes have none, because they don't inherit the style of the text
 * around them.
 */
const FAMILIES: Partial<Record<string, string>> = {
  ...{ p: 'paragraph', h: 'paragraph', span: 'text' },
  ...{ note: 'none', annotation: 'none' },
};

/** Tracks which text is struck out, because it's no longer valid. */
function followStrikes() {
  const styles = strikingStyles();
  const open: boolean[] = [];
  return {
    isStruck: () => open.at(-1) === true,
    open(name: string, attributes: Attributes) {
      styles.open(name, attributes);
      const family = ownValue(FAMILIES, name);
      if (family === undefined) return;
      const around = family !== 'none' && open.at(-1) === true;
      open.push(styles.strikes(family, attributes['style-name']) ?? around);
    },
    close(name: string) {
      styles.close(name);
      if (ownValue(FAMILIES, name) !== undefined) open.pop();
    },
  };
}

/** Reads which styles strike text out. A body comes after its styles. */
function strikingStyles() {
  /** Keyed by family and name; absent if a style inherits the property from the surrounding text. */
  const striking = new Map<string, boolean>();
  const strikes = (family = '', name = '') => striking.get(`${family} ${name}`);
  let style: string | undefined;
  const put = (isStriking: boolean | undefined) => {
    if (style !== undefined && isStriking !== undefined) striking.set(style, isStriking);
  };
  return {
    strikes,
    open(name: string, { family, name: called, 'parent-style-name': parent, ...looks }: Attributes) {
      if (name === 'style') {
        style = `${family} ${called}`;
        put(strikes(family, parent));
      }
      const line = looks['text-line-through-style'] ?? looks['text-line-through-type'];
      if (name === 'text-properties') put(line === undefined ? undefined : line !== 'none');
    },
    close(name: string) {
      if (name === 'style') style = undefined;
    },
  };
}

function startOf(
  name: string,
  { 'outline-level': level = '' }: Attributes,
): OpenParagraph | OpenNote | undefined {
  if (name === 'p' || name === 'h')
    return { kind: name, level: Number.parseInt(level, 10) || 1, text: '', notes: [] };
  if (name === 'note' || name === 'annotation') return { kind: name, text: '' };
  return undefined;
}

function isParagraph(one: OpenParagraph | OpenNote): one is OpenParagraph {
  return one.kind === 'p' || one.kind === 'h';
}

/**
 * Returns the white space that an element represents, because significant white space has its own elements.
 */
function markOf(name: string, { c = '1' }: Attributes): string {
  if (name === 's') return ' '.repeat(Math.min(Number.parseInt(c, 10) || 1, MAX_SPACES));
  if (name === 'tab') return '\t';
  return name === 'line-break' ? '\n' : '';
}

function finishParagraph(
  blocks: TextBlocks,
  { kind, level, text, notes }: OpenParagraph,
  around: OpenParagraph | OpenNote | undefined,
  lists: number,
): void {
  if (around !== undefined && !isParagraph(around)) {
    around.text = `${around.text} ${text}`.trim();
    return;
  }
  if (kind === 'h') blocks.heading(text, level);
  else if (lists > 0) blocks.item(text, lists - 1);
  else blocks.paragraph(text);
  for (const note of notes) blocks.paragraph(note);
}

/** A comment on a slide isn't in a paragraph. */
function finishNote(
  blocks: TextBlocks,
  { kind, text }: OpenNote,
  around: OpenParagraph | OpenNote | undefined,
): void {
  if (text === '') return;
  const note = `${kind === 'note' ? 'Note' : 'Comment'}: ${text}`;
  if (around === undefined) blocks.paragraph(note);
  else if (isParagraph(around)) around.notes.push(note);
}
