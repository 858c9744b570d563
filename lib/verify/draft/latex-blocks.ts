import { nextPlaces, shownInLatex } from '../../formats/shown-latex.ts';
import { outsideRuns } from '../../formats/shown-runs.ts';
import { raiseDigits } from '../../text/raise-digits.ts';
import { blankRuns, unseen } from './blocks-of-lines.ts';
import type { DraftBlock } from './draft.ts';
import { latexTable } from './latex-tables.ts';
import { spanOf } from './tables.ts';

/** Environments without sentences. */
const NO_TEXT =
  /^(?:equation|align|alignat|flalign|gather|multline|eqnarray|displaymath|math|verbatim|Verbatim|lstlisting|minted|tikzpicture|pgfpicture|algorithm|algorithmic|thebibliography|filecontents|comment)\*?$/;
const HEADING = /^(?:title|subtitle|part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)$/;
/** Their argument is a text of its own. */
const APART = /^(?:footnote|footnotetext|caption|thanks|endnote)$/;
/** Nothing of their arguments is read. */
const UNREAD =
  /^(?:(?:eq|auto|c|C|page|name|v|sub)?ref|label|url|includegraphics|input|include|bibliography|bibliographystyle|[vh]space|vskip|hskip|usepackage|documentclass|newcommand|setlength|addtolength|setcounter|pagestyle|thispagestyle|hypersetup|nocite|index|addbibresource|date|rule|tag|color|(?:row|cell|arrayrule|define)color|graphicspath)$/;
/** How many of their first arguments aren't read. */
const FIRST_UNREAD: Record<string, number> = {
  ...{ href: 1, textcolor: 1, colorbox: 1, parbox: 1, fontsize: 2, resizebox: 2, scalebox: 1, raisebox: 1 },
  ...{ multicolumn: 2, multirow: 2 },
};
/** Struck-out text. */
const STRUCK = /^(?:sout|xout|st|hcancel)$/;
/** Environments whose lines may be in a cell. */
const IN_CELL =
  /^(?:minipage|varwidth|adjustbox|itemize|enumerate|description|center|flushleft|flushright|quote|tabbing)\*?$/;
const TABLE = /^(?:tabular|longtable|array)/;
/** Tables with a width before their columns. */
const WIDE = /^tabular(?:\*|x|y)$/;
const ROW_END = /^(?:tabularnewline|cr)$/;
/** They end what a table over several pages repeats. */
const REPEATED_END = /^end(?:first)?(?:head|foot)$|^endlastfoot$/;
/** A rule over all columns; others are passed over with their thickness and columns: `\cmidrule[2pt](lr){2-3}`. */
const RULE = /^\\(?:hline|midrule)/;
const RULES = [
  String.raw`\\(?:hline|(?:top|mid|bottom)rule|addlinespace|morecmidrules)(?![a-zA-Z@])(?:\s{0,5}\[[^\]\n]{0,40}\])?`,
  String.raw`\\(?:cmidrule|cline|hhline|specialrule)(?:\s{0,5}(?:\[[^\]\n]{0,40}\]|\([^()\n]{0,20}\)|\{[^{}\n]{0,40}\})){1,5}`,
].join('|');

const TOKEN = new RegExp(
  [
    String.raw`\\(?<edge>begin|end)\s*\{(?<environment>[a-zA-Z]{1,40}\*?)\}`,
    `(?<rule>${RULES})`,
    String.raw`\\(?<command>[a-zA-Z@]+)\*?`,
    String.raw`(?<display>\$\$|\\\[)`,
    String.raw`(?<newline>\\\\\*?(?:\[[^\]\n]{0,40}\])?)`,
    String.raw`(?<escape>\\[\s\S])`,
    String.raw`(?<degree>\^(?:\{\s{0,9}\\circ\s{0,9}\}|\\circ(?![a-zA-Z])))`,
    "(?<quote>``|'')",
    String.raw`(?<gap>\n[ \t\0]*\n[\s\0]*)`,
    '(?<sign>[{}$~&])',
  ].join('|'),
  'g',
);

/** Paragraphs, headings, items, captions, and notes of a source in LaTeX. Formulas and code aren't read. */
export function latexBlocks(source: string): DraftBlock[] {
  const runs = shownInLatex(source);
  const begin = source.indexOf('\\begin{document}');
  // Before the document only its title is shown, the authors, and the date.
  const titles = runs
    .filter(({ end }) => end <= begin)
    .flatMap(({ start, end }) => joined(readStretch(source.slice(start, end), start)));
  const from = Math.max(0, begin);
  const seen = blankRuns(source, outsideRuns(source.length, runs));
  const blocks = readStretch(seen.slice(from), from);
  return [...titles, ...blocks].toSorted((one, other) => one.start - other.start);
}

