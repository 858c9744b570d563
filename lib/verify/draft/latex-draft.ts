import { latex } from '../../formats/latex.ts';
import { onOneLine } from '../../formats/sheets.ts';
import { nextPlaces, shownInLatex } from '../../formats/shown-latex.ts';
import { raiseDigits } from '../../text/raise-digits.ts';
import { type DraftBuilder, type DraftPiece, draftBuilder } from './draft-builder.ts';
import { type LatexTable, latexTable } from './latex-tables.ts';
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

/** Stands for what readers don't see. */
const UNSEEN = '\0';

/** The text of a source in LaTeX: paragraphs, headings, items, captions, rows, and notes. Formulas and code aren't read. */
export function readLatexDraft(source: string) {
  const draft = draftBuilder(latex.title);
  const runs = shownInLatex(source);
  const begin = source.indexOf('\\begin{document}');
  // Before the document only its title is shown, the authors, and the date.
  for (const { start, end } of runs.filter((run) => run.end <= begin))
    addHeading(draft.add, piecesOf(readerOf(source.slice(start, end))));
  const seen = runs
    .filter(({ end }) => end > begin)
    .map(({ start, end }) => source.slice(Math.max(start, begin), end));
  const reader = readerOf(seen.join(UNSEEN));
  readStretch({ ...newState(reader, { add: draft.add, end: reader.text.length, read: 0, depth: 0 }), draft });
  return draft.finish();
}

/** A source, where each brace of it is closed, and where a text is next; -1 if it isn't. */
interface Reader {
  text: string;
  closes: Map<number, number>;
  next: (text: string, from: number) => number;
}

function readerOf(text: string): Reader {
  return { text, closes: bracesOf(text), next: nextPlaces(text) };
}

interface State extends Reader {
  /** Up to where the text is read, where its stretch ends, and in how many notes and headings that is. */
  read: number;
  end: number;
  depth: number;
  add: (piece: DraftPiece) => void;
  /** What is shown of the open piece so far, and its notes. */
  shown: string[];
  notes: DraftPiece[];
  /** Gets the tables; undefined in notes and headings, where a table is only its text. */
  draft?: DraftBuilder;
  /** Open tables: `&` ends a cell of the first, and the text of the others is in that cell. */
  tables: number;
  table?: LatexTable | undefined;
  /** Up to where what is read is in a group or environment in a cell: nothing ends the cell there. */
  inCell: number;
}

type Stretch = Pick<State, 'add' | 'end' | 'read' | 'depth'>;

function newState({ text, closes, next }: Reader, stretch: Stretch): State {
  return { text, closes, next, ...stretch, shown: [], notes: [], tables: 0, inCell: 0 };
}

function piecesOf(reader: Reader, { read = 0, end = reader.text.length, depth = 0 } = {}): DraftPiece[] {
  const pieces: DraftPiece[] = [];
  readStretch(newState(reader, { add: (piece) => pieces.push(piece), end, read, depth }));
  return pieces;
}

function readStretch(state: State): void {
  const { text } = state;
  const tokens = new RegExp(TOKEN);
  tokens.lastIndex = state.read;
  for (let token = tokens.exec(text); token !== null && token.index < state.end; token = tokens.exec(text)) {
    show(state, text.slice(state.read, token.index));
    state.read = tokens.lastIndex;
    readToken(state, token.groups ?? {});
    tokens.lastIndex = state.read;
  }
  show(state, text.slice(state.read, state.end));
  endTable(state);
  endPiece(state);
}

function show({ shown }: State, text: string): void {
  shown.push(text);
}

/** Passes over what isn't shown. */
function passTo(state: State, end: number): void {
  show(state, UNSEEN);
  state.read = Math.max(state.read, Math.min(end, state.end));
}

/** The space before a reference at the end of a sentence, which isn't shown. */
const BEFORE_HIDDEN = / {1,4}(?=\0{1,400}[.,;:!?])/g;

/** No piece ends in a table: its rows do. */
function endPiece(state: State): void {
  if (state.table === undefined) state.add(takePiece(state));
}

function takePiece({ shown, notes }: State): DraftPiece {
  const text = shown.splice(0).join('').replace(BEFORE_HIDDEN, '').replaceAll(UNSEEN, '');
  return { text: onOneLine(text), notes: notes.splice(0) };
}

function endTable(state: State): void {
  const { table, draft } = state;
  if (table === undefined || draft === undefined) return;
  endRow(state);
  table.write(draft);
  state.table = undefined;
  state.inCell = 0;
}

function endRow(state: State): void {
  state.table?.endCell(takePiece(state));
  state.table?.endRow();
}

