import { allDocuments, documentsAt } from '../documents/documents.ts';
import { InvalidInput } from '../errors.ts';
import { indexes } from '../passages/search-space.ts';
import type { Records } from '../ports/records.ts';
import { plainPath } from '../retrieval/scope-schema.ts';
import { requireWorkspace } from '../workspaces/access.ts';
import { matchesGlob } from './matches-glob.ts';
import type { RowsInput } from './request-schema.ts';
import { MAX_ROWS } from './schema.ts';

/**
 * Returns the indexed files that a request names, in order. Throws InvalidInput if there are none, too many, or if one
 * isn't indexed.
 */
export async function chosenPaths(
  records: Records,
  workspaceId: string,
  { paths, glob }: RowsInput,
  field: string,
): Promise<string[]> {
  if (paths === undefined) {
    const matching = await pathsMatching(records, workspaceId, glob ?? '');
    if (matching.length > 0 && matching.length <= MAX_ROWS) return matching;
    const problem =
      matching.length === 0
        ? 'no indexed file'
        : `${matching.length} files, and a table has at most ${MAX_ROWS}`;
    throw new InvalidInput('invalid_value', `${field}.glob matches ${problem}.`, { field: `${field}.glob` });
  }
  const plain = [...new Set(paths.map(plainPath))];
  const known = await documentsAt(records, await requireWorkspace(records, workspaceId), plain);
  const missing = plain.find((path) => !known.has(path));
  if (missing === undefined) return plain;
  throw new InvalidInput(
    'invalid_value',
    `${field}.paths has a file that is not indexed: ${missing.slice(0, 300)}`,
    {
      field: `${field}.paths`,
    },
  );
}

/** Returns the indexed files whose paths match a pattern, by path. */
export async function pathsMatching(records: Records, workspaceId: string, glob: string): Promise<string[]> {
  const stamp = await indexStamp(records, workspaceId);
  const found: string[] = [];
  for await (const { path } of allDocuments(records, workspaceId, stamp))
    if (matchesGlob(path, glob)) found.push(path);
  return found.sort();
}

/** Returns a text that changes with each commit of the workspace's index. */
export async function indexStamp(records: Records, workspaceId: string): Promise<string> {
  return JSON.stringify((await indexes.get(records, { workspaceId })) ?? null);
}
