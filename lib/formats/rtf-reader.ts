import { Unreadable } from '../errors.ts';
import type { Decoded } from './format.ts';
import { chainTexts } from './join-parts.ts';
import { leftOf } from './left.ts';
import { withoutPageNumber } from './office/running-text.ts';
import { textBlocks } from './office/text-blocks.ts';
import { type CodePages, codePages } from './rtf-code-pages.ts';

const MAX_DEPTH = 1000;

/** The state that lasts until the end of a group. */
interface Group {
  unread: boolean;
  hidden: boolean;
  struck: boolean;
  inFonts: boolean;
  /** The separate text that contains the group, such as a footnote. */
  aside: Aside | undefined;
  /**
   * For a text in two forms (`upr`): whether the surrounding group is ignored. Of the two, only the form in
   * Unicode is read.
   */
  upr: boolean | undefined;
  font: number;
  /** The number of replacement characters after `\u`, for programs that don't support it. */
  fallbacks: number;
}

type Aside = 'Note' | 'Comment' | 'Box' | 'Header' | 'Footer';

interface Reading {
  blocks: ReturnType<typeof textBlocks>;
  pages: CodePages;
  groups: Group[];
  group: Group;
  /** Bytes that aren't decoded yet, because a character may have two. */
  pending: string;
  /** The number of characters still to skip after `\u`. */
  passing: number;
  defaultFont: number;
  text: string;
  /** The text of the open aside, one line per paragraph. */
  aside: string;
  notes: string[];
  /** True if the open aside has a page number. */
  hasNumber: boolean;
  /** Headers and footers, which come before the text. */
  running: Set<string>;
  /** True if a group has just started, and if `\\*` follows. */
  atStart: boolean;
  isStarred: boolean;
  images: number;
  objects: number;
  isItem: boolean;
  outlineLevel: number | undefined;
  inTable: boolean;
  tableOpen: boolean;
}

type Action = (reading: Reading, value: number) => void;

const CHARACTERS: Record<string, string> = {
  ...{ tab: '\t', line: '\n', lbr: '\n', emspace: ' ', enspace: ' ', '~': ' ', _: '-' },
  ...{ emdash: '\u2014', endash: '\u2013', bullet: '\u2022' },
  ...{ lquote: '\u2018', rquote: '\u2019', ldblquote: '\u201c', rdblquote: '\u201d' },
  ...{ '{': '{', '}': '}', '\\': '\\' },
};

/** Groups whose text doesn't belong to the document. */
const UNREAD =
  'colortbl stylesheet info fldinst listtable listoverridetable revtbl rsidtbl generator themedata private xe tc filetbl ' +
  'atnid atnauthor sp nonshppict';
/** `\*` marks groups that not every program supports. These ones contain text. */
const READ_STARRED = new Set(
  'shpinst shptxt do dptxbxtext annotation footnote ud moMathPara moMath mr cs'.split(' '),
);
const HEADERS = 'header headerl headerr headerf';
const FOOTERS = 'footer footerl footerr footerf';
const LIST_MARKS = 'pntext listtext';
const BLOCK_ENDS = 'par sect page column nestcell nestrow \n \r';

const PROPERTIES: Record<string, Action> = {
  ansicpg: ({ pages }, value) => pages.setOwn(value),
  mac: ({ pages }) => pages.setOwn(10000),
  fonttbl: ({ group }) => Object.assign(group, { unread: true, inFonts: true }),
  deff: (reading, value) => {
    reading.defaultFont = value;
    reading.group.font = value;
  },
  f: ({ group }, value) => Object.assign(group, { font: value }),
  fcharset: ({ group, pages }, value) => group.inFonts && pages.setFont(group.font, value),
  footnote: aside('Note'),
  annotation: aside('Comment'),
  shptxt: aside('Box'),
  dptxbxtext: aside('Box'),
  upr: ({ group }) => Object.assign(group, { upr: group.unread }),
  ud: ({ group }) => group.upr !== undefined && Object.assign(group, { unread: group.upr, upr: undefined }),
  // Usually a page number.
  fldrslt: (reading) => {
    if (!isRunning(reading.group.aside)) return;
    reading.group.unread = true;
    reading.hasNumber = true;
  },
  chpgn: (reading) => Object.assign(reading, { hasNumber: true }),
  pict: (reading) => {
    if (!reading.group.unread) reading.images++;
    reading.group.unread = true;
  },
  shppict: (reading) => void reading.images++,
  object: (reading) => {
    reading.objects++;
    reading.group.unread = true;
  },
  uc: ({ group }, value) => Object.assign(group, { fallbacks: Math.max(0, Math.min(value, 16)) }),
  v: ({ group }, value) => Object.assign(group, { hidden: value !== 0 }),
  deleted: ({ group }, value) => Object.assign(group, { hidden: value !== 0 }),
  strike: ({ group }, value) => Object.assign(group, { struck: value !== 0 }),
  striked: ({ group }, value) => Object.assign(group, { struck: value !== 0 }),
  plain: ({ group, defaultFont }) =>
    Object.assign(group, { hidden: false, struck: false, font: defaultFont }),
  pard: (reading) => Object.assign(reading, { outlineLevel: undefined, inTable: false }),
  outlinelevel: (reading, value) => Object.assign(reading, { outlineLevel: value }),
  intbl: (reading) => Object.assign(reading, { inTable: true }),
};

