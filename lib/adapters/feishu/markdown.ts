import { freeEmphasis } from '../../api-contract/free-emphasis.ts';
import { beginning } from '../../text/cut-text.ts';

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^ {0,3}#{1,6}(?=\s)/;
/**
 * Matches an image, which needs a Feishu key; with a URL instead, Feishu rejects the whole card. Limited, because a
 * model can be made to write text that is slow to scan.
 */
const IMAGE = /!(\[[^\]]{0,300}\]\([^)]{0,2000}\))/g;
const NO_CHARACTER = '\ufdd0';
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Converts Markdown to the subset that Feishu's cards support: headings as bold lines, images as links. Notifies no
 * one.
 */
export function toCardMarkdown(text: string): string {
  let fenced = false;
  const lines = withoutCalls(text)
    .split('\n')
    .map((line) => {
      if (FENCE.test(line)) fenced = !fenced;
      return fenced ? line : freeOutsideCode(showHeading(line).replace(IMAGE, '$1'));
    });
  return lines.join('\n');
}

/** Fixes emphasis next to Chinese punctuation, to which Feishu also applies CommonMark's rule. Code stays unchanged. */
function freeOutsideCode(line: string): string {
  const freed = freeEmphasis(line, NO_CHARACTER).replace(/`+[^`]*`+/g, (code) =>
    code.replaceAll(NO_CHARACTER, ''),
  );
  return freed.replaceAll(NO_CHARACTER, ZERO_WIDTH_SPACE);
}

/**
 * Shows a heading as bold. Parses it without a regular expression, because one with optional closing number signs would
 * try every position.
 */
function showHeading(line: string): string {
  const [opening] = HEADING.exec(line) ?? [];
  if (opening === undefined) return line;
  const words = line.slice(opening.length).trim();
  let end = words.length;
  while (words[end - 1] === '#') end -= 1;
  const closed = end === 0 || /\s/.test(words[end - 1] ?? '');
  const title = closed ? words.slice(0, end).trimEnd() : words;
  return title === '' ? '' : `**${title}**`;
}

/** Control characters are invisible, and each takes seven bytes in the request. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/**
 * Removes `<at …>`, which notifies people, and `<at id=all>`, which notifies a whole group, because no model or tool
 * may do that.
 */
export function withoutCalls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(CONTROLS, '')
    .replaceAll(/<(?=\/?at\b)/gi, `<${ZERO_WIDTH_SPACE}`);
}

/** Formats text as inline code within a line. */
export function inlineCode(text: string, maxCharacters: number): string {
  const line = withoutCalls(text).replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
  if (line === '') return '';
  return `\`${line.length > maxCharacters ? `${beginning(line, maxCharacters - 1)}…` : line}\``;
}