/** Reads a stretch that is at `from` in the source; what is in its notes and headings is read apart. */
function readStretch(text: string, from: number, braces = bracesOf(text)): DraftBlock[] {
  const state = newState(text, from, braces);
  const tokens = new RegExp(TOKEN);
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    show(state, text.slice(state.read, token.index));
    readToken(state, token[0], token.groups ?? {});
    tokens.lastIndex = state.read;
  }
  show(state, text.slice(state.read));
  endTable(state);
  endBlock(state);
  return state.blocks;
}

interface State {
  text: string;
  from: number;
  blocks: DraftBlock[];
  /** The open block: where it begins, and what is shown of it so far. */
  start: number;
  pieces: string[];
  /** Up to where the text is read. */
  read: number;
  /** Returns where a text is next; -1 if it isn't. */
  next: (text: string, from: number) => number;
  braces: Braces;
  /** Open tables: `&` ends a cell of the first, and the text of the others is in that cell. */
  tables: number;
  table: ReturnType<typeof latexTable> | undefined;
  /** Up to where what is read is in a group or environment in a cell: nothing ends the cell there. */
  inCell: number;
}

function newState(text: string, from: number, braces: Braces): State {
  const next = nextPlaces(text);
  return {
    ...{ text, from, braces, next },
    blocks: [],
    start: 0,
    pieces: [],
    read: 0,
    tables: 0,
    table: undefined,
    inCell: 0,
  };
}

function show(state: State, shown: string): void {
  state.pieces.push(shown);
  state.read += shown.length;
}

function passTo(state: State, end: number): void {
  show(state, '\0'.repeat(Math.max(0, end - state.read)));
}

/** The space before a reference at the end of a sentence, which isn't shown. */
const BEFORE_HIDDEN = / {1,4}(?=\0{1,400}[.,;:!?])/g;

/** No block ends in a table: its rows do. */
function endBlock(state: State): void {
  if (state.table !== undefined) return;
  const block = takeBlock(state);
  if (block.shown.replaceAll('\0', '').trim() !== '') state.blocks.push(block);
}

function takeBlock(state: State): DraftBlock {
  const shown = state.pieces
    .splice(0)
    .join('')
    .replace(BEFORE_HIDDEN, (spaces) => '\0'.repeat(spaces.length));
  const start = state.from + state.start;
  state.start = state.read;
  return { start, shown };
}

function endTable(state: State): void {
  const { table } = state;
  if (table === undefined) return;
  table.endRow(takeBlock(state));
  for (const block of table.finish()) state.blocks.push(block);
  state.table = undefined;
  state.inCell = 0;
}

function readToken(state: State, all: string, token: Record<string, string | undefined>): void {
  const { edge, environment, command, display } = token;
  if (token.gap !== undefined) endBlock(state);
  if (token.sign === '{') stayInCell(state, closingBrace(state, state.read));
  showToken(state, all, token);
  if (environment !== undefined) readEdge(state, edge === 'begin', environment);
  else if (command !== undefined && !readInTable(state, command)) readCommand(state, command);
  else if (display !== undefined) {
    const close = state.next(display === '$$' ? '$$' : '\\]', state.read);
    if (close !== -1) passTo(state, close + 2);
  }
}

function stayInCell(state: State, end: number): void {
  if (state.table !== undefined) state.inCell = Math.max(state.inCell, end);
}

/** Whether what is read may end the cell or row that is open. */
function endsCell({ tables, read, inCell }: State): boolean {
  return tables === 1 && read >= inCell;
}

/** In a table, `&` and `\\` end cells and rows, and an empty line nothing. A table in a cell is only its text. */
function showToken(state: State, all: string, token: Record<string, string | undefined>): void {
  const { table } = state;
  const { newline, escape: escaped, sign, degree, quote } = token;
  if (newline !== undefined && endsCell(state)) table?.endRow(takeBlock(state));
  if (RULE.test(token.rule ?? '') && endsCell(state)) table?.rule();
  if (table !== undefined && (token.gap !== undefined || (sign === '&' && !endsCell(state))))
    show(state, ' '.repeat(all.length));
  else if (table !== undefined && sign === '&') {
    show(state, '|');
    table.openCell(state.read - state.start);
  } else show(state, shownFor(all, { newline, escaped, sign, degree, quote }));
}

