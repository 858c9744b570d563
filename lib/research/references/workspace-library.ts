import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { DATASETS_FOLDER } from '../../datasets/links/mounts.ts';
import { noneIfRefused } from '../../errors.ts';
import { decodeText } from '../../formats/decode.ts';
import { isSkippedName } from '../../indexing/scan/ignore-rules.ts';
import { indexedFiles, stateOf } from '../../indexing/schema.ts';
import { confine, openInside, withDirectory } from '../../paths/confine.ts';
import { versionOf } from '../../paths/file-version.ts';
import { readAtMost } from '../../paths/read-at-most.ts';
import type { Records } from '../../ports/records.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { readBibFile } from './bib-file.ts';
import { type FindReference, type Reference, referenceFinder, toReference } from './match-entry.ts';

type Place = Pick<Workspace, 'id' | 'rootPath'>;

/** The maximum number of folders to search. A library is usually near the files, or near the top. */
const MAX_FOLDERS = 300;
const MAX_FOUND = 100;
const MAX_FILES = 20;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 24 * 1024 * 1024;
const AT_ONCE = 16;

/** Libraries are cached until they change, because several questions and reports need the same files. */
const cache = new LRUCache<string, { version: string; references: Reference[] }>({ max: 40 });

/**
 * Reads the workspace's indexed `.bib` files. Ignored files aren't indexed. The folders of the given paths
 * and their parents come first, then all others from the top.
 */
export async function readLibrary(
  records: Records,
  workspace: Place,
  paths: string[],
): Promise<FindReference> {
  const found = await findBibFiles(workspace.rootPath, paths);
  const known = await indexedFiles.getMany(
    records,
    found.map((path) => ({ workspaceId: workspace.id, path })),
  );
  const indexed = new Set(known.filter((file) => stateOf(file) === 'indexed').map(({ path }) => path));
  const room = { bytes: MAX_BYTES };
  const references: Reference[] = [];
  for (const path of found.filter((each) => indexed.has(each)).slice(0, MAX_FILES))
    references.push(...((await readFile(workspace.rootPath, path, room).catch(noneIfRefused)) ?? []));
  return referenceFinder(references);
}

/** Visits folders level by level. */
async function findBibFiles(root: string, paths: string[]): Promise<string[]> {
  const seen = new Set(['', ...paths.flatMap(foldersAbove)]);
  const found: string[] = [];
  let level = [...seen];
  for (let left = MAX_FOLDERS; level.length > 0 && left > 0 && found.length < MAX_FOUND; ) {
    const visited = level.slice(0, left);
    left -= visited.length;
    const { files, folders } = await listFolders(root, visited);
    found.push(...files.sort());
    level = folders.filter((folder) => !seen.has(folder)).sort();
    for (const folder of level) seen.add(folder);
  }
  return found.slice(0, MAX_FOUND);
}

async function listFolders(root: string, visited: string[]): Promise<{ files: string[]; folders: string[] }> {
  const found: { path: string; entry: Dirent }[] = [];
  await forEachConcurrent(visited, AT_ONCE, async (folder) => {
    const entries = await listFolder(root, folder);
    found.push(...entries.map((entry) => ({ path: [folder, entry.name].filter(Boolean).join('/'), entry })));
  });
  return {
    files: found.filter(({ path, entry }) => entry.isFile() && /\.bib$/i.test(path)).map(({ path }) => path),
    folders: found.flatMap(({ path, entry }) =>
      entry.isDirectory() && path !== DATASETS_FOLDER ? path : [],
    ),
  };
}

function foldersAbove(path: string): string[] {
  if (path.startsWith(`${DATASETS_FOLDER}/`)) return [];
  const steps = path.split('/').slice(0, -1);
  return steps.map((_, at) => steps.slice(0, at + 1).join('/')).reverse();
}

async function listFolder(root: string, folder: string): Promise<Dirent[]> {
  const location = await confine(root, folder).catch(noneIfRefused);
  if (location === undefined) return [];
  const list = (directory: string) => readdir(directory, { withFileTypes: true });
  const entries = (await withDirectory(root, location, list).catch(noneIfRefused)) ?? [];
  return entries.filter((entry) => !isSkippedName(entry.name, entry.isDirectory()));
}

async function readFile(root: string, path: string, room: { bytes: number }): Promise<Reference[]> {
  await using handle = await openInside(root, path);
  const stats = await handle.stat();
  const { size } = stats;
  if (size > Math.min(MAX_FILE_BYTES, room.bytes)) return [];
  room.bytes -= size;
  const place = `${root}/${path}`;
  const version = versionOf(stats);
  const known = cache.get(place);
  if (known?.version === version) return known.references;
  const text = decodeText(await readAtMost(handle, size)) ?? '';
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const references = readBibFile(text).map((entry) => toReference(entry, folder));
  cache.set(place, { version, references });
  return references;
}
