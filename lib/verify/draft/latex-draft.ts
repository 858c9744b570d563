import { latex } from '../../formats/latex.ts';
import { onOneLine } from '../../formats/sheets.ts';
import { nextPlaces, shownInLatex } from '../../formats/shown-latex.ts';
import { raiseDigits } from '../../text/raise-digits.ts';
import { type DraftBuilder, type DraftPiece, draftBuilder } from './draft-builder.ts';
import { type LatexCell, latexTable } from './latex-tables.ts';
import { spanOf } from './tables.ts';

/** Matches environments that contain no sentences. */
const NO_TEXT =
  /^(?:equation|align|alignat|flalign|gather|multline|eqnarray|displaymath|math|verbatim|Verbatim|lstlisting|minted|tikzpicture|pgfpicture|algorithm|algorithmic|thebibliography|filecontents|comment)\*?$/;
const HEADING = /^(?:title|subtitle|part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)$/;
/** Commands whose argument is a separate text. */
const APART = /^(?:footnote|footnotetext|caption|thanks|endnote)$/;
/** Commands whose arguments are skipped. */
const UNREAD =
  /^(?:(?:eq|auto|c|C|page|name|v|sub)?ref|label|url|includegraphics|input|include|bibliography|bibliographystyle|[vh]space|vskip|hskip|usepackage|documentclass|newcommand|setlength|addtolength|setcounter|pagestyle|thispagestyle|hypersetup|nocite|index|addbibresource|date|rule|tag|color|(?:row|cell|arrayrule|define)color|graphicspath)$/;
/** The number of leading arguments to skip, by command. */
const FIRST_UNREAD: Record<string, number> = {
  ...{ href: 1, textcolor: 1, colorbox: 1, parbox: 1, fontsize: 2, resizebox: 2, scalebox: 1, raisebox: 1 },
  ...{ multicolumn: 2, multirow: 2 },
};
/** Commands for struck-out text. */
const STRUCK = /^(?:sout|xout|st|hcancel)$/;
const TABLE = /^(?:tabular|longtable|array)/;
/** Tables with a width before their column specification. */
const WIDE = /^tabular(?:\*|x|y)$/;
const ROW_END = /^(?:tabularnewline|cr)$/;
/** Matches commands that end the repeated rows of a table over several pages. */
const REPEATED_END = /^end(?:first)?(?:head|foot)$|^endlastfoot$/;
/**
 * Matches a rule over all columns. Other rules are skipped with their thickness and columns:
 * `\cmidrule[2pt](lr){2-3}`.
 */
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
const PAIRED = /\\(begin|end)\s*\{([a-zA-Z]{1,40}\*?)\}|\\[\s\S]|[{}]/g;

/** Replaces a character that readers don't see. */
const UNSEEN = '\0';

/**
 * Reads the text of a LaTeX source: paragraphs, headings, items, captions, rows, and notes. Formulas and code are
 * skipped.
 */
export function readLatexDraft(source: string) {
  const draft = draftBuilder(latex.title);
  const runs = shownInLatex(source);
  const begin = source.indexOf('\\begin{document}');
  // Of the text before the document, only its title, authors, and date are shown.
  for (const { start, end } of runs.filter((run) => run.end <= begin))
    addHeading(draft.add, piecesOf(readerOf(source.slice(start, end))));
  const seen = runs
    .filter(({ end }) => end > begin)
    .map(({ start, end }) => source.slice(Math.max(start, begin), end));
  readStretch({ ...newState(readerOf(seen.join(UNSEEN)), draft.add), draft });
  return draft.finish();
}

/**
 * A LaTeX source, with the end of each brace and environment, and the start of the text after it; -1 if there
 * is none.
 */
interface Reader {
  text: string;
  closes: Map<number, number>;
  next: (text: string, from: number) => number;
}

function readerOf(text: string): Reader {
  return { text, closes: pairsOf(text), next: nextPlaces(text) };
}

