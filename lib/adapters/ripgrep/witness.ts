import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../errors.ts';
import { decodeText } from '../../formats/decode.ts';
import { MAX_FILE_BYTES } from '../../formats/max-file-bytes.ts';
import { openInside } from '../../paths/confine.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import type { LineData } from './events.ts';

/**
 * Rereads what ripgrep claims to have read, from a file opened inside the root. During a search, a command
 * may replace files with links, which ripgrep follows, for example to this process's environment.
 */
export interface Witness {
  confirms(line: LineData): Promise<boolean>;
  /** Returns the line as text, even if the file isn't UTF-8. */
  asText(line: LineData): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opens a file. Undefined if the file isn't inside the root, or is no longer. */
export async function openWitness(root: string, path: string): Promise<Witness | undefined> {
  try {
    const handle = await openInside(root, path);
    const whole = onceOnly(() => decodeWhole(handle));
    return {
      confirms: (line) => confirms(handle, whole, line),
      async asText({ lines, line_number }) {
        return isUtf8(lines) ? undefined : lineOf(await whole(), line_number)?.replace(/\r$/, '');
      },
      close: () => handle.close(),
    };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

async function confirms(
  handle: FileHandle,
  whole: () => Promise<string | undefined>,
  { lines, absolute_offset, line_number }: LineData,
) {
  const bytes = Buffer.alloc(lines.length);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, absolute_offset);
  if (bytesRead === bytes.length && bytes.equals(lines)) return true;
  const text = await whole();
  if (!text?.startsWith('\ufeff')) return false;
  // After a byte order mark, ripgrep decodes, and counts from there, so only the line number is reliable.
  return lineOf(text.slice(1), line_number) === lines.toString().replace(/\n$/, '');
}

function lineOf(text: string | undefined, number: number): string | undefined {
  return text?.split('\n')[number - 1];
}

async function decodeWhole(handle: FileHandle): Promise<string | undefined> {
  const { size } = await handle.stat();
  return decodeText(await readAtMost(handle, Math.min(size, MAX_FILE_BYTES)));
}

function onceOnly<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
