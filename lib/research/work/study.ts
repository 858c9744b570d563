import type { SearchPorts } from '../../retrieval/search.ts';
import type { Asking } from '../../runs/steps/ask-model.ts';
import type { SayOnce } from '../../runs/steps/resumable-parts.ts';
import type { Depth } from '../depths.ts';
import type { ResearchPorts } from '../ports.ts';
import type { StudyRequest } from '../run-records.ts';
import type { Earlier } from './earlier-report.ts';
import type { Places } from './source-files.ts';

/** A research run while a process works on it. */
export interface Study extends Asking, Places {
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

/** Starts a phase with this many units of work. */
export function beginPhase(study: Study, phase: string, total: number): void {
  study.at = { phase, done: 0, total };
}