/** Finds all pairs in one pass, because searching for each end separately takes quadratic time. */
function pairsOf(text: string): Map<number, number> {
  const closes = new Map<number, number>();
  const opened = new Map<string, number[]>();
  for (const { 0: sign, 1: edge, 2: name = '{}', index } of text.matchAll(PAIRED)) {
    const open = opened.get(name) ?? [];
    opened.set(name, open);
    if (sign === '{' || edge === 'begin') open.push(index);
    const start = sign === '}' || edge === 'end' ? open.pop() : undefined;
    if (start !== undefined) closes.set(start, index);
  }
  return closes;
}

type Add = (piece: DraftPiece) => void;

interface State extends Reader {
  /**
   * The position up to which the text has been read, the end of its stretch, and the nesting depth of notes
   * and headings.
   */
  read: number;
  end: number;
  depth: number;
  add: Add;
  /** The visible parts of the open piece so far, and its notes. */
  shown: string[];
  notes: DraftPiece[];
  /** Whether the text is a cell, which is always one piece. */
  isCell: boolean;
  /** Receives the tables; undefined in notes, headings, and cells, where a table is only text. */
  draft?: DraftBuilder;
}

type Stretch = Pick<State, 'read' | 'end' | 'depth'>;

function newState({ text, closes, next }: Reader, add: Add, stretch?: Stretch): State {
  const { read, end, depth } = stretch ?? { read: 0, end: text.length, depth: 0 };
  return { text, closes, next, read, end, depth, add, shown: [], notes: [], isCell: false };
}

function piecesOf(reader: Reader, stretch?: Stretch): DraftPiece[] {
  const pieces: DraftPiece[] = [];
  readStretch(newState(reader, (piece) => pieces.push(piece), stretch));
  return pieces;
}

function readStretch(state: State): void {
  readTokens(state);
  state.add(takePiece(state));
}

function readTokens(state: State): void {
  const { text, end } = state;
  for (let token = tokenFrom(text, state.read, end); token; token = tokenFrom(text, state.read, end)) {
    state.shown.push(text.slice(state.read, token.index));
    state.read = token.index + token[0].length;
    readToken(state, token);
  }
  state.shown.push(text.slice(state.read, end));
}

function tokenFrom(text: string, from: number, end: number): RegExpExecArray | undefined {
  TOKEN.lastIndex = from;
  const token = TOKEN.exec(text);
  return token !== null && token.index < end ? token : undefined;
}

/** Skips text that isn't shown. */
function passTo(state: State, end: number): void {
  state.shown.push(UNSEEN);
  state.read = Math.max(state.read, Math.min(end, state.end));
}

/** Matches the space before a hidden reference at the end of a sentence. */
const BEFORE_HIDDEN = / {1,4}(?=\0{1,400}[.,;:!?])/g;

function endPiece(state: State): void {
  if (!state.isCell) state.add(takePiece(state));
}

function takePiece({ shown, notes }: State): DraftPiece {
  const text = shown.splice(0).join('').replace(BEFORE_HIDDEN, '').replaceAll(UNSEEN, '');
  return { text: onOneLine(text), notes: notes.splice(0) };
}

function readToken(state: State, { index, groups = {} }: RegExpExecArray): void {
  const { edge, environment, command, display, gap } = groups;
  if (gap !== undefined) endPiece(state);
  state.shown.push(shownFor(groups));
  if (environment !== undefined && edge === 'begin') readBegin(state, environment, index);
  else if (environment !== undefined) endPiece(state);
  else if (command !== undefined) readCommand(state, command);
  else if (display !== undefined) {
    const close = state.next(display === '$$' ? '$$' : '\\]', state.read);
    if (close !== -1) passTo(state, close + 2);
  }
}

