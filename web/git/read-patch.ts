/** A line of one side, with its number in that side's file. */
export interface PatchLine {
  number: number;
  text: string;
  /** True if the file ends here without a line break. */
  isOpen?: boolean;
}

/**
 * Adjacent lines of one kind: equal ones are on both sides; changed ones replace the old lines with the new.
 */
export interface PatchBlock {
  isChange: boolean;
  old: PatchLine[];
  fresh: PatchLine[];
}

/** A part of the file, with the lines around a change. */
export interface Hunk {
  /** The text after the line numbers, usually the name of the function. */
  title: string;
  blocks: PatchBlock[];
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

interface Place {
  old: number;
  fresh: number;
}

/** Reads hunks in the unified format. */
export function readPatch(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let at: Place = { old: 0, fresh: 0 };
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const head = HEAD.exec(line);
    const hunk = hunks.at(-1);
    if (head !== null) {
      at = { old: Number(head[1]), fresh: Number(head[2]) };
      hunks.push({ title: head[3] ?? '', blocks: [] });
    } else if (hunk !== undefined) addLine(hunk, at, line);
  }
  return hunks;
}

/** Adds a line of a hunk, and advances the line numbers. */
function addLine(hunk: Hunk, at: Place, line: string): void {
  const [sign, text] = [line[0], line.slice(1)];
  if (sign === '\\') markOpen(hunk);
  else if (sign === '-') blockOf(hunk, true).old.push({ number: at.old++, text });
  else if (sign === '+') blockOf(hunk, true).fresh.push({ number: at.fresh++, text });
  else {
    const { old, fresh } = blockOf(hunk, false);
    old.push({ number: at.old++, text });
    fresh.push({ number: at.fresh++, text });
  }
}

/** Returns the last block if it is of this kind and incomplete, otherwise a new one. */
function blockOf({ blocks }: Hunk, isChange: boolean): PatchBlock {
  const last = blocks.at(-1);
  if (last?.isChange === isChange) return last;
  const block: PatchBlock = { isChange, old: [], fresh: [] };
  blocks.push(block);
  return block;
}

function markOpen({ blocks }: Hunk): void {
  const block = blocks.at(-1);
  const line = block?.fresh.at(-1) ?? block?.old.at(-1);
  if (line !== undefined) line.isOpen = true;
}
