import { partLabel } from '../api-contract/part-label.ts';
import type { Passage } from '../ports/vectors.ts';
import { withoutBracketedNumbers } from '../text/bracketed-numbers.ts';
import { mostTokens } from '../text/count-tokens.ts';
import { randomTag } from '../text/random-tag.ts';

/**
 * The length of the tag in a short prompt, in characters. A file contains it by chance in one of 16 million
 * cases.
 */
const SHORT_TAG = 6;
/** Maximum characters of the headings above a passage in a short prompt. */
const MAX_UNDER = 80;

/**
 * Formats passages as numbered elements of a prompt, delimited with a random tag. Text in a file can't end
 * its own element or start another, because it can't know the tag. File names and headings are untrusted too,
 * so they are JSON strings on one line.
 */
export function fencePassages(passages: Passage[], code = randomTag()): string {
  return passages
    .map(({ path, startLine, endLine, part, context, text }, place) => {
      const words = partLabel(part);
      const attributes = [
        `number="${place + 1}" file=${JSON.stringify(path)}`,
        ...(words === '' ? [] : [`at=${JSON.stringify(words)}`]),
        `lines="${startLine}-${endLine}"`,
        ...(context === '' ? [] : [`under=${JSON.stringify(context)}`]),
      ];
      return `<passage-${code} ${attributes.join(' ')}>\n${text}\n</passage-${code}>`;
    })
    .join('\n');
}

/**
 * Does the same for small windows, with a third of the tokens: one element contains all passages, each after
 * its number. The best one comes last, next to the question, because a server that truncates a prompt removes
 * its start.
 */
export function listPassages(passages: Passage[], code = randomTag()): string {
  const tag = `files-${code.slice(0, SHORT_TAG)}`;
  const shown = passages.map((passage, place) => `[${place + 1}] ${listed(passage)}`);
  return `<${tag}>\n${shown.toReversed().join('\n\n')}\n</${tag}>`;
}

/** Returns the maximum tokens of a passage in such a list. */
export function listedTokens(passage: Passage): number {
  return mostTokens(`[10] ${listed(passage)}\n\n`);
}

/** Returns the maximum tokens of a passage as its own element, with the tag that takes the most tokens. */
export function fencedTokens(passage: Passage): number {
  return mostTokens(`${fencePassages([passage], '0'.repeat(16))}\n`);
}

function listed({ path, context, text }: Passage): string {
  const under = context === '' ? '' : ` (${plain(context).slice(0, MAX_UNDER)})`;
  return `${plain(path)}${under}: ${withoutBracketedNumbers(text)}`;
}

function plain(text: string): string {
  return withoutBracketedNumbers(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' '));
}
