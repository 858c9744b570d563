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

/** Returns a check that passed unless it found problems. */
export function result(name: ProofCheck['name'], about: string, problems: string[]): ProofCheck {
  return { name, state: problems.length === 0 ? 'passed' : 'failed', about, problems };
}
