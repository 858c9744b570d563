/** Pieces that are kept before they are concatenated. */
const MOST_PIECES = 1024;

export interface Pieces {
  add(piece: Uint8Array): void;
  /** Call it once, at the end. */
  whole(): Buffer;
}

/**
 * Collects bytes that arrive in pieces of any size. Each piece costs some hundred bytes of overhead, so the pieces of a body
 * that arrives byte by byte are concatenated on the way, and memory use stays near the counted size.
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
