import type { TextRun } from './format.ts';
import { outsideRuns } from './shown-runs.ts';

/**
 * Returns the ranges of a LaTeX source that readers see: not comments, conditional text, definitions, labels, or text
 * outside the document. Doubtful ranges count as hidden.
 */
export function shownInLatex(source: string): TextRun[] {
  const state = newState(source);
  const tokens = new RegExp(TOKEN);
  for (let token = tokens.exec(source); token !== null; token = tokens.exec(source)) {
    const start = token.index;
    tokens.lastIndex = readToken(state, token.groups ?? {}, { start, end: tokens.lastIndex });
    state.command = token.groups?.command;
  }
  const { hidden, conditions } = state;
  const open = conditions.find(({ name }) => PRIMITIVE.test(name));
  if (open !== undefined) hidden.push({ start: open.start, end: source.length });
  return outsideRuns(source.length, hidden);
}

/** A backslash removes the meaning of the next character, so such pairs are tokens too. */
const TOKEN = new RegExp(
  [
    String.raw`\\verb\*?(?<sign>[^a-zA-Z\s*])`,
    String.raw`\\(?<edge>begin|end)\s*\{(?<environment>[a-zA-Z]{1,40}\*?)\}`,
    String.raw`\\(?<command>[a-zA-Z@]+)`,
    String.raw`\\[\s\S]`,
    String.raw`(?<percent>%)[^\n]*`,
    '(?<brace>[{}])',
  ].join('|'),
  'g',
);
const VERBATIM = /^(?:[vV]erbatim|lstlisting|minted)\*?$/;
/** TeX primitives, which extend to the end of a source if nothing ends them. */
const PRIMITIVE =
  /^if(?:|x|cat|num|dim|odd|[vhm]mode|inner|[vh]box|void|eof|true|false|case|defined|csname|fontchar|primitive|\d)$/;
/** Commands that have the name of a condition, but aren't conditions. */
const NO_CONDITION =
  /^if(?:f|thenelse|blank|bool|toggle|undef|def|csdef|csundef|(?:def|str|cs|num|dim)[a-z]*(?:equal|empty|string|strequal|comp|macro|void))$/;
const TITLE = /^(?:title|subtitle|author|date|institute|affiliation|address|keywords)$/;
const ARGUMENT_HIDDEN =
  /^(?:label|index|glossary|nocite|[vh]?phantom|hypersetup|pdfinfo|pdfbookmark|includeonly)$/;
