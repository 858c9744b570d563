import { forEachConcurrent } from '../../async/for-each-concurrent.ts';
import { shareThread } from '../../async/share-thread.ts';
import { entryFolder, entryName } from '../../paths/entry-path.ts';
import { hasCode } from '../../paths/file-errors.ts';
import { Changing, type Pack } from './copies.ts';
import { atEntry, type EntryState, type FileEntry, type WhyNotKept } from './entry-state.ts';
import { KEPT_LIMITS } from './kept-limits.ts';
import type { TreeList } from './manifest.ts';

const COPIES_AT_ONCE = 16;

type Renewed = [path: string, state: EntryState];
type FoundFile = [path: string, found: FileEntry];

/** Copies the files among changed entries. Where not all have room, the smallest are copied: they are what people write. */
export async function copyChanged(
  root: string,
  manifest: TreeList,
  changed: Map<string, EntryState>,
): Promise<Renewed[]> {
  const [renewed, files]: [Renewed[], FoundFile[]] = [[], []];
  for (const [path, state] of changed) {
    if (state.kind === 'file') files.push([path, state]);
    else renewed.push([path, state]);
  }
  const { fitting, others } = await chooseFitting(manifest, changed, files);
  const small = fitting.filter(([, found]) => manifest.copies.isSmall(found));
  const large = fitting.filter(([, found]) => !manifest.copies.isSmall(found));
  return [
    ...renewed,
    ...others,
    ...(await packAll(root, manifest, small)),
    ...(await copyAll(root, manifest, large)),
  ];
}

async function chooseFitting(manifest: TreeList, changed: Map<string, EntryState>, files: FoundFile[]) {
  let left = (await manifest.room()) - manifest.bytes;
  for (const path of changed.keys()) {
    const old = manifest.get(path);
    if (old?.kind === 'file' && old.copy !== undefined) left += old.size;
  }
  const [fitting, others]: [FoundFile[], Renewed[]] = [[], []];
  for (const [path, found] of files.sort(([, one], [, other]) => one.size - other.size)) {
    left -= found.size;
    if (left >= 0 && found.size <= KEPT_LIMITS.fileBytes) fitting.push([path, found]);
    else others.push([path, { ...found, why: found.size > KEPT_LIMITS.fileBytes ? 'too_large' : 'limit' }]);
  }
  return { fitting, others };
}

async function packAll(root: string, manifest: TreeList, files: FoundFile[]): Promise<Renewed[]> {
  const pack = manifest.copies.startPack();
  const renewed: Renewed[] = [];
  try {
    for (const some of inFolders(files))
      for (const one of await packFolder(root, pack, some)) renewed.push(one);
  } finally {
    if (!manifest.copies.endPack(pack))
      for (const entry of renewed)
        if (entry[1].kind === 'file') entry[1] = { ...entry[1], copy: undefined, why: 'limit' };
  }
  return renewed;
}

function inFolders(files: FoundFile[]): FoundFile[][] {
  return [...Map.groupBy(files, ([path]) => entryFolder(path)).values()];
}

/** Opens the folder once. */
async function packFolder(root: string, pack: Pack, files: FoundFile[]): Promise<Renewed[]> {
  const share = shareThread();
  const renewed: Renewed[] = [];
  const first = files[0]?.[0] ?? '';
  try {
    await atEntry(root, first, async (entry) => {
      for (const [path, found] of files) {
        await share();
        renewed.push([path, packOne(pack, `${entryFolder(entry)}/${entryName(path)}`, found)]);
      }
    });
  } catch (error) {
    for (const [path, found] of files.slice(renewed.length)) renewed.push([path, withoutCopy(found, error)]);
  }
  return renewed;
}

function packOne(pack: Pack, entry: string, found: FileEntry): EntryState {
  try {
    return { ...found, ...pack.add(entry, found) };
  } catch (error) {
    return withoutCopy(found, error);
  }
}

async function copyAll(root: string, manifest: TreeList, files: FoundFile[]): Promise<Renewed[]> {
  const renewed: Renewed[] = [];
  await forEachConcurrent(files, COPIES_AT_ONCE, async ([path, found]) => {
    const state = await atEntry(root, path, (entry) => manifest.copies.add(entry, found)).then(
      (copied) => ({ ...found, ...copied }),
      (error: unknown) => withoutCopy(found, error),
    );
    renewed.push([path, state]);
  });
  return renewed;
}

/** The next look tries again where the version is one that nothing has. */
function withoutCopy(found: FileEntry, error: unknown): FileEntry {
  if (error instanceof Changing) return { ...found, version: '', why: 'changing' };
  const why: WhyNotKept = hasCode(error, 'ENOSPC', 'EDQUOT') ? 'limit' : 'unreadable';
  return { ...found, why };
}
