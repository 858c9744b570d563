import type { Entry } from '../tree-rows.ts';

/** Returns which of the new files exist already; each folder is listed once. */
export async function alreadyThere(
  dropped: readonly { path: string }[],
  listed: (folder: string) => Promise<readonly Pick<Entry, 'path'>[]>,
): Promise<string[]> {
  const folders = new Set(dropped.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  const found = new Set<string>();
  for (const folder of folders) for (const { path } of await listed(folder)) found.add(path);
  return dropped.flatMap(({ path }) => (found.has(path) ? [path] : []));
}
