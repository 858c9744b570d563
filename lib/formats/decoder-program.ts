import { isolatedProgram } from '../isolation/program.ts';
import { decoders } from './all-decoders.ts';
import type { NameOf } from './all-formats.ts';

/** The decoders, in a process of their own. */
export const program = isolatedProgram(import.meta, {
  decode: ({ format, bytes }: { format: NameOf<'encoded'>; bytes: Uint8Array }) => decoders[format](bytes),
});
