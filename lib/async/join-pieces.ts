/** The maximum number of pieces next to each other. */
const MOST_PIECES = 1024;

export interface Pieces {
  add(piece: Uint8Array): void;
  /** Once, at the end. */
  whole(): Buffer;
}

/**
 * Bytes that come in pieces, whose sizes the other side decides: each costs some hundred bytes besides its own, so those of a
 * body that comes byte by byte are put together on the way, and what is held stays near what was counted.
 */
export function joinPieces(): Pieces {
  const blocks: Buffer[] = [];
  let pieces: Uint8Array[] = [];
  const join = () => {
    blocks.push(Buffer.concat(pieces));
    pieces = [];
  };
  return {
    add(piece) {
      if (pieces.push(piece) === MOST_PIECES) join();
    },
    whole() {
      join();
      const [first] = blocks;
      return blocks.length === 1 && first !== undefined ? first : Buffer.concat(blocks);
    },
  };
}