function isRunning(kind: Aside | undefined): boolean {
  return kind === 'Header' || kind === 'Footer';
}

/**
 * Returns an action that reads a separate text. Of nested ones, only the outer counts, so a footnote in a
 * text box is part of the box's text.
 */
function aside(kind: Aside): Action {
  return ({ group }) => {
    group.aside ??= kind;
  };
}

const skipGroup: Action = ({ group }) => Object.assign(group, { unread: true });

/**
 * Words without an action don't change the text. Marked as pure, so that bundles that only look formats up
 * omit this.
 */
const ACTIONS = /* @__PURE__ */ allActions();

function allActions(): Map<string, Action> {
  return new Map<string, Action>([
    ...Object.entries(PROPERTIES),
    ...Object.entries(CHARACTERS).map(([word, text]): Named => [word, (reading) => append(reading, text)]),
    ...named(UNREAD, skipGroup),
    ...named(HEADERS, aside('Header')),
    ...named(FOOTERS, aside('Footer')),
    ...named(LIST_MARKS, (reading, value) => {
      reading.isItem = true;
      skipGroup(reading, value);
    }),
    ...named(BLOCK_ENDS, whereRead(endParagraph)),
    ['cell', whereRead(endCell)],
    ['row', whereRead(endRow)],
    ['u', takeCodeUnit],
  ]);
}

type Named = [string, Action];

function named(words: string, action: Action): Named[] {
  return words.split(' ').map((word) => [word, action]);
}

function whereRead(end: (reading: Reading) => void): Action {
  return (reading) => {
    if (isRead(reading.group)) end(reading);
  };
}

/** Processes the pieces of an RTF file in order (the specification is Microsoft's, version 1.9.1). */
export function rtfReader(count: (text: string) => void) {
  const reading = startReading(count);
  return {
    bytes: (bytes: string) => {
      reading.atStart = false;
      takeBytes(reading, bytes);
    },
    word: (word: string, value = 1) => takeWord(reading, word, value),
    brace: (brace: string) => (brace === '{' ? openGroup(reading) : closeGroup(reading)),
    finish: (): Decoded => {
      endParagraph(reading);
      closeTable(reading);
      const running = textBlocks(count);
      for (const text of reading.running) running.paragraph(text);
      const { images, objects: embedded_objects } = reading;
      const text = chainTexts([running.finish(), reading.blocks.finish()]);
      return { ...text, partStarts: [], left: leftOf({ images, embedded_objects }) };
    },
  };
}

export type RtfReader = ReturnType<typeof rtfReader>;

function startReading(count: (text: string) => void): Reading {
  return {
    blocks: textBlocks(count),
    pages: codePages(),
    groups: [],
    group: {
      unread: false,
      hidden: false,
      struck: false,
      inFonts: false,
      aside: undefined,
      upr: undefined,
      font: 0,
      fallbacks: 1,
    },
    ...{ pending: '', passing: 0, defaultFont: 0, text: '', aside: '', notes: [], running: new Set() },
    ...{ hasNumber: false, atStart: false, isStarred: false, images: 0, objects: 0 },
    ...{ isItem: false, outlineLevel: undefined, inTable: false, tableOpen: false },
  };
}

