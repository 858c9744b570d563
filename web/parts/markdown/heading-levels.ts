import type { Token, Tokens } from 'marked';

/**
 * Returns the rank of each heading block, from 0, based on the levels in the text: each is one below its
 * parent heading. So the outline has no gaps, whatever levels a text uses. A later heading doesn't change an
 * earlier one.
 */
export function headingLevels(given: readonly (number | undefined)[]): (number | undefined)[] {
  const open: number[] = [];
  return given.map((depth) => {
    if (depth === undefined) return undefined;
    while ((open.at(-1) ?? 0) >= depth) open.pop();
    return open.push(depth) - 1;
  });
}

/** Returns the level of a Markdown block, if it's a heading. */
export function depthOf(block: Token): number | undefined {
  return block.type === 'heading' ? (block as Tokens.Heading).depth : undefined;
}
