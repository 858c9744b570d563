import type { Token, Tokens } from 'marked';

/**
 * The rank of each block that is a heading, from 0: one below the heading above it that it belongs to. So an outline has no gaps,
 * whichever levels a text uses. A later heading changes no earlier one.
 */
export function headingLevels(blocks: readonly Token[]): (number | undefined)[] {
  const open: number[] = [];
  return blocks.map((block) => {
    if (block.type !== 'heading') return undefined;
    const { depth } = block as Tokens.Heading;
    while ((open.at(-1) ?? 0) >= depth) open.pop();
    return open.push(depth) - 1;
  });
}
