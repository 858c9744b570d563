import { extensionsOf } from '../../api-contract/file-kinds.ts';
import { allDocuments } from '../../documents/documents.ts';
import type { SearchIndex } from '../../passages/search-space.ts';
import type { Records } from '../../ports/records.ts';
import type { SearchScope } from '../../ports/vectors.ts';
import type { SearchFilter } from './filter-schema.ts';
import { documentMatcher } from './match-document.ts';

/**
 * Returns the scope of a search with the files of a workspace that match a filter. The index applies it before it
 * ranks, so a few files among thousands are all found.
 */
export async function filteredScope(
  records: Records,
  index: SearchIndex,
  filter: SearchFilter = {},
  scope: SearchScope = {},
): Promise<SearchScope> {
  const byName = scopeByName(filter, scope);
  if (byName !== undefined) return byName;
  const matches = documentMatcher(filter);
  const files: string[] = [];
  for await (const document of allDocuments(records, index.workspaceId, JSON.stringify(index)))
    if (matches(document)) files.push(document.path);
  return { ...scope, files };
}

/** Returns the scope of a filter that needs only names, without reading a record; undefined if others are needed. */
function scopeByName({ kind, path, ...facts }: SearchFilter, scope: SearchScope): SearchScope | undefined {
  const isLimitedTwice = Boolean((path && scope.paths) || (kind && scope.extensions));
  const needsFacts = kind === 'other' || Object.values(facts).some((fact) => fact !== undefined);
  if (isLimitedTwice || needsFacts) return undefined;
  return { ...scope, ...(path && { paths: [path] }), ...(kind && { extensions: extensionsOf(kind) }) };
}
