import type { Report } from '../schema.ts';
import type { ProofQuote, ReportFile } from './schema.ts';

/** What a check of a proof found. */
export interface ProofCheck {
  name: 'archive' | 'manifest' | 'root' | 'metadata' | 'quotes' | 'sentences' | 'text' | 'facts' | 'files';
  state: 'passed' | 'failed' | 'not_checked';
  /** What was checked, or why it wasn't. */
  about: string;
  problems: string[];
}

/** What the files of a proof say. */
export interface ProofContents {
  files: Map<string, Buffer>;
  report: Report & Pick<ReportFile, 'runId'>;
  quotes: ProofQuote[];
}

/** What a check says when it passed, and when it failed. */
interface Wording {
  passed: string;
  failed: string;
}

/** Returns a check that passed unless it found problems. */
export function result(
  name: ProofCheck['name'],
  { passed, failed }: Wording,
  problems: string[],
): ProofCheck {
  if (problems.length === 0) return { name, state: 'passed', about: passed, problems };
  return { name, state: 'failed', about: failed, problems };
}
