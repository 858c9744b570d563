import type { TextRun } from './format.ts';
import { type Line, leftOpen, linesOf, outsideRuns } from './shown-runs.ts';

/** Two dots at the start of a line, even in a quotation or a list. */
const EXPLICIT =
  /^[ \t]*(?:(?:[-*+•‣⁃]|\(?(?:\d{1,9}|#|[a-z]|[ivxlcdm]{2,9})[.)]|:[^:]{1,80}:)[ \t]+)*\.\.(?=\s|$)/i;
const IN_TABLE = /^[ \t]*\|(?:.*\|)?[ \t]*\.\.(?=\s|$)/;
/** Visible elements after two dots: a note, a source, or a directive. */
const SHOWN =
  /^ (?:\[[#*\w][\w.+:-]{0,80}\](?:\s|$)|(?!(?:meta|raw|only|ifconfig|index|todo|todolist|title|(?:default-)?role|include|highlight|(?:section|code|module)-?author|target-notes) ?::)[^\W_](?:[^\W_]|[-._+:](?=[^\W_])){0,80} ?::(?:\s|$))/i;
const OPTION = /^\s+:[\w-][^:]{0,80}:(?:\s|$)/;
const TARGET = /^\s*__ \S/;

/**
 * Returns the ranges of a reStructuredText source that readers see: not comments, link targets,
 * substitutions, options, or passthrough content. Doubtful ranges count as hidden, even in code that shows a
 * comment.
 */
export function shownInRestructuredText(source: string): TextRun[] {
  const hidden: TextRun[] = [];
  const raw: TextRun[] = [];
  const state: State = { part: undefined, before: '' };
  for (const line of linesOf(source)) {
    const isHidden = hides(state, line);
    if (isHidden) hidden.push({ start: line.start, end: line.end });
    if (isHidden && state.part?.isRaw) addLine(raw, line);
    state.before = line.text;
  }
  return outsideRuns(source.length, [...hidden, ...leftOpen(source, raw)]);
}

/** An element after two dots, with its indentation and kind. */
interface Part {
  indent: number;
  kind: 'hidden' | 'options' | 'shown' | 'cell';
  isRaw: boolean;
}

interface State {
  part: Part | undefined;
  before: string;
}

function addLine(runs: TextRun[], { start, end }: Line): void {
  const last = runs.at(-1);
  if (last !== undefined && last.end + 1 === start) last.end = end;
  else runs.push({ start, end });
}

function hides(state: State, { text }: Line): boolean {
  const { part } = state;
  if (part !== undefined && isOfPart(part, text) && !endsPart(state, part, text))
    return part.kind === 'hidden' || part.kind === 'cell' || (part.kind === 'options' && OPTION.test(text));
  state.part = beginPart(text);
  return state.part === undefined ? TARGET.test(text) : state.part.kind !== 'options';
}

function isOfPart({ kind, indent }: Part, text: string): boolean {
  if (kind === 'cell') return /^[ \t]*\|/.test(text);
  return text === '' || text.length - text.trimStart().length > indent;
}

/** Two dots before a blank line are a whole comment. Options end with the first line that isn't an option. */
function endsPart(state: State, part: Part, text: string): boolean {
  const isEmpty = part.kind === 'hidden' && text === '' && state.before.trimStart() === '..';
  if (isEmpty || (part.kind === 'options' && !OPTION.test(text))) state.part = { ...part, kind: 'shown' };
  return state.part?.kind === 'shown' && beginPart(text) !== undefined;
}

function beginPart(text: string): Part | undefined {
  if (IN_TABLE.test(text)) return { indent: 0, kind: 'cell', isRaw: false };
  const [mark] = EXPLICIT.exec(text) ?? [];
  if (mark === undefined) return undefined;
  const rest = text.slice(mark.length);
  const kind = SHOWN.test(rest) ? 'options' : 'hidden';
  return { indent: mark.length - 2, kind, isRaw: /^ raw ?::/i.test(rest) };
}
