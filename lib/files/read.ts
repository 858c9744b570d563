import { createReadStream, type Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { compareNames } from '../api-contract/compare-names.ts';
import { InvalidInput, NotFound, TooLarge } from '../errors.ts';
import { formatOf } from '../formats/all-formats.ts';
import { decodeWithName } from '../formats/decode.ts';
import { confine, openInside, storedPath, withDirectory } from '../paths/confine.ts';
import { fileError } from '../paths/file-errors.ts';
import { sha256 } from '../paths/hash.ts';
import { statAll } from '../paths/stat-all.ts';
import { isTempName } from '../paths/temp-name.ts';
import { invalidCursor } from '../records/cursor.ts';
import { type BrowseQuery, type Entry, type FileContent, MAX_READ_BYTES } from './schema.ts';

/**
 * Lists a directory, directories first, then by name. A link appears as its target; a link whose target is
 * missing or outside the workspace is omitted. The cursor is the last name of the previous page. `mounted`
 * entries are added, and replace entries of the same name; with them, the directory itself may be missing.
 */
export async function browse(
  root: string,
  { path, hidden, limit, cursor }: Omit<BrowseQuery, 'workspaceId'>,
  mounted: Entry[] = [],
): Promise<{ items: Entry[]; cursor?: string }> {
  const shown = mounted.filter(({ name }) => isShown(name, hidden));
  const own = await readEntries(root, path, hidden).catch((error: unknown) => {
    if (mounted.length > 0 && error instanceof NotFound) return [];
    throw error;
  });
  const names = new Set(shown.map(({ name }) => name));
  const sorted = [...own.filter(({ name }) => !names.has(name)), ...shown].sort(byTypeThenName);
  const start = cursor === undefined ? 0 : afterCursor(sorted, cursor);
  const items = sorted.slice(start, start + limit);
  const more = start + limit < sorted.length;
  return { items, cursor: more ? makeCursor(items.at(-1)) : undefined };
}

async function readEntries(root: string, path: string, hidden: boolean): Promise<Entry[]> {
  const directory = await confine(root, path);
  const folder = await storedPath(root, path);
  const prefix = folder === '' ? '' : `${folder}/`;
  return withDirectory(root, directory, async (open) => {
    const names = (await readdir(open)).filter((name) => isShown(name, hidden));
    const stats = await statAll(names.map((name) => `${open}/${name}`));
    return describeAll(root, prefix, names, stats);
  }).catch(notDirectory);
}

function notDirectory(error: unknown): never {
  if (error instanceof NotFound && error.code === 'parent_not_a_directory')
    throw new InvalidInput('not_a_directory', "path isn't a directory.", { field: 'path' });
  return fileError(error);
}

function isShown(name: string, hidden: boolean): boolean {
  return !isTempName(name) && (hidden || !name.startsWith('.'));
}

/** Only a link needs another stat. */
async function describeAll(
  root: string,
  prefix: string,
  names: string[],
  stats: (Stats | undefined)[],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [index, name] of names.entries()) {
    const own = stats[index];
    const found = own?.isSymbolicLink() ? await followLink(root, prefix + name) : own;
    if (found?.isFile() || found?.isDirectory()) entries.push(toEntry(prefix, name, found));
  }
  return entries;
}

function toEntry(prefix: string, name: string, stats: Stats): Entry {
  const isDirectory = stats.isDirectory();
  return {
    name,
    path: prefix + name,
    type: isDirectory ? 'directory' : 'file',
    size: isDirectory ? 0 : stats.size,
    modifiedAt: new Date(stats.mtimeMs).toISOString(),
  };
}

async function followLink(root: string, path: string) {
  try {
    return await stat(await confine(root, path));
  } catch {
    return undefined;
  }
}

function byTypeThenName(a: Entry, b: Entry): number {
  if (a.type !== b.type) return a.type === 'directory' ? -1 : 1;
  return compareNames(a.name, b.name);
}

function makeCursor(last: Entry | undefined): string | undefined {
  return last && Buffer.from(JSON.stringify([last.type, last.name])).toString('base64url');
}

function afterCursor(sorted: Entry[], cursor: string): number {
  const [type, name] = parseCursor(cursor);
  const last = { type, name } as Entry;
  const next = sorted.findIndex((entry) => byTypeThenName(last, entry) < 0);
  return next === -1 ? sorted.length : next;
}

function parseCursor(cursor: string): [string, string] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length === 2) return [String(parsed[0]), String(parsed[1])];
  } catch {
    // the cursor is invalid, and rejected below
  }
  throw invalidCursor();
}

/**
 * Returns a whole file: text of a known format as text, whatever its encoding; anything else as base64. Throws TooLarge
 * over 5 MB.
 */
export async function readWhole(root: string, path: string): Promise<FileContent> {
  await using handle = await openInside(root, path);
  const { size, mtime } = await handle.stat();
  if (size > MAX_READ_BYTES)
    throw new TooLarge('file_too_large', 'The file is over 5 MB. Read it through GET /api/files/raw.');
  const bytes = await readFile(handle);
  if (bytes.length > MAX_READ_BYTES)
    throw new TooLarge('file_too_large', 'The file grew over 5 MB while it was read.');
  const written = { path: await storedPath(root, path), size: bytes.length, modifiedAt: mtime.toISOString() };
  return { ...written, hash: await sha256(bytes), ...encode(bytes, path) };
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function encode(bytes: Buffer, path: string): Pick<FileContent, 'content' | 'encoding'> {
  const isText = (formatOf(path)?.content ?? 'encoded') !== 'encoded';
  const decoded = isText ? decodeWithName(bytes) : undefined;
  if (decoded !== undefined && decoded.encoding !== 'utf-8')
    return { content: decoded.text, encoding: decoded.encoding };
  try {
    return { content: strictUtf8.decode(bytes), encoding: 'utf-8' };
  } catch {
    // Decoding as UTF-8 with broken characters would lose the original bytes.
    return { content: bytes.toString('base64'), encoding: 'base64' };
  }
}

export interface RawFile {
  size: number;
  mtimeMs: number;
  etag: string;
  /** Streams the bytes from `start` to `end`, inclusive, of the opened file, even if its name changes. */
  stream(start: number, end: number): Readable;
  close(): Promise<void>;
}

export async function openRaw(root: string, path: string): Promise<RawFile> {
  const handle = await openInside(root, path);
  const { size, mtimeMs, ino } = await handle.stat();
  return {
    size,
    mtimeMs,
    etag: `"${[ino, size, Math.round(mtimeMs * 1000)].map((part) => part.toString(36)).join('-')}"`,
    stream: (start, end) => createReadStream('', { fd: handle, start, end, autoClose: true }),
    close: () => handle.close(),
  };
}
