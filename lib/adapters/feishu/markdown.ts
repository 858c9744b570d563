import { freeEmphasis } from '../../api-contract/free-emphasis.ts';
import { beginning } from '../../text/cut-text.ts';

const FENCE = /^\s*(```|~~~)/;
const HEADING = /^ {0,3}#{1,6}(?=\s)/;
/**
 * Matches an image. Feishu expects its own key there, and rejects the whole card for a URL. The length is
 * limited, because a model can be made to write text that is slow to scan.
 */
const IMAGE = /!(\[[^\]]{0,300}\]\([^)]{0,2000}\))/g;
const NO_CHARACTER = '\ufdd0';
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Converts Markdown to the subset that Feishu's cards support: headings become bold lines, images become
 * links. Removes mentions.
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

/**
 * Fixes emphasis next to Chinese punctuation, where Feishu follows CommonMark's rule for Latin text. Leaves
 * code unchanged.
 */
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

/** Control characters are invisible, and each takes seven bytes of the request. */
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
