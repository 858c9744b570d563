import { LRUCache } from 'lru-cache';
import { shareThread } from '../async/share-thread.ts';
import { DATASETS_FOLDER } from '../datasets/links/mounts.ts';
import { bibliographyPaths } from '../documents/references.ts';
import { noneIfRefused } from '../errors.ts';
import { decodeText } from '../formats/decode.ts';
import { openInside } from '../paths/confine.ts';
import { versionOf } from '../paths/file-version.ts';
import { readAtMost } from '../paths/read-at-most.ts';
import type { Records } from '../ports/records.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { Reference } from './match-entry.ts';
import { readBibliography } from './read-bibliography.ts';

const MAX_FILES = 20;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_BYTES = 24 * 1024 * 1024;

interface CachedLibrary {
  version: string;
  references: Reference[];
  bytes: number;
}

/** Bibliographies are read again only if they changed, because several questions and reports need the same files. */
const cache = new LRUCache<string, CachedLibrary>({
  maxSize: 2 * MAX_BYTES,
  sizeCalculation: ({ bytes }) => bytes + 1,
});

/** Reads the entries of the workspace's bibliographies, those near the top first. Linked datasets are left out. */
export async function readLibrary(
  records: Records,
  { id, rootPath }: Pick<Workspace, 'id' | 'rootPath'>,
): Promise<Reference[]> {
  const room = { bytes: MAX_BYTES };
  const paths = (await bibliographyPaths(records, id))
    .filter((path) => !path.startsWith(`${DATASETS_FOLDER}/`))
    .sort((one, other) => one.split('/').length - other.split('/').length || (one < other ? -1 : 1));
  const references: Reference[] = [];
  for (const path of paths.slice(0, MAX_FILES))
    references.push(...((await readFile(rootPath, path, room).catch(noneIfRefused)) ?? []));
  return references;
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
  const references: Reference[] = [];
  const share = shareThread();
  for (const reference of readBibliography(path, decodeText(await readAtMost(handle, size)) ?? '')) {
    await share();
    references.push(reference);
  }
  cache.set(place, { version, references, bytes: size });
  return references;
}
