import { Forbidden } from '../../errors.ts';
import type { FolderMount } from '../../ports/commands.ts';
import type { Records } from '../../ports/records.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import { rootOf } from '../folders.ts';
import { type Dataset, datasets, links, linksPartition } from '../schema.ts';
import { isOpenIn } from './lists.ts';

/**
 * The folder in which linked datasets appear in a workspace. It isn't on disk, so linking doesn't change the
 * workspace's directory.
 */
export const DATASETS_FOLDER = 'datasets';

export function mountPath(name: string): string {
  return `${DATASETS_FOLDER}/${name}`;
}

type Place = Pick<Workspace, 'id' | 'rootPath'>;

/** A directory and a path in it, which lib/files confines to the directory, wherever that is. */
export interface Location {
  root: string;
  path: string;
  /** Prefix of the workspace's paths before the root's paths: '' or `datasets/<name>/`. */
  prefix: string;
}

/** Returns where a path of a workspace leads: into the workspace, or into a linked dataset. */
export async function locate(records: Records, workspace: Place, path: string): Promise<Location> {
  return locateBy(workspace, path, (name) => rootOfLink(records, workspace.id, name));
}

const MAX_NAME_BYTES = 255;

/**
 * Returns a path's names unchecked: lib/files rejects paths outside the workspace, and these lead into no
 * dataset.
 */
export function namesOf(path: string): string[] {
  if (path.startsWith('/') || !path.isWellFormed()) return [path];
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return Buffer.byteLength(parts[1] ?? '') > MAX_NAME_BYTES || path.includes('\0') ? [path] : parts;
}

/** Locates many paths, looking up each dataset once. */
export function locator(records: Records, workspace: Place): (path: string) => Promise<Location> {
  const roots = new Map<string, Promise<string | undefined>>();
  return (path) =>
    locateBy(workspace, path, (name) => {
      const root = roots.get(name) ?? rootOfLink(records, workspace.id, name);
      roots.set(name, root);
      return root;
    });
}

async function locateBy(
  { rootPath }: Place,
  path: string,
  find: (name: string) => Promise<string | undefined>,
): Promise<Location> {
  const [folder, name, ...rest] = namesOf(path);
  const root = folder === DATASETS_FOLDER && name !== undefined ? await find(name) : undefined;
  if (root === undefined) return { root: rootPath, path, prefix: '' };
  return { root, path: rest.join('/'), prefix: `${mountPath(name ?? '')}/` };
}

/**
 * Returns the folder of a linked dataset's files, if the dataset is ready and everyone who may enter the
 * workspace has access to it.
 */
async function rootOfLink(records: Records, workspaceId: string, name: string): Promise<string | undefined> {
  const link = await links.get(records, { workspaceId, name });
  const dataset = link && (await datasets.get(records, { id: link.datasetId }));
  return isShown(dataset) && (await isOpenIn(records, workspaceId, dataset)) ? rootOf(dataset) : undefined;
}

function isShown(dataset: Dataset | undefined): dataset is Dataset {
  return dataset !== undefined && dataset.status === 'ready' && !dataset.deleted;
}

/** Throws Forbidden for a path of, or inside, a linked dataset, ready or not. */
export async function requireWritable(
  records: Records,
  workspaceId: string,
  path: string,
  field = 'path',
): Promise<void> {
  const [folder, name] = namesOf(path);
  if (folder !== DATASETS_FOLDER || name === undefined) return;
  if ((await links.get(records, { workspaceId, name })) !== undefined)
    throw new Forbidden('dataset_read_only', `${field} is in a linked dataset, which is read-only.`, {
      field,
    });
}

/** Returns the linked datasets as commands in the workspace see them. */
export async function commandMounts(records: Records, { id, rootPath }: Place): Promise<FolderMount[]> {
  const mounts = await mountsBelow(records, id, '');
  return mounts.map(({ name, root }) => ({ source: root, target: `${rootPath}/${mountPath(name)}` }));
}

/** Returns the linked datasets at or below a path of the workspace. */
export async function mountsBelow(
  records: Records,
  workspaceId: string,
  path: string,
): Promise<{ name: string; root: string; updatedAt: string }[]> {
  const [folder, ...deeper] = namesOf(path);
  if ((folder !== undefined && folder !== DATASETS_FOLDER) || deeper.length > 0) return [];
  const shown = (await findLinked(records, workspaceId)).filter(({ dataset }) => isShown(dataset));
  const found = await Promise.all(
    shown.map(async ({ name, dataset }) => {
      const root = (await isOpenIn(records, workspaceId, dataset)) ? await rootOf(dataset) : undefined;
      return root === undefined ? [] : [{ name, root, updatedAt: dataset.updatedAt }];
    }),
  );
  return found.flat();
}

/** Returns the datasets linked to a workspace, ready or not, by their names there. */
export async function findLinked(
  records: Records,
  workspaceId: string,
): Promise<{ name: string; dataset: Dataset }[]> {
  const names = new Map<string, string>();
  for await (const link of links.all(records, { partition: linksPartition(workspaceId) }))
    names.set(link.datasetId, link.name);
  const found = await datasets.getMany(
    records,
    [...names.keys()].map((id) => ({ id })),
  );
  return found.map((dataset) => ({ name: names.get(dataset.id) ?? '', dataset }));
}

/** Returns the items that users of the workspace may see. Until its next sync, the index may contain more. */
export async function withoutClosed<Item extends { path: string }>(
  records: Records,
  workspaceId: string,
  items: Item[],
): Promise<Item[]> {
  if (!items.some(({ path }) => path.startsWith(`${DATASETS_FOLDER}/`))) return items;
  const closed: string[] = [];
  for (const { name, dataset } of await findLinked(records, workspaceId))
    if (!(await isOpenIn(records, workspaceId, dataset))) closed.push(`${mountPath(name)}/`);
  return items.filter(({ path }) => !closed.some((folder) => `${path}/`.startsWith(folder)));
}
