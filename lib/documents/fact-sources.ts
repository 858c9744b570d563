import { ifExpected, type Records } from '../ports/records.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';

/** The workspace of documents, with the sources of facts that only few workspaces have. */
export type FactSources = Pick<Workspace, 'id' | 'hasBibliographies' | 'hasWebPages'>;

/**
 * Stores that a workspace has a source of facts, so that searches in all others don't read its records. Called before
 * the first of them is stored. Never reversed, because another process may be storing the next one.
 */
export async function addFactSource(
  records: Records,
  workspace: FactSources,
  source: 'hasBibliographies' | 'hasWebPages',
): Promise<void> {
  const { id } = workspace;
  if (workspace[source]) return;
  await ifExpected(workspaces.update(records, { id }, { set: { [source]: true } }, { id }));
}
