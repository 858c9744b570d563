import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import { flush } from '../../lib/paths/flush.ts';

/** A backup holds this file, and beside it `data`, the data folder as it was. */
export const MANIFEST = 'manifest.json';
export const DATA = 'data';
/** The records, inside `data`. */
export const DATABASE = 'service.sqlite';

/** What cannot be done, in words: backups are made at the keyboard. */
export class BackupError extends ServiceError {
  constructor(message: string) {
    super(400, message);
  }
}

const mode = z.int().min(0).max(0o7777);
const path = z.string().min(1).refine(isPlain, 'is no path inside a backup');
export const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('folder'), path, mode }),
  z.object({ type: z.literal('file'), path, mode, size: z.int(), sha256: z.string() }),
  z.object({ type: z.literal('link'), path, target: z.string() }),
]);
export type Entry = z.infer<typeof entrySchema>;

const manifestSchema = z.object({
  version: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The release of the service that made it. */
  release: z.string(),
  /** Where it lay: workspaces in it move along to where it is restored. */
  dataDir: z.string(),
  /** A folder before what lies in it. */
  entries: z.array(entrySchema).refine(areInFolders, 'an entry lies in no folder of the backup'),
  /** What could not be read. */
  leftOut: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Refuses entries below a link: a backup may come from anybody, and would write wherever its links lead. The database,
 * which a restore opens and changes, may not be a link either.
 */
function areInFolders(entries: Entry[]): boolean {
  const folders = new Set(['.']);
  return entries.every(({ type, path }) => {
    if (type === 'folder') folders.add(path);
    return folders.has(dirname(path)) && !(type !== 'file' && path.startsWith(DATABASE));
  });
}

function isPlain(text: string): boolean {
  return (
    text.split('/').every((name) => name !== '' && name !== '.' && name !== '..') && !text.includes('\0')
  );
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = join(folder, MANIFEST);
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(manifest)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await flush(folder);
}

/** Throws in words where there is none, or one that is damaged: the manifest is what makes a folder a backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new BackupError(`${folder} is no backup, or not a whole one: it has no ${MANIFEST}`);
  const parsed = manifestSchema.safeParse(parse(text));
  if (!parsed.success)
    throw new BackupError(`${join(folder, MANIFEST)} is damaged, or of another version of wrs`);
  return parsed.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function sumOf(entries: Entry[]): { files: number; bytes: number } {
  const files = entries.filter((entry) => entry.type === 'file');
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}
