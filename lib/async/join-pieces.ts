/** The maximum number of pieces to hold before they are concatenated. */
const MOST_PIECES = 1024;

export interface Pieces {
  /** Throws `tooLarge()` if the total exceeds `maxBytes`. */
  add(piece: Uint8Array): void;
  /** Returns all bytes. Call it once, at the end. */
  whole(): Buffer;
}

/**
 * Collects bytes that arrive in pieces of any size. Each piece has some hundred bytes of overhead, so a body
 * that arrives byte by byte is concatenated along the way, and memory use stays near the counted size.
 */
export function joinPieces(maxBytes: number, tooLarge: () => Error): Pieces {
  const blocks: Buffer[] = [];
  let size = 0;
  let pieces: Uint8Array[] = [];
  const join = () => {
    blocks.push(Buffer.concat(pieces));
    pieces = [];
  };
  return {
    add(piece) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge();
      if (pieces.push(piece) === MOST_PIECES) join();
    },
    whole() {
      join();
      const [first] = blocks;
      return blocks.length === 1 && first !== undefined ? first : Buffer.concat(blocks);
    },
  };
}

/** Reads a whole stream. Beyond `maxBytes`, throws `tooLarge()` and cancels the rest. */
export async function readPieces(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const pieces = joinPieces(maxBytes, tooLarge);
  for await (const piece of stream) pieces.add(piece);
  return pieces.whole();
}
