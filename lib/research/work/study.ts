import type { Run } from '../../agent/schema.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { LanguageModel } from '../../ports/language-model.ts';
import type { SearchPorts } from '../../retrieval/search.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { Depth } from '../depths.ts';
import type { ResearchPorts } from '../ports.ts';
import type { StudyRequest } from '../run-records.ts';
import type { Earlier } from './earlier-report.ts';
import type { StudyLimits } from './limits.ts';
import type { StoredSteps } from './steps.ts';

/** A research run while a process works on it. */
export interface Study {
  run: Run;
  workspace: Workspace;
  request: StudyRequest;
  depth: Depth;
  ports: ResearchPorts;
  model: LanguageModel;
  search: SearchPorts;
  steps: StoredSteps;
  limits: StudyLimits;
  /** The report that it continues. */
  earlier: Earlier | undefined;
  signal: AbortSignal;
  /** Throws if nothing may be started any longer: another process has the run, or this process' time is over (HandOver). */
  requireMayGoOn(): void;
  /** Sends a part once: not again after another process has sent the one with its id. */
  say(part: StreamPart & { id: string }): void;
  /** The progress shown while work is in progress. */
  at: { phase: string; done: number; total: number; reading?: string };
}

/** Starts a phase of so many units of work. */
export function beginPhase(study: Study, phase: string, total: number): void {
  study.at = { phase, done: 0, total };
}
