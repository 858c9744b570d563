import { partLabel } from '../passages/part-label.ts';
import type { Passage } from '../ports/vectors.ts';
import { randomTag } from '../text/random-tag.ts';

/**
 * Passages as numbered elements of a prompt. No text in a file can end its own element or begin another, for it cannot
 * know the code. File names and headings are others' text too: they stand in JSON's quotes, on one line.
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
