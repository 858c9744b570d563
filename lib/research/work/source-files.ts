import { type QuotableFile, readQuotable, type SourcePorts } from '../../retrieval/cite/sources.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { Evidence } from '../schema.ts';

/** The workspaces of a report. */
export interface Places {
  /** The workspace of the run, in which papers and web pages are saved. */
  workspace: Workspace;
  /** All workspaces, if there are several. */
  workspaces: Workspace[] | undefined;
}

/** Returns the workspace of a file; undefined if the report isn't about it. */
export function workspaceOf(
  { workspace, workspaces = [workspace] }: Places,
  { workspaceId = workspace.id }: Pick<Evidence, 'workspaceId'>,
): Workspace | undefined {
  return workspaces.find(({ id }) => id === workspaceId);
}

/** Reads a source in its workspace. Undefined if it is deleted or unreadable. */
export async function readStudied(
  { ports, ...places }: Places & { ports: SourcePorts },
  file: Pick<Evidence, 'workspaceId' | 'path'>,
): Promise<QuotableFile | undefined> {
  const workspace = workspaceOf(places, file);
  return workspace && readQuotable(ports, workspace, file.path);
}
