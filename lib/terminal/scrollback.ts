/** Characters of output that a session keeps for readers that connect later. */
const MAX_KEPT = 262_144;
/** Number of pieces to keep. A piece is at least the echo of a keystroke. */
const MAX_PIECES = 8_192;

export interface OutputPiece {
  /** Number in the stream of the session, from 1. */
  number: number;
  text: string;
}

/** Keeps the latest output of a terminal, in numbered pieces. */
export function scrollback(maxKept = MAX_KEPT) {
  const pieces: OutputPiece[] = [];
  let kept = 0;
  let last = 0;
  return {
    add(text: string) {
      pieces.push({ number: ++last, text });
      kept += text.length;
      while (pieces.length > 1 && (kept > maxKept || pieces.length > MAX_PIECES))
        kept -= pieces.shift()?.text.length ?? 0;
    },
    /** Returns the first piece after a number. If the next piece is no longer kept, returns a later one. */
    after(number: number): OutputPiece | undefined {
      const first = pieces[0]?.number ?? 0;
      return pieces[Math.max(0, number + 1 - first)];
    },
    /** Returns the number of characters in the kept pieces after one number, up to another. */
    lengthBetween(after: number, upTo: number): number {
      const first = pieces[0]?.number ?? 0;
      const between = pieces.slice(Math.max(0, after + 1 - first), Math.max(0, upTo + 1 - first));
      return between.reduce((sum, { text }) => sum + text.length, 0);
    },
    last: () => last,
  };
}

export type Scrollback = ReturnType<typeof scrollback>;
