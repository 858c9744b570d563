import { readFile } from 'node:fs/promises';
import { ServiceError } from '../errors.ts';
import { openInside } from '../files/confine.ts';
import { sha256 } from '../files/hash.ts';
import { decodeText } from '../indexing/decode.ts';
import { fileKind } from '../indexing/file-kinds.ts';
import { lineStarts } from '../indexing/lines.ts';
import { extractKey, MAX_FILE_BYTES } from '../indexing/read-file.ts';
import { type TextRun, textRuns } from '../indexing/text-runs.ts';
import type { Objects } from '../ports/objects.ts';
import type { Workspace } from '../workspaces/schema.ts';

/** A file as it is now. */
export interface Source {
  hash: string;
  /** The text that positions refer to (for PDF the extracted text). */
  text: string;
  runs: TextRun[];
  lines: number[];
}

/** Kept between answers: files that are cited once are often cited again. */
const MAX_KEPT = 100;
const MAX_KEPT_CHARACTERS = 20_000_000;
const kept = new Map<string, { source: Promise<Source | undefined>; size: number }>();

/**
 * Reads a file to quote from it. Undefined when it is gone, not readable, too large to have been indexed, or a PDF whose
 * text was not extracted yet.
 */
export async function readSource(
  objects: Objects,
  workspace: Workspace,
  path: string,
): Promise<Source | undefined> {
  try {
    return await readKept(objects, workspace, path);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** The text of a version of a file, by all that the file system tells of the version, is worked out once. */
async function readKept(objects: Objects, workspace: Workspace, path: string): Promise<Source | undefined> {
  const handle = await openInside(workspace.rootPath, path);
  try {
    const { size, mtimeMs, ctimeMs, ino } = await handle.stat();
    if (size > MAX_FILE_BYTES) return undefined;
    const key = [workspace.rootPath, path, size, mtimeMs, ctimeMs, ino].join('\0');
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return await known.source;
    }
    const source = makeSource(objects, workspace, path, await readFile(handle));
    keep(key, size, source);
    return await source;
  } finally {
    await handle.close();
  }
}

/** The last used stay. What could not be read now may be readable later, under the same key. */
function keep(key: string, size: number, source: Promise<Source | undefined>): void {
  kept.set(key, { source, size });
  source.then(
    (found) => found ?? kept.delete(key),
    () => kept.delete(key),
  );
  let total = [...kept.values()].reduce((sum, each) => sum + each.size, 0);
  for (const [oldest, each] of kept) {
    if (kept.size <= MAX_KEPT && total <= MAX_KEPT_CHARACTERS) return;
    kept.delete(oldest);
    total -= each.size;
  }
}

async function makeSource(
  objects: Objects,
  workspace: Workspace,
  path: string,
  bytes: Buffer,
): Promise<Source | undefined> {
  const hash = await sha256(bytes);
  const text = fileKind(path) === 'pdf' ? await readExtract(objects, workspace.id, hash) : decodeText(bytes);
  return text === undefined ? undefined : { hash, text, runs: textRuns(path, text), lines: lineStarts(text) };
}

async function readExtract(objects: Objects, workspaceId: string, hash: string): Promise<string | undefined> {
  const bytes = await objects.getBytes(extractKey(workspaceId, hash));
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}
