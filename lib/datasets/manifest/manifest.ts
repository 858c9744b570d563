import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { NotFound } from '../../errors.ts';
import type { Objects } from '../../ports/objects.ts';
import { TimeUp } from '../download/copy-stream.ts';
import {
  type Manifest,
  type ManifestFile,
  type ManifestSplit,
  manifestFileSchema,
  type Stats,
} from '../schema.ts';
import { splitOf } from './formats.ts';
import { measureFile } from './measure.ts';
import { type FoundFile, walkFiles } from './walk-files.ts';

/** Number of files that are measured concurrently. */
const AT_ONCE = 8;
const LOOK_EVERY_MS = 1000;

/** The measurements so far, if the time ran out. The next call continues from there. */
const draftSchema = z.array(z.object({ file: manifestFileSchema, mtimeMs: z.number() }));
type Draft = z.infer<typeof draftSchema>;

export interface Measuring {
  /** Returns a file's SHA-256 if it's known, which saves reading the file for it. */
  hashes(path: string): string | null;
  /** Milliseconds since the epoch. At the deadline, measurements are stored and TimeUp is thrown. */
  deadline: number;
  /** Called every second. Throws once the result is no longer needed. */
  check(): Promise<unknown>;
}

/**
 * Measures every file of a folder: format, rows, and hash. If it throws TimeUp, call it again with the same
 * `draftKey`.
 */
export async function measureFolder(
  objects: Objects,
  root: string,
  draftKey: string,
  measuring: Measuring,
): Promise<ManifestFile[]> {
  const found = await walkFiles(root);
  const draft = new Map((await readDraft(objects, draftKey)).map((entry) => [entry.file.path, entry]));
  const done: Draft = found.flatMap((file) => knownOf(draft, file) ?? []);
  const known = new Set(done.map(({ file }) => file.path));
  const left = found.filter(({ path }) => !known.has(path));
  try {
    await measureAll(root, left, done, measuring);
  } catch (error) {
    if (error instanceof TimeUp) await objects.put(draftKey, Buffer.from(JSON.stringify(done)));
    throw error;
  }
  await objects.delete(draftKey);
  return done.map(({ file }) => file).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function knownOf(draft: Map<string, Draft[number]>, { path, size, mtimeMs }: FoundFile) {
  const entry = draft.get(path);
  return entry?.file.sizeBytes === size && entry.mtimeMs === mtimeMs ? entry : undefined;
}

async function readDraft(objects: Objects, key: string): Promise<Draft> {
  const bytes = await objects.getBytes(key);
  return bytes === undefined ? [] : draftSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
}

/** Adds measurements to `done`. The first error stops all of them. */
async function measureAll(
  root: string,
  files: FoundFile[],
  done: Draft,
  measuring: Measuring,
): Promise<void> {
  let next = 0;
  let failure: { error: unknown } | undefined;
  const checkMayGoOn = () => {
    if (failure !== undefined) throw failure.error;
    if (Date.now() > measuring.deadline) throw new TimeUp();
  };
  const timer = setInterval(() => {
    measuring.check().catch((error: unknown) => {
      failure ??= { error };
    });
  }, LOOK_EVERY_MS);
  const loop = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      checkMayGoOn();
      const measured = await measureOne(root, file, measuring, checkMayGoOn);
      if (measured !== undefined) done.push({ file: measured, mtimeMs: file.mtimeMs });
    }
  };
  try {
    const ends = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, () =>
        loop().catch((error: unknown) => {
          failure ??= { error };
          throw error;
        }),
      ),
    );
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  } finally {
    clearInterval(timer);
  }
}

/** Measures one file; omits it if it was deleted in the meantime. */
async function measureOne(
  root: string,
  { path }: FoundFile,
  { hashes }: Measuring,
  checkMayGoOn: () => void,
) {
  try {
    return await measureFile(root, { path, sha256: hashes(path) }, checkMayGoOn);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

export function toManifest(files: ManifestFile[], commit: string | null): Manifest {
  const bySplit = Map.groupBy(files, ({ path }) => splitOf(path));
  const splits = [...bySplit].map(([name, own]): [string, ManifestSplit] => [
    name,
    { files: own, numFiles: own.length, numRows: addRows(own) },
  ]);
  return { version: 1, commit, splits: Object.fromEntries(splits) };
}

function addRows(files: ManifestFile[]): number | null {
  const counted = files.filter(({ rows }) => rows !== null);
  return counted.length === 0 ? null : counted.reduce((sum, { rows }) => sum + (rows ?? 0), 0);
}

export function toStats({ splits }: Manifest): Stats {
  const files = Object.values(splits).flatMap((split) => split.files);
  const byFormat = Map.groupBy(files, ({ format }) => format);
  return {
    sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    numFiles: files.length,
    formats: Object.fromEntries([...byFormat].map(([format, own]) => [format, own.length])),
    splits: Object.fromEntries(
      Object.entries(splits).map(([name, { numFiles, numRows }]) => [name, { numFiles, numRows }]),
    ),
  };
}

/** Returns the prefix of all of a dataset's objects in the object store. */
export function objectsPrefix(datasetId: string): string {
  return `datasets/${datasetId}/`;
}

export function newManifestKey(datasetId: string): string {
  return `${objectsPrefix(datasetId)}manifest-${randomUUID()}.json`;
}

export function draftKeyOf(datasetId: string, name: string): string {
  return `${objectsPrefix(datasetId)}draft-${name}.json`;
}
