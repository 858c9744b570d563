import type { Options, Values } from './command.ts';
import { findNamed, listWorkspaces, type Place } from './workspace.ts';

/** The option for further workspaces of a request. */
export const ALSO_OPTIONS = { also: { type: 'string', multiple: true } } as const satisfies Options;
export const ALSO_TEXTS = { also: 'name or ID of another workspace to search as well; can be repeated' };

/** Returns the workspaces of a request: the chosen one, and those that `--also` names. */
export async function readAsked(
  { client, workspace }: Pick<Place, 'client' | 'workspace'>,
  { also }: Values,
): Promise<{ workspaceId: string } | { workspaceIds: string[] }> {
  if (!Array.isArray(also) || also.length === 0) return { workspaceId: workspace.id };
  const all = await listWorkspaces(client);
  return { workspaceIds: [workspace.id, ...also.map((name) => findNamed(all, name).id)] };
}
