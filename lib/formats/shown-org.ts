import type { TextRun } from './format.ts';
import { leftOpen, linesOf, outsideRuns, runsOf } from './shown-runs.ts';

const HEADING = /^(\*+)\s/;
const COMMENT = /^\s*#(?:\s|$)/;
const KEYWORD = /^\s*#\+/;
const SHOWN_KEYWORD = /^\s*#\+(?:title|subtitle|author|date|caption(?:\[.*\])?):/i;
const BEGIN = /^\s*#\+begin_(\S+)(.*)/i;
const END = /^\s*#\+end_(\S+)\s*$/i;
/** Blocks with literal lines. All others are text or hidden. */
const CODE = /^(?:src|example)$/i;
const HIDDEN_BLOCK = /^(?:comment|export|html|latex|ascii|beamer|odt|texinfo)$/i;
const UNEXPORTED = /:exports\s+(?:none|results)\b/i;
const DRAWER = /^\s*:(?:properties|logbook):$/i;
const END_OF_DRAWER = /^\s*:end:$/i;
const HIDDEN_HEADING = /^\*+\s+(?:[A-Z][A-Z-]*\s+)?(?:\[#.\]\s+)?COMMENT(?:\s|$)/;
const HIDDEN_TAG = /:(?:noexport|ARCHIVE):/;
const PASSED = /@@[\w-]{1,40}:[^\n]*?(?:@@|$)|^[ \t]*#\+(?:html|begin_(?:html|export)\b)[^\n]*/gim;
const STRUCK = /(?<=^|[\s({'"-])\+(?=[^\s+])[^\n+]*(?<=\S)\+(?=$|[\s)}'".,:;!?-])/gm;
const TARGET = /(?<!<)<<(?!<)[^<>\n]*>>/g;

/**
 * Returns the ranges of an Org source that readers of the export see: not comments, struck-out text, COMMENT subtrees,
 * drawers, settings, or passthrough content. Doubtful ranges count as hidden.
 */
export function shownInOrg(source: string): TextRun[] {
  const passed = runsOf(source, PASSED);
  const hidden = [
    ...passed,
    ...runsOf(source, STRUCK),
    ...runsOf(source, TARGET),
    ...leftOpen(source, passed),
  ];
  const state: State = { block: undefined, inDrawer: false, subtree: 0 };
  for (const { start, end, text } of linesOf(source)) {
    if (HEADING.test(text)) beginHeading(state, text, start, hidden);
    if (hides(state, text, start) || state.subtree > 0) hidden.push({ start, end });
  }
  if (state.block !== undefined) hidden.push({ start: state.block.start, end: source.length });
  return outsideRuns(source.length, hidden);
}

interface State {
  block: { name: string; start: number; isHidden: boolean } | undefined;
  inDrawer: boolean;
  /** The level of the heading above the hidden subtree. */
  subtree: number;
}

/** A heading ends an unclosed block, which means that it wasn't a block, so its contents are doubtful. */
function beginHeading(state: State, text: string, start: number, hidden: TextRun[]): void {
  const level = HEADING.exec(text)?.[1]?.length ?? 0;
  if (state.block !== undefined) hidden.push({ start: state.block.start, end: start });
  Object.assign(state, { block: undefined, inDrawer: false });
  if (state.subtree > 0 && level > state.subtree) return;
  state.subtree = HIDDEN_HEADING.test(text) || hasHiddenTag(text) ? level : 0;
}

/** The tags are the last word of a heading: `:draft:noexport:`. */
function hasHiddenTag(heading: string): boolean {
  const tags = heading.split(/\s/).at(-1) ?? '';
  return tags.endsWith(':') && HIDDEN_TAG.test(tags);
}

function hides(state: State, text: string, start: number): boolean {
  if (state.block !== undefined) return hidesInBlock(state, state.block, text);
  if (state.inDrawer || DRAWER.test(text)) {
    state.inDrawer = !END_OF_DRAWER.test(text);
    return true;
  }
  const [, name, settings = ''] = BEGIN.exec(text) ?? [];
  if (name !== undefined && (CODE.test(name) || HIDDEN_BLOCK.test(name)))
    state.block = { name, start, isHidden: HIDDEN_BLOCK.test(name) || UNEXPORTED.test(settings) };
  return COMMENT.test(text) || (KEYWORD.test(text) && !SHOWN_KEYWORD.test(text));
}

function hidesInBlock(state: State, { name, isHidden }: NonNullable<State['block']>, text: string): boolean {
  const isEnd = END.exec(text)?.[1]?.toLowerCase() === name.toLowerCase();
  if (isEnd) state.block = undefined;
  return isEnd || isHidden;
}
