import type { Commit, Repositories } from '../ports/repositories.ts';
import { invalidCursor } from '../records/cursor.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { requireRepository } from './changes.ts';

/**
 * Maximum number of commits before a page. Without a git program, all of them are read again for each page.
 */
const MAX_SKIPPED = 10_000;

/**
 * Returns a page of the commits of HEAD. A cursor contains the number of commits before the page and the hash
 * of the last of them, which must still be at that position. It's only compared, so no cursor can read
 * commits of another branch. Throws InvalidInput.
 */
export async function listCommits(
  { repositories }: { repositories: Pick<Repositories, 'log'> },
  { rootPath }: Workspace,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ commits: Commit[]; cursor?: string }> {
  const { skipped, last } = readLogCursor(cursor);
  const before = last === undefined ? 0 : 1;
  const range = { skip: skipped - before, most: before + limit + 1 };
  const found = requireRepository(await repositories.log(rootPath, range));
  if (last !== undefined && found[0]?.hash !== last) throw invalidCursor();
  const commits = found.slice(before, before + limit);
  const end = skipped + commits.length;
  const hasMore = found.length > before + limit && end <= MAX_SKIPPED;
  return { commits, ...(hasMore && { cursor: `${end}-${commits.at(-1)?.hash}` }) };
}

function readLogCursor(cursor: string | undefined): { skipped: number; last: string | undefined } {
  if (cursor === undefined) return { skipped: 0, last: undefined };
  const [, skipped, last] = /^([1-9]\d{0,4})-([0-9a-f]{40,64})$/.exec(cursor) ?? [];
  if (skipped === undefined || Number(skipped) > MAX_SKIPPED) throw invalidCursor();
  return { skipped: Number(skipped), last };
}
