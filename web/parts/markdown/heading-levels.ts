import type { Token, Tokens } from 'marked';

/**
 * The rank of each block that is a heading, from 0, by the levels that the text gives them: one below the heading above it that it belongs to. So an outline has no gaps,
 * whichever levels a text uses. A later heading changes no earlier one.
 */
export function headingLevels(given: readonly (number | undefined)[]): (number | undefined)[] {
  const open: number[] = [];
  return given.map((depth) => {
    if (depth === undefined) return undefined;
    while ((open.at(-1) ?? 0) >= depth) open.pop();
    return open.push(depth) - 1;
  });
}

/** The level that a Markdown block has, if it is a heading. */
export function depthOf(block: Token): number | undefined {
  return block.type === 'heading' ? (block as Tokens.Heading).depth : undefined;
}
