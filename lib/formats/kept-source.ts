import type { Objects } from '../ports/objects.ts';
import type { KnownFormat } from './all-formats.ts';
import { decodeText } from './decode.ts';
import type { Extracted } from './extract.ts';
import { extractKey } from './extract-key.ts';

/** Whose file, in which version. */
export interface FileVersion {
  workspaceId: string;
  hash: string;
}

/** Keeps the text that passages refer to, where the file itself does not hold it. */
export async function keepSource(
  objects: Objects,
  { workspaceId, hash }: FileVersion,
  { format, source }: Extracted,
): Promise<void> {
  if (format.content !== 'encoded') return;
  await objects.put(extractKey(workspaceId, hash), Buffer.from(source));
}

/** The text that passages refer to: of the file, or the one that was kept. Undefined where there is none. */
export async function readKeptSource(
  objects: Objects,
  { workspaceId, hash }: FileVersion,
  format: KnownFormat,
  bytes: Uint8Array,
): Promise<string | undefined> {
  if (format.content !== 'encoded') return decodeText(bytes);
  const kept = await objects.getBytes(extractKey(workspaceId, hash));
  return kept === undefined ? undefined : Buffer.from(kept).toString('utf8');
}