function readToken(state: State, token: Record<string, string | undefined>): void {
  const { edge, environment, command, display, gap, sign } = token;
  if (gap !== undefined) endPiece(state);
  if (sign === '{') stayInCell(state, closingBrace(state, state.read - 1));
  showToken(state, token);
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
function endsCell({ table, tables, read, inCell }: State): boolean {
  return table !== undefined && tables === 1 && read > inCell;
}

/** In a table, `&` and `\\` end cells and rows, and an empty line nothing. A table in a cell is only its text. */
function showToken(state: State, token: Record<string, string | undefined>): void {
  const { newline, sign, gap } = token;
  const mayEnd = endsCell(state);
  if (mayEnd && newline !== undefined) endRow(state);
  else if (mayEnd && sign === '&') state.table?.endCell(takePiece(state));
  else if (mayEnd && RULE.test(token.rule ?? '')) state.table?.rule();
  else if (gap !== undefined || (sign === '&' && state.table !== undefined)) show(state, ' ');
  else show(state, shownFor(token));
}

/** `\%` is a percent sign, `~` and `\,` are spaces, and `^{\circ}` is that of degrees. */
function shownFor({
  newline,
  escape: escaped = '',
  sign,
  degree,
  quote,
}: Record<string, string | undefined>): string {
  if (degree !== undefined) return '°';
  if (quote !== undefined) return quote === '``' ? '“' : '”';
  if (sign === '~' || newline !== undefined) return ' ';
  if (/^\\[%&$#_{}]$/.test(escaped)) return escaped.charAt(1);
  return /^\\[,;: \n]$/.test(escaped) ? ' ' : UNSEEN;
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
  endPiece(state);
}

function readTableEdge(state: State, begins: boolean, name: string): void {
  if (begins) passTo(state, afterArguments(state, state.read, WIDE.test(name) ? 2 : 1));
  endPiece(state);
  state.tables = Math.max(0, state.tables + (begins ? 1 : -1));
  if (begins && state.tables === 1 && state.draft !== undefined) state.table = latexTable();
  if (state.tables === 0) endTable(state);
}

/** Returns whether a command is one of tables. */
function readInTable(state: State, name: string): boolean {
  const { table } = state;
  if (table === undefined || state.tables > 1) return false;
  if (name === 'multicolumn') table.merge({ columns: spanOf(firstArgument(state)) });
  if (name === 'multirow') table.merge({ rows: spanOf(firstArgument(state)) });
  if (!endsCell(state)) return false;
  if (ROW_END.test(name)) endRow(state);
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
    endPiece(state);
    passTo(state, options);
  } else if (name.includes('cite') || UNREAD.test(name)) passTo(state, afterArguments(state, read, 9));
  else if (STRUCK.test(name)) passTo(state, afterArguments(state, read, 1));
  else if (hasArgument && name === 'textsuperscript') readRaised(state, options);
  else if (name in FIRST_UNREAD) passTo(state, afterArguments(state, read, FIRST_UNREAD[name] ?? 1));
  else if (hasArgument && state.depth < MAX_DEPTH && (HEADING.test(name) || APART.test(name)))
    readApart(state, options, name);
  else if (hasArgument) passTo(state, options);
}

/** `12\textsuperscript{4}` isn't 124. */
function readRaised(state: State, open: number): void {
  const inner = state.text.slice(open + 1, closingBrace(state, open));
  passTo(state, open);
  if (!/^[\d\s,+−-]{1,20}$/.test(inner)) return;
  show(state, raiseDigits(inner));
  passTo(state, open + 1 + inner.length);
}

/** Reads an argument as pieces of its own. A heading ends the piece before it; a sentence continues after a note. */
function readApart(state: State, open: number, name: string): void {
  const isHeading = HEADING.test(name);
  if (isHeading) endPiece(state);
  const close = closingBrace(state, open);
  const inner = piecesOf(state, { read: open + 1, end: close, depth: state.depth + 1 });
  if (isHeading) addHeading(state.add, inner);
  // The caption of a table precedes its rows.
  else if (name === 'caption' && state.table !== undefined) for (const piece of inner) state.add(piece);
  else state.notes.push(...inner);
  passTo(state, close + 1);
}

/** A heading is one sentence, whatever is in it. */
function addHeading(add: State['add'], [first, ...others]: DraftPiece[]): void {
  if (first !== undefined) add({ ...first, isHeading: true });
  for (const other of others) add(other);
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
/** A note in so many others is read as a part of them. */
const MAX_DEPTH = 20;

/** Finds all pairs at once: looking for each end on its own takes the square of the length. */
function bracesOf(text: string): Map<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: sign, index } of text.matchAll(/\\[\s\S]|[{}]/g)) {
    if (sign === '{') open.push(index);
    const start = sign === '}' ? open.pop() : undefined;
    if (start !== undefined) closes.set(start, index);
  }
  return closes;
}

/** Where the pair of braces ends; at its start where nothing ends it. */
function closingBrace({ closes }: Reader, open: number): number {
  const close = closes.get(open) ?? Number.POSITIVE_INFINITY;
  return close - open < MAX_ARGUMENT ? close : open;
}
