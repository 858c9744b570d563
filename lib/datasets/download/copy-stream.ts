import type { FileHandle } from 'node:fs/promises';
import type { HubBytes } from '../../ports/hub.ts';
import type { WriteLease } from './write-lease.ts';

/**
 * Bytes per write. Chunks arrive in smaller sizes, and hashing and writing them in larger ones takes fewer
 * steps.
 */
const BUFFER_BYTES = 512 * 1024;

/**
 * The bytes differ from those that the hub promised. The file starts again, because it's unknown which bytes
 * are wrong.
 */
export class Spoiled extends Error {}

/** The function's time is up, and another call continues. */
export class TimeUp extends Error {}

export interface Sink {
  handle: FileHandle;
  lease: WriteLease;
  /** Receives the bytes in order. */
  hash?: ((bytes: Buffer) => void) | undefined;
  /** Receives the position up to which all bytes are on the disk. */
  reached(place: number): void;
  /**
   * Returns true from the deadline on (milliseconds since the epoch, by the lease's clock). No byte is
   * written after it.
   */
  isTimeUp(): boolean;
}

/**
 * Writes a response's bytes from `at` up to `to`. One buffer fills while the other is written, so memory is limited to
 * two buffers. Returns the position that it reached; the response may end before `to`. Throws Spoiled if it continues
 * after `to` and that is the file's end.
 */
export async function copyStream(
  answer: HubBytes,
  sink: Sink,
  { at, to, last }: { at: number; to: number; last: boolean },
): Promise<number> {
  const writer = openWriter(sink, at, Math.min(BUFFER_BYTES, to - at));
  let place = answer.offset;
  try {
    for await (const piece of answer.body) {
      const wanted = piece.subarray(Math.max(0, at - place), Math.max(0, to - place));
      place += piece.length;
      if (last && place > to) throw new Spoiled('is longer than the hub says');
      await writer.add(wanted);
      release(piece);
      if (place >= to && !last) break;
    }
  } finally {
    await writer.finish();
  }
  return writer.place();
}

/**
 * Frees a chunk's memory immediately, because its bytes have been copied. The garbage collector sees only
 * small objects; without this, some 50 MB per thread pile up, and every chunk gets new memory instead of
 * memory that is in the CPU's cache.
 */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function openWriter(sink: Sink, start: number, size: number) {
  const { handle, lease, hash, reached } = sink;
  let [buffer, filled, at]: [Buffer, number, number] = [Buffer.allocUnsafe(size), 0, start];
  let spare: Buffer | undefined;
  let writing: Promise<void> | undefined;
  const write = async (bytes: Buffer, position: number) => {
    await lease.mayWrite();
    if (sink.isTimeUp()) throw new TimeUp('time is up');
    await writeAll(handle, bytes, position);
    reached(position + bytes.length);
  };
  const flush = async () => {
    await writing;
    const bytes = buffer.subarray(0, filled);
    writing = write(bytes, at);
    writing.catch(() => undefined); // the next await throws the failure
    hash?.(bytes);
    at += filled;
    [buffer, spare, filled] = [spare ?? Buffer.allocUnsafe(size), buffer, 0];
  };
  return {
    async add(bytes: Buffer) {
      for (let from = 0; from < bytes.length; ) {
        const taken = bytes.copy(buffer, filled, from);
        filled += taken;
        from += taken;
        if (filled === size) await flush();
      }
    },
    /** Writes the received bytes, even if the response was interrupted. */
    async finish() {
      if (filled > 0) await flush();
      await writing;
    },
    place: () => at,
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
