import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

export interface BoundedText {
  /** Returns the text so far, cut between characters. */
  text(): string;
  truncated(): boolean;
}

/** Reads all of a stream and keeps its first bytes: a program whose output isn't read would wait forever. */
export function readBounded(stream: Readable, maxBytes: number): BoundedText {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  let truncated = false;
  stream.on('data', (chunk: Buffer) => {
    if (chunk.length > room) truncated = true;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room = Math.max(0, room - chunk.length);
  });
  stream.on('error', () => {}); // closed by us when the time was up
  return {
    text() {
      const bytes = Buffer.concat(chunks);
      return truncated ? new StringDecoder('utf8').write(bytes) : bytes.toString();
    },
    truncated: () => truncated,
  };
}
