import type { StreamPart } from '../api-contract/stream-part.ts';
import type { Records } from '../ports/records.ts';
import { framesSoFar } from '../run-events/follow-frames.ts';
import type { Counts, Evidence, Looked, Report, ResearchPlan, Section } from './schema.ts';

/** The state of a report according to its run's events so far. */
export interface FoldedRun {
  plan: ResearchPlan | null;
  evidence: Evidence[];
  sections: Section[];
  /** The positions of its sections in the report. */
  places: number[];
  looked: Looked[];
  counts: Counts;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  /** Undefined until the report is finished. */
  finished: Finished | undefined;
}

/** The last part of a report. */
export interface Finished {
  /** Null for a report about several workspaces. */
  noteId: string | null;
  ended: string | null;
  report: Omit<Report, 'sections' | 'evidence' | 'looked'>;
}

export const NO_COUNTS: Counts = { sentences: 0, supported: 0, marked: 0, dropped: 0 };

/** Folds the events of a run. A report is stored only as events, so later readers get the same parts. */
export function foldFrames(frames: StreamPart[]): FoldedRun {
  const folded: FoldedRun = {
    ...{ plan: null, evidence: [], sections: [], places: [], looked: [], counts: NO_COUNTS },
    ...{ calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, finished: undefined },
  };
  for (const frame of frames) if ('data' in frame) addData(folded, frame.type, frame.data);
  return folded;
}

function addData(folded: FoldedRun, type: string, data: unknown): void {
  if (type === 'data-plan') folded.plan = (data as { plan: ResearchPlan }).plan;
  if (type === 'data-evidence') {
    const { evidence, looked } = data as { evidence: Evidence[]; looked: Looked[] };
    folded.evidence.push(...evidence);
    folded.looked.push(...looked);
  }
  if (type === 'data-section') addSection(folded, data as Placed);
  if (type === 'data-check') folded.counts = addCounts(folded.counts, (data as { counts: Counts }).counts);
  if (type === 'data-progress' || type === 'data-report') {
    const { calls, inputTokens, outputTokens, costUsd } = data as FoldedRun;
    Object.assign(folded, { calls, inputTokens, outputTokens, costUsd });
  }
  if (type === 'data-report') folded.finished = data as Finished;
}

/** A section with its position, because sections are sent in the order in which they are checked. */
interface Placed {
  section: Section;
  place: number;
}

function addSection({ sections, places }: FoldedRun, { section, place }: Placed): void {
  const at = places.filter((before) => before < place).length;
  sections.splice(at, 0, section);
  places.splice(at, 0, place);
}

export function addCounts(one: Counts, other: Counts): Counts {
  return {
    sentences: one.sentences + other.sentences,
    supported: one.supported + other.supported,
    marked: one.marked + other.marked,
    dropped: one.dropped + other.dropped,
  };
}

/** Returns the complete report; undefined until it's finished. */
export function reportOf({ finished, sections, evidence, looked }: FoldedRun): Report | undefined {
  return finished && { ...finished.report, sections, evidence, looked };
}

interface ReportChanges {
  /** The number of claims that the previous report doesn't have. */
  fresh: number;
  /** The number of quotes of the previous report that no longer appear in their sources. */
  gone: number;
}

/** Returns a refreshed report's changes since the previous one, for its first section. */
export async function changesSince(
  records: Records,
  runId: string,
  previousRunId: string,
): Promise<ReportChanges> {
  const [now, before] = await Promise.all(
    [runId, previousRunId].map(async (id) => foldFrames(await framesSoFar(records, id)).evidence),
  );
  const idsOf = (evidence: typeof now = []) => new Set(evidence.map(({ id }) => id));
  const [ids, known] = [idsOf(now), idsOf(before)];
  const fresh = (now ?? []).filter(({ id, supports }) => supports === 'yes' && !known.has(id)).length;
  return { fresh, gone: [...known].filter((id) => !ids.has(id)).length };
}