const DEFINES = /^(?:(?:re)?newcommand|providecommand|[gex]?def|(?:re)?newenvironment|DeclareRobustCommand)$/;
/** Matches the text before the braces of a definition, or before an argument. */
const DEFINED = /\*?\s*(?:\{\s*)?\\?[a-zA-Z@]{1,60}\s*\}?[^{}\n]{0,80}(?=\{)/y;
const OPTIONS = /\*?\s*(?:\[[^\]\n]{0,200}\]\s*)?(?=\{)/y;
/** Commands that drop their argument, and environments that aren't printed. */
const DROPS =
  /\\(?:(?:re)?newcommand\*?\s*\{?\\([a-zA-Z@]{1,60})\}?\s*\[\d\]\s*|def\s*\\([a-zA-Z@]{1,60})#1\s*)\{\s*\}|\\excludecomment\{([a-zA-Z]{1,40})\}/g;

type Pair = 'plain' | 'hidden' | 'title';

interface State {
  source: string;
  next: (text: string, from: number) => number;
  hidden: TextRun[];
  titles: TextRun[];
  conditions: { start: number; name: string }[];
  pairs: { start: number; kind: Pair }[];
  /** The start of the last command's braces, and their kind. */
  awaited: { at: number; kind: Pair };
  /** The previous command. */
  command: string | undefined;
  /** The names of commands that drop their argument, and of environments that aren't printed. */
  dropped: Set<string>;
}

function newState(source: string): State {
  const found = [...source.matchAll(DROPS)].map(([, made, defined, left]) => made ?? defined ?? left ?? '');
  return {
    source,
    next: nextPlaces(source),
    ...{ hidden: [], titles: [], conditions: [], pairs: [], command: undefined },
    awaited: { at: -1, kind: 'plain' },
    dropped: new Set(['comment', 'filecontents', ...found]),
  };
}

/** Returns the position from which to search for the next token. */
function readToken(state: State, token: Record<string, string | undefined>, run: TextRun): number {
  const { sign, edge, environment, command, percent, brace } = token;
  if (sign !== undefined) return endOfVerb(state, sign, run.end);
  if (environment !== undefined) return readEdge(state, edge === 'begin', environment, run);
  if (percent !== undefined) state.hidden.push(run);
  if (command !== undefined) readCommand(state, command, run);
  if (brace !== undefined) readBrace(state, brace, run);
  return run.end;
}

function endOfVerb({ source, next }: State, sign: string, from: number): number {
  const close = next(sign, from);
  const lineEnd = next('\n', from);
  return close !== -1 && close < (lineEnd === -1 ? source.length : lineEnd) ? close + 1 : from;
}

function readEdge(state: State, begins: boolean, name: string, { start, end }: TextRun): number {
  const { source, hidden } = state;
  if (name === 'document') return begins ? hidePreamble(state, end) : hideTo(hidden, start, source.length);
  const isDropped = state.dropped.has(name.replace('*', ''));
  if (!begins || !(isDropped || VERBATIM.test(name))) return end;
  const close = state.next(`\\end{${name}}`, end);
  if (close === -1) return isDropped ? hideTo(hidden, start, source.length) : end;
  return isDropped ? hideTo(hidden, start, close) : close;
}

function hideTo(hidden: TextRun[], start: number, end: number): number {
  hidden.push({ start, end });
  return end;
}

/** Before the document, only its title is visible. */
function hidePreamble({ hidden, titles }: State, end: number): number {
  hidden.push(...outsideRuns(end, titles));
  return end;
}

function readCommand(state: State, name: string, { start, end }: TextRun): void {
  if (name === 'fi') {
    const condition = state.conditions.pop();
    if (condition !== undefined) state.hidden.push({ start: condition.start, end });
  } else if (name.startsWith('if') && !NO_CONDITION.test(name) && state.command !== 'newif') {
    state.conditions.push({ start, name });
  }
  const kind = kindOf(state, name);
  if (kind === undefined) return;
  const before = DEFINES.test(name) ? DEFINED : OPTIONS;
  before.lastIndex = end;
  if (before.test(state.source)) state.awaited = { at: before.lastIndex, kind };
}

function kindOf({ dropped }: State, name: string): Pair | undefined {
  if (TITLE.test(name)) return 'title';
  return ARGUMENT_HIDDEN.test(name) || DEFINES.test(name) || dropped.has(name) ? 'hidden' : undefined;
}

function readBrace(state: State, brace: string, { start, end }: TextRun): void {
  if (brace === '{') {
    const { at, kind } = state.awaited;
    state.pairs.push({ start, kind: at === start ? kind : 'plain' });
    return;
  }
  const pair = state.pairs.pop();
  if (pair?.kind === 'hidden') state.hidden.push({ start: pair.start, end });
  if (pair?.kind === 'title') state.titles.push({ start: pair.start + 1, end: start });
}

/**
 * Returns a function that finds the next position of a text in a source, or -1. If positions are requested in
 * order, it checks each position once per text, so a source with many unclosed openings takes no longer than
 * any other.
 */
export function nextPlaces(source: string): (text: string, from: number) => number {
  const found = new Map<string, number>();
  return (text, from) => {
    const last = found.get(text) ?? 0;
    if (last === -1 || (last >= from && found.has(text))) return last;
    const next = source.indexOf(text, from);
    found.set(text, next);
    return next;
  };
}
