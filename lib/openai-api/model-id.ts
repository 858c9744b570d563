import { InvalidInput, NotFound } from '../errors.ts';
import type { Workspace } from '../workspaces/schema.ts';

const PREFIX = 'workspace:';

/** Returns the ID of the workspace that a model name stands for. Throws InvalidInput, NotFound. */
export function workspaceOfModel(model: string): string {
  const id = model.startsWith(PREFIX) ? model.slice(PREFIX.length) : '';
  if (id === '')
    throw new NotFound('workspace_not_found', 'model must be the ID of a model from GET /models.', {
      field: 'model',
    });
  if (!id.includes(',')) return id;
  throw new InvalidInput('unsupported_parameter', 'model can name only one workspace.', { field: 'model' });
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
