import type { TextRun } from './format.ts';
import { type Line, leftOpen, linesOf, outsideRuns, runsOf } from './shown-runs.ts';

/** The opening and closing delimiters have the same length. A fence names its language. */
const DELIMITER = /^(?:[|,:!]={3,}|\/{4,}|-{4,}|\.{4,}|\+{4,}|={4,}|\*{4,}|_{4,}|--|```)$|^```[\w+-]{1,40}$/;
const VERBATIM = /^(?:-{4}|\.{4}|```)/;
/** Blocks of comments, and of passthrough content, which may be invisible on the page. */
const HIDDEN_BLOCK = /^(?:\/{4}|\+{4})/;
const COMMENT_LINE = /^\/\/(?!\/)/;
const COMMENT_STYLE = /^\[comment\b[^\]]*\]$/;
const ATTRIBUTES = /^(?::!?\w[^:]*:(?:\s|$)|\[.*\]$|include::)/;
const CONDITION = /^if(?:n?def|eval)::\S*\[/;
/** Conditional text is hidden. `ifdef::name[text]` has it on one line. */
const CONDITION_IN_LINE = /^ifn?def::[^\s[]*\[.+\]$/;
const END_OF_CONDITION = /^endif::\S*\[\]$/;
const INLINE = [
  /\({3}[^\n]*?(?:\){3}|$)/gm,
  /\[\[[^\]\n]*\]?\]?|\{set:[^}\n]*\}?|\b(?:indexterm:|anchor:[^\s[]{0,200})\[[^\]\n]*\]?/g,
  /\[[^[\]\n]{0,80}\bline-through\b[^[\]\n]{0,80}\](?:#{1,2}[^#\n]+#{1,2}|\*{1,2}[^*\n]+\*{1,2}|_{1,2}[^_\n]+_{1,2})/g,
  /\btitle=(?:"[^"\n]*"?|'[^'\n]*'?)/g,
];
/** Passthrough text. If it is unclosed, it ends with its paragraph; a block ends with the source. */
const PASSED = [
  /(?<!\+)\+{3}(?!\+)[\s\S]*?(?:(?<!\+)\+{3}(?!\+)|\n[ \t\r]*\n|$(?![\s\S]))/g,
  /\bpass:[a-z,]{0,20}\[[\s\S]*?(?:(?<!\\)\]|\n[ \t\r]*\n|$(?![\s\S]))/g,
  /^\+{4,}[ \t\r]*$[\s\S]*?(?:^\+{4,}[ \t\r]*$|$(?![\s\S]))/gm,
];

/**
 * Returns the ranges of an AsciiDoc source that readers see: not comments, attributes, index terms, struck-out text,
 * conditional text, or passthrough content. Doubtful ranges count as hidden.
 */
export function shownInAsciidoc(source: string): TextRun[] {
  const state: State = { open: [], conditions: 0, isDoubtful: false, before: '', hiddenUntil: undefined };
  const passed = PASSED.flatMap((pattern) => runsOf(source, pattern));
  const inline = INLINE.flatMap((pattern) => runsOf(source, pattern));
  const hidden = [...inline, ...passed, ...leftOpen(source, passed)];
  for (const line of linesOf(source)) {
    if (hides(state, line)) hidden.push({ start: line.start, end: line.end });
    state.before = line.text;
  }
  return outsideRuns(source.length, hidden);
}

interface State {
  /** The delimiters of the enclosing blocks. */
  open: string[];
  conditions: number;
  /**
   * Whether a line may have been wrongly read as a delimiter, so that code and text can no longer be
   * distinguished.
   */
  isDoubtful: boolean;
  before: string;
  /** What `[comment]` hides: `block` means up to the next delimiter, `paragraph` up to a blank line. */
  hiddenUntil: 'block' | 'paragraph' | undefined;
}

function hides(state: State, line: Line): boolean {
  const { text } = line;
  const inner = state.open.at(-1) ?? '';
  if (HIDDEN_BLOCK.test(inner) || inner.startsWith('comment')) return closesHidden(state, text, inner);
  if (countsCondition(state, text)) return true;
  const isInCode = VERBATIM.test(inner) && !state.isDoubtful;
  if (DELIMITER.test(text)) return readDelimiter(state, text, isInCode);
  if (isInCode) return state.conditions > 0;
  return hidesProse(state, text) || state.conditions > 0;
}

function closesHidden(state: State, text: string, inner: string): boolean {
  if (text === inner.replace(/^comment/, '')) state.open.pop();
  return true;
}

function countsCondition(state: State, text: string): boolean {
  if (CONDITION_IN_LINE.test(text) && !text.startsWith('ifeval')) return true;
  if (CONDITION.test(text)) state.conditions += 1;
  else if (END_OF_CONDITION.test(text)) state.conditions = Math.max(0, state.conditions - 1);
  else return false;
  return true;
}

/** A block ends with its own delimiter, and with those of enclosing blocks. */
function readDelimiter(state: State, text: string, isInCode: boolean): boolean {
  const name = text.startsWith('```') ? '```' : text;
  const around = state.open.indexOf(name);
  if (around !== -1) state.open.length = around;
  else if (!isInCode) openBlock(state, name);
  return HIDDEN_BLOCK.test(name) || state.conditions > 0;
}

function openBlock(state: State, name: string): void {
  if (isUnderline(state.before, name)) state.isDoubtful = true;
  const isComment = state.hiddenUntil !== undefined;
  state.hiddenUntil = undefined;
  state.open.push(isComment ? `comment${name}` : name);
}

/**
 * A rule that is about as long as the previous line may make that line a title, depending on the width of its
 * characters.
 */
function isUnderline(before: string, rule: string): boolean {
  return /^(?!\[.*\]$|\.).*\S/.test(before) && Math.abs(before.length - rule.length) <= 2;
}

function hidesProse(state: State, text: string): boolean {
  if (COMMENT_STYLE.test(text)) state.hiddenUntil = 'block';
  else if (state.hiddenUntil !== undefined) return hidesCommented(state, text);
  return COMMENT_LINE.test(text) || ATTRIBUTES.test(text) || continuesAttribute(state, text);
}

function hidesCommented(state: State, text: string): boolean {
  const isBetween = text === '' || /^\.\S|^\[.*\]$/.test(text);
  if (state.hiddenUntil === 'paragraph' && text === '') state.hiddenUntil = undefined;
  else if (!isBetween) state.hiddenUntil = 'paragraph';
  return true;
}

function continuesAttribute({ before }: State, text: string): boolean {
  return before.endsWith(' \\') && text !== '';
}
