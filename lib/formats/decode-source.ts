import { Unreadable } from '../errors.ts';
import { runIsolated } from '../isolation/run-isolated.ts';
import type { KnownFormat } from './all-formats.ts';
import { decodeWithName } from './decode.ts';
import type { Decoded } from './format.ts';
import { whyNotOfFormat, whyOtherFormat } from './found-in-bytes.ts';

const TIMEOUT_MS = 80_000;
/**
 * In milliseconds. A long PDF takes seconds of CPU time, and may wait minutes for them on a busy host. The
 * index worker has 300 seconds.
 */
const LOADED_MS = 240_000;

/**
 * Returns the text that positions in a file refer to. Undefined for a binary file. Throws Unreadable if the bytes can't
 * be decoded, or would take too much time or memory.
 */
export async function decodeSource(
  format: KnownFormat,
  bytes: Uint8Array,
  whose = '',
): Promise<Decoded | undefined> {
  if (format.content === 'encoded') {
    // Imported here, so that bundles have the program as a separate file.
    const { program } = await import('./decoder-program.ts');
    const input = { format: format.name, bytes };
    const options = { timeoutMs: TIMEOUT_MS, loadedMs: LOADED_MS, whose };
    const decoded: Decoded = await runIsolated(program, 'decode', input, options).catch((error: unknown) => {
      throw (isBroken(error) && whyNotOfFormat(format, bytes)) || error;
    });
    // Office formats are similar to each other, but a decoder finds nothing in another format's file.
    const other = decoded.text.trim() === '' ? whyOtherFormat(format, bytes) : undefined;
    if (other !== undefined) throw other;
    return decoded;
  }
  const decoded = decodeWithName(bytes);
  if (decoded === undefined) return undefined;
  const { text, encoding, certain } = decoded;
  if (encoding === 'utf-8') return { text, partStarts: [] };
  return { text, partStarts: [], encoding, ...(!certain && { encodingCertain: false }) };
}

function isBroken(error: unknown): boolean {
  return error instanceof Unreadable && error.reason === 'broken';
}
