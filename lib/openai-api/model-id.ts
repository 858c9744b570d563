import { InvalidInput, NotFound } from '../errors.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { MAX_WORKSPACES, workspaceIdsSchema } from '../workspaces/several-schema.ts';

const PREFIX = 'workspace:';

/**
 * Returns the ID of the workspace, or those of several, that a model name means. Throws InvalidInput,
 * NotFound.
 */
export function workspaceOfModel(model: string): string | string[] {
  const id = model.startsWith(PREFIX) ? model.slice(PREFIX.length) : '';
  if (id === '')
    throw new NotFound('workspace_not_found', 'model must be the ID of a model from GET /models.', {
      field: 'model',
    });
  if (!id.includes(',')) return id;
  const ids = workspaceIdsSchema.safeParse(id.split(','));
  if (ids.success) return ids.data;
  const text = `model must name 1 to ${MAX_WORKSPACES} workspaces, separated by commas.`;
  throw new InvalidInput('invalid_value', text, { field: 'model' });
}

/** Returns the fields of POST /api/chat for the workspace of a model, or for its list. */
export function chatFieldsOf(found: Workspace | Workspace[]) {
  return Array.isArray(found) ? { workspaceIds: found.map(({ id }) => id) } : { workspaceId: found.id };
}

/** Returns the model for a workspace in the list of models. */
export function describeModel({ id, name, createdAt }: Workspace) {
  const created = Math.floor(Date.parse(createdAt) / 1000);
  return {
    id: PREFIX + id,
    object: 'model' as const,
    created,
    owned_by: 'workspace-research-service',
    name,
  };
}
