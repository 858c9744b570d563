import { allDocuments, documentsAt } from '../documents/documents.ts';
import { InvalidInput } from '../errors.ts';
import { indexes } from '../passages/search-space.ts';
import type { Records } from '../ports/records.ts';
import { plainPath } from '../retrieval/scope-schema.ts';
import { sourceFolder } from '../sources/plan.ts';
import { findSource } from '../sources/sources.ts';
import { requireWorkspace } from '../workspaces/access.ts';
import { matchesGlob } from './matches-glob.ts';
import type { RowsInput } from './request-schema.ts';
import { MAX_ROWS } from './schema.ts';

/**
 * Returns the indexed files that a request names, in order, and their pattern. Throws InvalidInput if there are none,
 * too many, or if one isn't indexed, and NotFound for a source that doesn't exist.
 */
export async function chosenRows(
  records: Records,
  workspaceId: string,
  { paths, glob, sourceId }: RowsInput,
  field: string,
): Promise<{ paths: string[]; glob: string | null }> {
  if (paths !== undefined)
    return { paths: await requireIndexed(records, workspaceId, paths, field), glob: null };
  const pattern =
    sourceId === undefined
      ? (glob ?? '')
      : `${sourceFolder((await findSource(records, workspaceId, sourceId)).name)}/**`;
  const matching = await pathsMatching(records, workspaceId, pattern);
  if (matching.length > 0 && matching.length <= MAX_ROWS) return { paths: matching, glob: pattern };
  const problem =
    matching.length === 0
      ? 'no indexed file'
      : `${matching.length} files, and a table has at most ${MAX_ROWS}`;
  const at = `${field}.${sourceId === undefined ? 'glob' : 'sourceId'}`;
  throw new InvalidInput('invalid_value', `${at} matches ${problem}.`, { field: at });
}

async function requireIndexed(
  records: Records,
  workspaceId: string,
  paths: string[],
  field: string,
): Promise<string[]> {
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
