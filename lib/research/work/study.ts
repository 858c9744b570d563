import { type QuotableFile, readQuotable, type SourcePorts } from '../../retrieval/cite/sources.ts';
import type { SearchPorts } from '../../retrieval/search.ts';
import type { Asking } from '../../runs/steps/ask-model.ts';
import type { SayOnce } from '../../runs/steps/resumable-parts.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { Depth } from '../depths.ts';
import type { ResearchPorts } from '../ports.ts';
import type { StudyRequest } from '../run-records.ts';
import type { Evidence } from '../schema.ts';
import type { Earlier } from './earlier-report.ts';

/** A research run while a process works on it. */
export interface Study extends Asking {
  /** The workspace of the run, in which papers and web pages are saved. */
  workspace: Workspace;
  /** All workspaces, if there are several. */
  workspaces: Workspace[] | undefined;
  request: StudyRequest;
  depth: Depth;
  ports: ResearchPorts;
  search: SearchPorts;
  /** The report that it continues. */
  earlier: Earlier | undefined;
  say: SayOnce;
  /** The progress to show. */
  at: { phase: string; done: number; total: number; reading?: string };
}

/** The workspaces of a study. */
export type Places = Pick<Study, 'workspace' | 'workspaces'>;

/** Returns the workspace of a file; undefined if the study isn't about it. */
export function workspaceOf(
  { workspace, workspaces = [workspace] }: Places,
  { workspaceId = workspace.id }: Pick<Evidence, 'workspaceId'>,
): Workspace | undefined {
  return workspaces.find(({ id }) => id === workspaceId);
}

/** Reads a source in its workspace. Undefined if it is deleted or unreadable. */
export async function readSource(
  { ports, ...places }: Places & { ports: SourcePorts },
  file: Pick<Evidence, 'workspaceId' | 'path'>,
): Promise<QuotableFile | undefined> {
  const workspace = workspaceOf(places, file);
  return workspace && readQuotable(ports, workspace, file.path);
}

/** Starts a phase with this many units of work. */
export function beginPhase(study: Study, phase: string, total: number): void {
  study.at = { phase, done: 0, total };
}
