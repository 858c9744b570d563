import type { LanguageModel, ProviderId } from '../ports/language-model.ts';
import type { Use } from '../usage/schema.ts';
import type { Workspace } from '../workspaces/schema.ts';

interface AskedPlaces {
  /** The workspace that gets the conversation and the usage. */
  workspace: Workspace;
  /** All workspaces, if the request names a list. */
  workspaces: Workspace[] | undefined;
}

/** Returns the workspaces of a question. A request names a single one, or a list that isn't empty. */
export function placesOf(asked: Workspace | Workspace[]): AskedPlaces {
  if (!Array.isArray(asked)) return { workspace: asked, workspaces: undefined };
  const [workspace] = asked as [Workspace];
  return { workspace, workspaces: asked };
}

/** Returns the IDs to store with something about these workspaces: that of the first, and all if there are several. */
export function placedIn(workspaces: readonly [Workspace, ...Workspace[]]) {
  const workspaceIds = workspaces.map(({ id }) => id);
  return { workspaceId: workspaces[0].id, ...(workspaceIds.length > 1 && { workspaceIds }) };
}

interface ModelPorts {
  openModel(use: Use, choice?: { provider: ProviderId; model: string }): LanguageModel;
}

/** Throws OverBudget if the budget of a workspace after the first is used up. */
export async function admitOthers(
  ports: ModelPorts,
  use: Use,
  workspaces: Workspace[] = [],
  choice?: { provider: ProviderId; model: string },
): Promise<void> {
  for (const { id } of workspaces.slice(1))
    await ports.openModel({ ...use, workspaceId: id }, choice).admit?.();
}