/** `\%` is a percent sign, `~` and `\,` are spaces, and `^{\circ}` is the degree sign. */
function shownFor(token: Record<string, string | undefined>): string {
  const { newline, gap, escape: escaped = '', sign = '', degree, quote } = token;
  if (degree !== undefined) return '°';
  if (quote !== undefined) return quote === '``' ? '“' : '”';
  if (newline !== undefined || gap !== undefined || /[~&]/.test(sign)) return ' ';
  if (/^\\[%&$#_{}]$/.test(escaped)) return escaped.charAt(1);
  return /^\\[,;: \n]$/.test(escaped) ? ' ' : UNSEEN;
}

function readBegin(state: State, name: string, start: number): void {
  const { read, draft, closes } = state;
  const isTable = TABLE.test(name);
  const close = NO_TEXT.test(name) ? state.next(`\\end{${name}}`, read) : -1;
  const most = isTable ? (WIDE.test(name) ? 2 : 1) : 9;
  passTo(state, close === -1 ? afterArguments(state, read, most) : close);
  endPiece(state);
  if (draft !== undefined && isTable) readTable(state, draft, closes.get(start) ?? state.read);
}

/** Reads a table. A separator in braces, or in a nested environment, doesn't end a cell. */
function readTable(state: State, draft: DraftBuilder, end: number): void {
  const { text, closes } = state;
  const table = latexTable();
  let at = state.read;
  for (let token = tokenFrom(text, at, end); token; token = tokenFrom(text, at, end)) {
    const { index, groups = {} } = token;
    const { rule = '', newline, command = '', sign } = groups;
    at = Math.max(index + token[0].length, closes.get(index) ?? 0);
    const endsRow = newline !== undefined || ROW_END.test(command);
    if (endsRow || sign === '&') {
      table.endCell(readCell(state, index));
      state.read = at;
    }
    if (endsRow) table.endRow();
    else if (RULE.test(rule)) table.rule();
    else if (REPEATED_END.test(command)) table.endRepeated(/head$/.test(command));
  }
  table.endCell(readCell(state, end));
  table.endRow();
  draft.addTable(table.finish());
  state.read = end;
}

const COLUMNS = /\\multicolumn\s*\{([^{}]{0,20})\}/;
const ROWS = /\\multirow\*?\s*(?:\[[^\]\n]{0,40}\]\s*)?\{([^{}]{0,20})\}/;

function readCell({ add, ...state }: State, end: number): LatexCell {
  const own = { ...newState(state, add, { ...state, end }), isCell: true };
  readTokens(own);
  const source = state.text.slice(state.read, end);
  return {
    ...takePiece(own),
    columns: spanOf(COLUMNS.exec(source)?.[1]),
    rows: spanOf(ROWS.exec(source)?.[1]),
  };
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
  else if (Object.hasOwn(FIRST_UNREAD, name))
    passTo(state, afterArguments(state, read, FIRST_UNREAD[name] ?? 1));
  else if (hasArgument && state.depth < MAX_DEPTH && (HEADING.test(name) || APART.test(name)))
    readApart(state, options, name);
  else if (hasArgument) passTo(state, options);
}

/** Writes superscript digits, because `12\textsuperscript{4}` isn't 124. */
function readRaised(state: State, open: number): void {
  const inner = state.text.slice(open + 1, closingBrace(state, open));
  passTo(state, open);
  if (!/^[\d\s,+−-]{1,20}$/.test(inner)) return;
  state.shown.push(raiseDigits(inner));
  passTo(state, open + 1 + inner.length);
}

/**
 * Reads an argument as separate pieces. A heading ends the piece before it, whereas a sentence continues
 * after a note.
 */
function readApart(state: State, open: number, name: string): void {
  const isHeading = HEADING.test(name);
  if (isHeading) endPiece(state);
  const close = closingBrace(state, open);
  const inner = piecesOf(state, { read: open + 1, end: close, depth: state.depth + 1 });
  if (isHeading) addHeading(state.add, inner);
  // The caption of a table precedes its rows.
  else if (name === 'caption' && state.isCell) for (const piece of inner) state.add(piece);
  else state.notes.push(...inner);
  passTo(state, close + 1);
}

/** Adds a heading as one sentence, whatever its contents. */
function addHeading(add: State['add'], [first, ...others]: DraftPiece[]): void {
  if (first !== undefined) add({ ...first, isHeading: true });
  for (const other of others) add(other);
}

const OPTIONS = /\s{0,20}(?:\[[^\]]{0,1000}\]\s{0,20})*/y;

/** Returns where the argument of a command would start. */
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

/** The maximum nesting of notes. A deeper note is read as part of the text around it. */
const MAX_DEPTH = 20;

/** Returns the end of a pair of braces, or its start if it isn't closed. */
function closingBrace({ closes }: Reader, open: number): number {
  return closes.get(open) ?? open;
}
