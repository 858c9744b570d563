import { Unreadable } from '../errors.ts';
import type { Decoded } from './format.ts';
import { textBlocks } from './office/text-blocks.ts';
import { type CodePages, codePages } from './rtf-code-pages.ts';

const MAX_DEPTH = 1000;

/** State that applies until the end of a group. */
interface Group {
  unread: boolean;
  hidden: boolean;
  struck: boolean;
  inFonts: boolean;
  inNote: boolean;
  font: number;
  /** How many characters follow `\u`, for programs that do not know it. */
  fallbacks: number;
}

interface Reading {
  blocks: ReturnType<typeof textBlocks>;
  pages: CodePages;
  groups: Group[];
  group: Group;
  /** Bytes that belong together: a character may be two of them. */
  pending: string;
  /** Characters still to be skipped after `\u`. */
  passing: number;
  defaultFont: number;
  text: string;
  note: string;
  notes: string[];
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

/** Groups whose text is none of the document. `\*` is before those that not every program knows. */
const UNREAD =
  '* colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf fldinst listtable ' +
  'listoverridetable revtbl rsidtbl generator themedata private xe tc filetbl atnid atnauthor';
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
  footnote: ({ group }) => Object.assign(group, { inNote: true }),
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

const skipGroup: Action = ({ group }) => Object.assign(group, { unread: true });

/**
 * Words that are not among them change nothing of the text. Marked pure, so that a bundle that only looks formats up
 * leaves it out.
 */
const ACTIONS = /* @__PURE__ */ allActions();

function allActions(): Map<string, Action> {
  return new Map<string, Action>([
    ...Object.entries(PROPERTIES),
    ...Object.entries(CHARACTERS).map(([word, text]): Named => [word, (reading) => append(reading, text)]),
    ...named(UNREAD, skipGroup),
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

/** Takes the pieces of an RTF file in order (the specification is Microsoft's, version 1.9.1). */
export function rtfReader(count: (text: string) => void) {
  const reading = startReading(count);
  return {
    bytes: (bytes: string) => takeBytes(reading, bytes),
    word: (word: string, value = 1) => takeWord(reading, word, value),
    brace: (brace: string) => (brace === '{' ? openGroup(reading) : closeGroup(reading)),
    finish: (): Decoded => {
      endParagraph(reading);
      return reading.blocks.finish();
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
      inNote: false,
      font: 0,
      fallbacks: 1,
    },
    ...{ pending: '', passing: 0, defaultFont: 0, text: '', note: '', notes: [] },
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
  if (reading.group.inNote) reading.note += text;
  else reading.text += text;
}

function openGroup(reading: Reading): void {
  flush(reading);
  if (reading.groups.length === MAX_DEPTH)
    throw new Unreadable('size', `The RTF file has more than ${MAX_DEPTH} nested groups.`);
  reading.groups.push(reading.group);
  reading.group = { ...reading.group };
  reading.passing = 0;
}

function closeGroup(reading: Reading): void {
  flush(reading);
  const { group } = reading;
  reading.group = reading.groups.pop() ?? group;
  reading.passing = 0;
  if (!group.inNote || reading.group.inNote) return;
  reading.notes.push(reading.note.replace(/\s+/g, ' ').trim());
  reading.note = '';
}

/** A word can also be the replacement after `\u` for other programs. */
function takeWord(reading: Reading, word: string, value: number): void {
  flush(reading);
  if (reading.passing > 0 && word !== 'u') reading.passing--;
  else ACTIONS.get(word)?.(reading, value);
}

/** Half of a character beyond 65,535 comes as one, and numbers as signed ones. */
function takeCodeUnit(reading: Reading, value: number): void {
  append(reading, String.fromCharCode(value & 0xffff));
  reading.passing = reading.group.fallbacks;
}

function endParagraph(reading: Reading): void {
  flush(reading);
  if (reading.group.inNote) {
    reading.note += ' ';
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
  for (const note of notes) blocks.paragraph(`Note: ${note}`);
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
  openTable(reading);
  writeParagraph(reading);
  reading.blocks.closeCell();
}

function endRow(reading: Reading): void {
  openTable(reading);
  reading.blocks.closeRow();
}
