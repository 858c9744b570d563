import { PAGES_FOLDER, storeOrigin } from '../documents/provenance.ts';
import { Conflict } from '../errors.ts';
import { writeUnlessOther } from '../files/sources-folder.ts';
import { touchChanged } from '../indexing/enqueue.ts';
import { sha256 } from '../paths/hash.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { SavePagePorts } from './ports.ts';

/** The contents of a page, as fetched. */
export interface FetchedPage {
  /** The URL that names the file. */
  url: string;
  /** The URL of the contents, after redirects. */
  finalUrl: string;
  /** Without a dot: `html`. */
  extension: string;
  bytes: Buffer;
  hash: string;
  fetchedAt: string;
}

/** Returns the path that a page is saved at, unless another file is there. */
export async function pagePath(page: FetchedPage): Promise<string> {
  const [path] = await pathsFor(page);
  return path;
}

/**
 * Saves a page as a file of the workspace with its origin, and notifies the index. Returns its path. Earlier contents of
 * the page stay next to the current ones, and next to a user's edits, because citations refer to them. Throws Conflict,
 * and the errors of writing.
 */
export async function savePage(
  ports: SavePagePorts,
  workspace: Workspace,
  page: FetchedPage,
): Promise<string> {
  const { id, rootPath } = workspace;
  const { bytes, hash, finalUrl, fetchedAt } = page;
  const paths = await pathsFor(page);
  await storeOrigin(ports.records, workspace, hash, { url: finalUrl, fetchedAt });
  for (const path of paths) {
    if (!(await writeUnlessOther(rootPath, path, bytes, hash))) continue;
    await touchChanged(ports, id, [path]);
    return path;
  }
  throw new Conflict('path_exists', `${paths[0]} is another file. Rename or move it.`);
}

/** Returns a readable name that is unique per URL and contents, and one for a place that another file has taken. */
async function pathsFor({ url, hash, extension }: FetchedPage): Promise<[string, string]> {
  const { hostname, pathname } = new URL(url);
  const words = `${hostname}${pathname}`.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 60);
  const name = `${PAGES_FOLDER}/${words}-${(await sha256(Buffer.from(url))).slice(0, 8)}`;
  return [`${name}-${hash.slice(0, 8)}.${extension}`, `${name}-${hash}.${extension}`];
}