function takeBytes(reading: Reading, bytes: string): void {
  const passed = Math.min(reading.passing, bytes.length);
  reading.passing -= passed;
  if (isRead(reading.group)) reading.pending += bytes.slice(passed);
}

function isRead({ unread, hidden, struck }: Group): boolean {
  return !unread && !hidden && !struck;
}

function flush(reading: Reading): void {
  const { pending, pages, group } = reading;
  if (pending === '') return;
  reading.pending = '';
  append(reading, pages.decode(pending, group.font));
}

function append(reading: Reading, text: string): void {
  if (!isRead(reading.group)) return;
  if (reading.group.aside !== undefined) reading.aside += text;
  else reading.text += text;
}

function openGroup(reading: Reading): void {
  flush(reading);
  if (reading.groups.length === MAX_DEPTH)
    throw new Unreadable('size', `The RTF file has more than ${MAX_DEPTH} nested groups.`);
  reading.groups.push(reading.group);
  const { upr } = reading.group;
  reading.group = { ...reading.group, unread: reading.group.unread || upr !== undefined };
  reading.passing = 0;
  reading.atStart = true;
}

function closeGroup(reading: Reading): void {
  flush(reading);
  const { group } = reading;
  reading.group = reading.groups.pop() ?? group;
  reading.passing = 0;
  if (group.aside === undefined || reading.group.aside !== undefined) return;
  endAside(reading, group.aside);
}

function endAside(reading: Reading, kind: Aside): void {
  const lines = reading.aside.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const texts = lines.filter((line) => (reading.hasNumber ? withoutPageNumber(line) : line) !== '');
  Object.assign(reading, { aside: '', hasNumber: false });
  if (kind === 'Box') for (const text of texts) reading.blocks.paragraph(text);
  else if (isRunning(kind)) for (const text of texts) reading.running.add(`${kind}: ${text}`);
  else reading.notes.push(`${kind}: ${texts.join(' ')}`);
}

/** The word may also be the replacement after `\u` for other programs. */
function takeWord(reading: Reading, word: string, value: number): void {
  flush(reading);
  const { atStart, isStarred } = reading;
  reading.atStart = false;
  reading.isStarred = atStart && word === '*';
  if (reading.passing > 0 && word !== 'u') reading.passing--;
  else if (isStarred && !READ_STARRED.has(word)) takeUnknown(reading, word, value);
  else ACTIONS.get(word)?.(reading, value);
}

/** Skips and counts a group that only some programs support. */
function takeUnknown(reading: Reading, word: string, value: number): void {
  if (word === 'shppict') ACTIONS.get(word)?.(reading, value);
  reading.group.unread = true;
}

/** A character beyond 65,535 arrives as two surrogates, and numbers are signed. */
function takeCodeUnit(reading: Reading, value: number): void {
  append(reading, String.fromCharCode(value & 0xffff));
  reading.passing = reading.group.fallbacks;
}

function endParagraph(reading: Reading): void {
  flush(reading);
  if (reading.group.aside !== undefined) {
    reading.aside += '\n';
    return;
  }
  if (reading.inTable) openTable(reading);
  else closeTable(reading);
  writeParagraph(reading);
}

function writeParagraph(reading: Reading): void {
  const { blocks, text, notes, isItem, outlineLevel } = reading;
  Object.assign(reading, { text: '', notes: [], isItem: false });
  if (outlineLevel !== undefined && outlineLevel < 9) blocks.heading(text, outlineLevel + 1);
  else if (isItem) blocks.item(text);
  else blocks.paragraph(text);
  for (const note of notes) blocks.paragraph(note);
}

function openTable(reading: Reading): void {
  if (!reading.tableOpen) reading.blocks.openTable();
  reading.tableOpen = true;
}

function closeTable(reading: Reading): void {
  if (reading.tableOpen) reading.blocks.closeTable();
  reading.tableOpen = false;
}

function endCell(reading: Reading): void {
  if (reading.group.aside !== undefined) {
    endParagraph(reading);
    return;
  }
  openTable(reading);
  writeParagraph(reading);
  reading.blocks.closeCell();
}

function endRow(reading: Reading): void {
  if (reading.group.aside !== undefined) return;
  openTable(reading);
  reading.blocks.closeRow();
}
