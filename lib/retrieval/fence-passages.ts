import { partLabel } from '../api-contract/part-label.ts';
import type { Passage } from '../ports/vectors.ts';
import { randomTag } from '../text/random-tag.ts';

/**
 * Formats passages as numbered elements of a prompt, delimited with a random tag: text in a file can't end its own element or
 * start another, because it can't know the tag. File names and headings are untrusted too: they are JSON strings on one line.
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
