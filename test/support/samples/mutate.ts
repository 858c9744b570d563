/** Returns integers below a limit, which are the same for the same seed (mulberry32). */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Values that parsers read as lengths, counts, and marks. */
const TELLING = [0, 1, 0x7f, 0x80, 0xff, 0x3c, 0x5b, 0x7b, 0x28, 0x2f, 0x0a];

/**
 * Returns a file with one to eight faults: changed, removed, duplicated, or moved bytes, or a missing end.
 */
export function mutate(bytes: Uint8Array, seed: number): Buffer {
  const random = randomOf(seed);
  let mutated = Buffer.from(bytes);
  for (let fault = random(8); fault >= 0; fault--) mutated = mutateOnce(mutated, random);
  return mutated;
}

function mutateOnce(bytes: Buffer<ArrayBuffer>, random: (below: number) => number): Buffer<ArrayBuffer> {
  const at = random(bytes.length + 1);
  const length = 1 + random(32);
  const piece = bytes.subarray(at, at + length);
  const around = (...between: Buffer[]) =>
    Buffer.concat([bytes.subarray(0, at), ...between, bytes.subarray(at + length)]);
  switch (random(6)) {
    case 0:
      return around(Buffer.from(Array.from({ length: piece.length }, () => random(256))));
    case 1:
      return around(Buffer.from(piece.map(() => TELLING[random(TELLING.length)] ?? 0)));
    case 2:
      return around();
    case 3:
      return around(...Array<Buffer>(1 + random(40)).fill(piece));
    case 4:
      return around(bytes.subarray(random(bytes.length + 1)).subarray(0, 64));
    default:
      return bytes.subarray(0, Math.max(at, 1));
  }
}
