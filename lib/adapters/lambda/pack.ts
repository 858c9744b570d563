/** Files on their way between a workspace and the commands function, each with a header. */
export interface PackPart {
  head: unknown;
  bytes: Buffer;
}

const LENGTH_BYTES = 4;
const MAX_HEAD_BYTES = 64 * 1024;

/** Returns one part of a pack: header length, byte length, header, bytes. */
export function frameOf(head: unknown, bytes: Uint8Array = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(2 * LENGTH_BYTES);
  lengths.writeUInt32LE(text.length);
  lengths.writeUInt32LE(bytes.length, LENGTH_BYTES);
  return Buffer.concat([lengths, text, bytes]);
}

/** Ends a pack; anything after it is ignored. */
export const PACK_END = Buffer.alloc(2 * LENGTH_BYTES);

/** The pack, whose bytes are untrusted, is invalid. */
export class BrokenPack extends Error {}

/**
 * Yields the parts of a pack, holding only one in memory. Throws BrokenPack, also for a truncated pack or one
 * over a limit.
 */
export async function* readPack(
  stream: AsyncIterable<Uint8Array>,
  { parts, bytes }: { parts: number; bytes: number },
): AsyncGenerator<PackPart> {
  const take = takerOf(stream);
  for (let count = 0; ; count++) {
    const lengths = await take(2 * LENGTH_BYTES);
    const [head, body] = [lengths.readUInt32LE(0), lengths.readUInt32LE(LENGTH_BYTES)];
    if (head === 0) return;
    if (count === parts || head > MAX_HEAD_BYTES || body > bytes) throw new BrokenPack('it exceeds a limit');
    yield { head: parse(await take(head)), bytes: await take(body) };
  }
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    throw new BrokenPack('a header is not JSON');
  }
}

/** Returns a function that reads an exact number of bytes. */
function takerOf(stream: AsyncIterable<Uint8Array>): (count: number) => Promise<Buffer> {
  const chunks = stream[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  return async (count) => {
    const more: Uint8Array[] = [held];
    for (let length = held.length; length < count; ) {
      const next = await chunks.next();
      if (next.done) throw new BrokenPack('it is incomplete');
      more.push(next.value);
      length += next.value.length;
    }
    const all = more.length === 1 ? held : Buffer.concat(more);
    held = all.subarray(count);
    return all.subarray(0, count);
  };
}
