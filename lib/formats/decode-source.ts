import { runIsolated } from '../isolation/run-isolated.ts';
import type { KnownFormat } from './all-formats.ts';
import { decodeWithName } from './decode.ts';
import type { Decoded } from './format.ts';

const TIMEOUT_MS = 80_000;

/**
 * The text that positions in a file refer to. Undefined for a binary. Throws Unreadable when the bytes hold no
 * text that can be read, or would take too much time or memory.
 */
export async function decodeSource(
  format: KnownFormat,
  bytes: Uint8Array,
  whose = '',
): Promise<Decoded | undefined> {
  if (format.content === 'encoded') {
    // Imported here so that a bundle keeps the program as a file of its own.
    const { program } = await import('./decoder-program.ts');
    const input = { format: format.name, bytes };
    return runIsolated(program, 'decode', input, { timeoutMs: TIMEOUT_MS, whose });
  }
  const decoded = decodeWithName(bytes);
  if (decoded === undefined) return undefined;
  const { text, encoding } = decoded;
  return { text, partStarts: [], ...(encoding !== 'utf-8' && { encoding }) };
}
