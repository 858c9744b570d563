import { type Caller, isAdminOfAll } from '../access/caller.ts';
import { type Finding, isPossibleError } from '../api-contract/findings.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';
import type { ErrorCode } from '../error-codes.ts';
import { NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { framesSoFar } from '../run-events/follow-frames.ts';
import { findRun, isOwnRun, RUN_ERRORS } from '../runs/runs.ts';
import type { Run } from '../runs/schema.ts';
import { readSteps } from '../runs/steps/stored-steps.ts';
import type { StepsUsage } from '../runs/steps/stored-work.ts';
import { checkAlive } from '../runs/sweep.ts';
import { findWorkspaces } from '../workspaces/access.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { ReadDraft } from './draft/draft.ts';
import { type CheckRequest, requestOf } from './draft-checks.ts';
import type { BeginCheckPorts } from './ports.ts';
import type { CheckedReference, CheckedSentence, DraftCheck, VerdictCounts } from './request-schema.ts';
import type { ClaimVerdict, JudgeError } from './schema.ts';
import { readStoredDraft } from './stored-draft.ts';
import { describeVerdict } from './word-verdict.ts';

/** The error codes of a request that names a check. */
export const CHECK_ERRORS = [...RUN_ERRORS, 'draft_check_not_found'] as const satisfies ErrorCode[];

export interface FoundCheck {
  run: Run;
  request: CheckRequest;
  workspaces: Workspace[];
}

/**
 * Finds a check for a caller with access to every workspace that it searched, because its quotes come from
 * all of them. Only the user who started a private check, and global administrators, can find it. Throws
 * NotFound, and the errors of findWorkspace.
 */
export async function findCheck(records: Records, caller: Caller, runId: string): Promise<FoundCheck> {
  const run = await findRun(records, caller, runId);
  const request = await requireRequest(records, run);
  const workspaces = await findWorkspaces(records, caller, request.workspaceIds);
  if (request.isPrivate && !isOwnRun(run, caller) && !isAdminOfAll(caller)) throw checkNotFound();
  return { run, request, workspaces };
}

/** Returns the request of a check whose draft hasn't been deleted. Throws NotFound. */
export async function requireRequest(records: Records, run: Run): Promise<CheckRequest> {
  const request = await requestOf(records, run);
  if (request === undefined) throw checkNotFound();
  return request;
}

function checkNotFound(): NotFound {
  return new NotFound('draft_check_not_found', 'This draft check does not exist.');
}

const UNREAD: Pick<ReadDraft, 'text' | 'sentences' | 'claims' | 'listed'> = {
  ...{ text: '', sentences: [], claims: [], listed: [] },
};

/** Returns the check as the API shows it. */
export async function describeCheck(ports: BeginCheckPorts, found: FoundCheck): Promise<DraftCheck> {
  const { request } = found;
  const run = await checkAlive(ports, found.run);
  const [draft, batches, frames] = await Promise.all([
    request.isUnread ? UNREAD : readStoredDraft(ports, request),
    readBatches(ports.records, run.id),
    framesSoFar(ports.records, run.id),
  ]);
  const sentences = withVerdicts(draft, verdictsIn(batches));
  const references = request.references && (await readReferences(ports.records, run.id));
  return {
    ...{ runId: run.id, workspaceIds: request.workspaceIds, name: request.name, format: request.format },
    ...(request.filter && { filter: request.filter }),
    ...{ createdAt: run.createdAt, finishedAt: run.finishedAt },
    ...{ status: run.status, error: run.error, judge: request.judge },
    judgeError: judgeErrorIn(batches),
    ...{ counts: countsOf(request, sentences), text: draft.text, sentences },
    ...(references && { references }),
    ...usageIn(frames),
  };
}

export async function readVerdicts(records: Records, runId: string): Promise<ClaimVerdict[]> {
  return verdictsIn(await readBatches(records, runId));
}

/**
 * The verdicts on a batch of claims, stored as a step of the run. They aren't in its events, because users
 * with access to only one of the workspaces can follow these.
 */
export interface VerdictBatch {
  verdicts: ClaimVerdict[];
  /** Why the judge returned nothing for the batch. Absent if it answered, or wasn't asked. */
  judgeError?: JudgeError | undefined;
}

export const VERDICTS = 'verdicts';
/** A looked-up entry of the reference list, with its index there, stored as a step of the run. */
export interface StoredReference {
  at: number;
  checked: CheckedReference;
}

export const REFERENCE = 'reference';

/** Returns the entries that were looked up so far, in the order of the list. */
async function readReferences(records: Records, runId: string): Promise<CheckedReference[]> {
  const stored = await readSteps<StoredReference>(records, runId, REFERENCE);
  return stored.toSorted((one, other) => one.at - other.at).map(({ checked }) => checked);
}

async function readBatches(records: Records, runId: string): Promise<VerdictBatch[]> {
  const batches = await readSteps<VerdictBatch>(records, runId, VERDICTS);
  const first = ({ verdicts: [verdict] }: VerdictBatch) => verdict?.n ?? 0;
  return batches.toSorted((one, other) => first(one) - first(other));
}

function verdictsIn(batches: VerdictBatch[]): ClaimVerdict[] {
  return batches.flatMap(({ verdicts }) => verdicts);
}

/** Reports only the first error, because all errors usually have the same cause, such as a refused key. */
function judgeErrorIn(batches: VerdictBatch[]): JudgeError | null {
  const errors = batches.flatMap(({ judgeError }) => judgeError ?? []);
  const [first] = errors;
  if (first === undefined) return null;
  return { ...first, sentences: errors.reduce((sum, { sentences }) => sum + sentences, 0) };
}

const LISTED: Finding = { rule: 'source_listed', own: '' };

/** Returns the sentences that have a verdict. Sentences without a claim have it from the start. */
function withVerdicts(
  { sentences, claims, listed }: typeof UNREAD,
  verdicts: ClaimVerdict[],
): CheckedSentence[] {
  const byNumber = new Map(verdicts.map((verdict) => [verdict.n, verdict]));
  const claimed = new Set(claims);
  const sources = new Set(listed);
  return sentences.flatMap(({ text, start, end }, at) => {
    const findings = sources.has(at) ? [LISTED] : [];
    const none = describeVerdict({ n: at + 1, findings, citations: [] });
    const verdict = claimed.has(at) ? byNumber.get(at + 1) : none;
    return verdict === undefined ? [] : [{ ...verdict, text, start, end }];
  });
}

function countsOf({ sentences, claims }: CheckRequest, found: CheckedSentence[]): VerdictCounts {
  const noClaim = found.filter(({ support }) => support === undefined);
  const checked = found.length - noClaim.length;
  const listed = noClaim.filter(({ findings }) => findings.length > 0).length;
  return { sentences, claims, checked, ...countVerdicts(found), no_claim: noClaim.length, listed };
}

/** Counts verdicts on claims. */
export function countVerdicts(found: ClaimVerdict[]) {
  const count = (name: ClaimVerdict['verdict']) => found.filter(({ verdict }) => verdict === name).length;
  return {
    ...{ supported: count('supported'), partial: count('partial'), contradicted: count('contradicted') },
    ...{
      not_found: count('not_found'),
      unjudged: found.filter(({ support }) => support === 'unjudged').length,
    },
    possible_errors: found.filter(isPossibleError).length,
  };
}

/** The judge's usage, and why it ended, according to the latest event. */
export interface CheckUsage extends StepsUsage {
  ended: string | null;
}

function usageIn(frames: StreamPart[]): CheckUsage {
  const latest = frames.findLast((frame) => frame.type === 'data-progress' || frame.type === 'data-checked');
  const none = { ended: null, calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  if (latest === undefined || !('data' in latest)) return none;
  const { ended = null, calls, inputTokens, outputTokens, costUsd } = latest.data as CheckUsage;
  return { ended, calls, inputTokens, outputTokens, costUsd };
}
