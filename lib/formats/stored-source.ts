import type { Objects } from '../ports/objects.ts';
import type { KnownFormat } from './all-formats.ts';
import { decodeText } from './decode.ts';
import type { Extracted } from './extract.ts';
import { extractKey, partsKey } from './extract-key.ts';
import type { Decoded } from './format.ts';

export interface FileVersion {
  workspaceId: string;
  hash: string;
}

/** Stores the text that passages refer to, if it isn't the file itself. */
export async function storeSource(
  objects: Objects,
  { workspaceId, hash }: FileVersion,
  { format, source, text: _text, places: _places, headings: _headings, ...parts }: Extracted,
): Promise<void> {
  if (format.content !== 'encoded') return;
  await objects.put(partsKey(workspaceId, hash), Buffer.from(JSON.stringify(parts)));
  await objects.put(extractKey(workspaceId, hash), Buffer.from(source));
}

/** Returns the stored text with its parts. */
export async function readStoredText(
  objects: Objects,
  { workspaceId, hash }: FileVersion,
): Promise<Decoded | undefined> {
  const [parts, text] = await Promise.all([
    objects.getBytes(partsKey(workspaceId, hash)),
    objects.getBytes(extractKey(workspaceId, hash)),
  ]);
  if (parts === undefined || text === undefined) return undefined;
  const rest = JSON.parse(Buffer.from(parts).toString()) as Omit<Decoded, 'text'>;
  return { ...rest, text: Buffer.from(text).toString() };
}

/**
 * Returns the text to which passages refer: the file's, or the stored one with its parts. Undefined if there
 * is none.
 */
export async function readStoredSource(
  objects: Objects,
  version: FileVersion,
  format: KnownFormat,
  bytes: Uint8Array,
): Promise<StoredText | undefined> {
  if (format.content !== 'encoded') {
    const text = decodeText(bytes);
    return text === undefined ? undefined : { text };
  }
  return readStoredText(objects, version);
}

/** Plain text has no parts. */
export type StoredText = Pick<Decoded, 'text'> &
  Partial<Pick<Decoded, 'partStarts' | 'sheets' | 'recognized'>>;