/** `\%` is a percent sign, `~` and `\,` are spaces, and `^{\circ}` is that of degrees. */
function shownFor(
  all: string,
  { newline, escaped = '', sign, degree, quote }: Record<string, string | undefined>,
): string {
  if (degree !== undefined) return '°'.padStart(all.length, '\0');
  if (quote !== undefined) return quote === '``' ? '\0“' : '\0”';
  if (sign === '~' || newline !== undefined) return ' '.repeat(all.length);
  if (/^\\[%&$#_{}]$/.test(escaped)) return `\0${escaped.charAt(1)}`;
  return /^\\[,;: \n]$/.test(escaped) ? '\0 ' : unseen(all);
}

function readEdge(state: State, begins: boolean, name: string): void {
  const { read } = state;
  if (TABLE.test(name)) {
    readTableEdge(state, begins, name);
    return;
  }
  const close = begins && NO_TEXT.test(name) ? state.next(`\\end{${name}}`, read) : -1;
  if (begins && IN_CELL.test(name)) stayInCell(state, state.next(`\\end{${name}}`, read));
  if (begins) passTo(state, close === -1 ? afterArguments(state, read, 9) : close);
  endBlock(state);
}

function readTableEdge(state: State, begins: boolean, name: string): void {
  if (begins) passTo(state, afterArguments(state, state.read, WIDE.test(name) ? 2 : 1));
  endBlock(state);
  state.tables = Math.max(0, state.tables + (begins ? 1 : -1));
  if (begins && state.tables === 1) state.table = latexTable();
  if (state.tables === 0) endTable(state);
}

/** Returns whether a command is one of tables. */
function readInTable(state: State, name: string): boolean {
  const { table } = state;
  if (table === undefined || state.tables > 1) return false;
  if (name === 'multicolumn') table.merge({ columns: spanOf(firstArgument(state)) });
  if (name === 'multirow') table.merge({ rows: spanOf(firstArgument(state)) });
  if (!endsCell(state)) return false;
  if (ROW_END.test(name)) table.endRow(takeBlock(state));
  else if (REPEATED_END.test(name)) table.endRepeated(/head$/.test(name));
  else return false;
  return true;
}

function firstArgument(state: State): string {
  const open = afterOptions(state.text, state.read);
  return state.text.slice(open + 1, closingBrace(state, open));
}

function readCommand(state: State, name: string): void {
  const { text, read } = state;
  const options = afterOptions(text, read);
  const hasArgument = text[options] === '{';
  if (name === 'item') {
    endBlock(state);
    passTo(state, options);
  } else if (name.includes('cite') || UNREAD.test(name)) passTo(state, afterArguments(state, read, 9));
  else if (STRUCK.test(name)) passTo(state, afterArguments(state, read, 1));
  else if (hasArgument && name === 'textsuperscript') readRaised(state, options);
  else if (name in FIRST_UNREAD) passTo(state, afterArguments(state, read, FIRST_UNREAD[name] ?? 1));
  else if (hasArgument && (HEADING.test(name) || APART.test(name)))
    readApart(state, options, HEADING.test(name));
  else if (hasArgument) passTo(state, options);
}

/** `12\textsuperscript{4}` isn't 124. */
function readRaised(state: State, open: number): void {
  const inner = state.text.slice(open + 1, closingBrace(state, open));
  passTo(state, open);
  if (!/^[\d\s,+−-]{1,20}$/.test(inner)) return;
  passTo(state, open + 1);
  show(state, raiseDigits(inner));
}

/** Reads an argument as blocks of its own. A heading ends the block before it; a sentence continues after a note. */
function readApart(state: State, open: number, isHeading: boolean): void {
  if (isHeading) endBlock(state);
  const close = closingBrace(state, open);
  const { closes, offset } = state.braces;
  const braces = { closes, offset: offset + open + 1 };
  const inner = readStretch(state.text.slice(open + 1, close), state.from + open + 1, braces);
  state.blocks.push(...(isHeading ? joined(inner) : inner));
  passTo(state, close + 1);
  if (isHeading) endBlock(state);
}

/** A heading is one sentence, whatever is in it. */
function joined([first, ...others]: DraftBlock[]): DraftBlock[] {
  return first === undefined ? [] : [{ ...first, isHeading: true }, ...others];
}

const OPTIONS = /\s{0,20}(?:\[[^\]]{0,1000}\]\s{0,20})*/y;

/** Where a command's argument would begin. */
function afterOptions(text: string, from: number): number {
  OPTIONS.lastIndex = from;
  OPTIONS.test(text);
  return text[OPTIONS.lastIndex] === '{' || /\]\s*$/.test(text.slice(from, OPTIONS.lastIndex))
    ? OPTIONS.lastIndex
    : from;
}

function afterArguments(state: State, from: number, most: number): number {
  const { text } = state;
  let end = from;
  for (let count = 0; count < most; count++) {
    const open = afterOptions(text, end);
    if (text[open] !== '{') return open;
    end = closingBrace(state, open) + 1;
  }
  return end;
}

const MAX_ARGUMENT = 20_000;

/** Where each brace of a text is closed; a stretch begins at `offset` in that text. */
interface Braces {
  closes: Map<number, number>;
  offset: number;
}

/** Finds all pairs at once: looking for each end on its own takes the square of the length. */
function bracesOf(text: string): Braces {
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: sign, index } of text.matchAll(/\\[\s\S]|[{}]/g)) {
    if (sign === '{') open.push(index);
    const start = sign === '}' ? open.pop() : undefined;
    if (start !== undefined) closes.set(start, index);
  }
  return { closes, offset: 0 };
}

/** Where the pair of braces ends; at its start where nothing ends it. */
function closingBrace({ braces: { closes, offset } }: State, open: number): number {
  const close = (closes.get(open + offset) ?? Number.POSITIVE_INFINITY) - offset;
  return close - open < MAX_ARGUMENT ? close : open;
}
