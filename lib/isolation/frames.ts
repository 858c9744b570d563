import type { Writable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

const HEAD_BYTES = 4;

/** Writes a value, as sent between a program and its parent: a structured clone after its length in four bytes. */
export function writeFrame(to: Writable, value: unknown): void {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  to.write(head);
  to.write(body);
}

/**
 * Receives chunks as they arrive, and emits a value for each whole frame. Throws RangeError at the header of
 * a frame above `maxBytes`.
 */
export function frameReader(maxBytes: () => number, take: (value: unknown) => void): (chunk: Buffer) => void {
  let held: Buffer[] = [];
  let length = 0;
  let wanted = HEAD_BYTES;
  let inHead = true;
  return (chunk) => {
    held.push(chunk);
    length += chunk.length;
    while (length >= wanted) {
      const all = Buffer.concat(held);
      const part = all.subarray(0, wanted);
      held = [all.subarray(wanted)];
      length -= wanted;
      if (!inHead) take(deserialize(part));
      wanted = inHead ? part.readUInt32LE(0) : HEAD_BYTES;
      inHead = !inHead;
      if (wanted > maxBytes()) throw new RangeError(`a frame has ${wanted} bytes, which is too many`);
    }
  };
}
