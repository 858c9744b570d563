import { randomUUID } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import { callerIn } from '../access/members.ts';
import { recordActivity } from '../activity/record.ts';
import type { Conversation } from '../conversations/schema.ts';
import { keepRunAnswer } from '../conversations/turn/keep-run.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { isOwnerAlive, thisProcess } from '../isolation/is-process-alive.ts';
import { expiryAfter, timestamp } from '../ports/clock.ts';
import { type FieldExpectation, ifExpected, type Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { tellFollowers } from '../run-events/frame-signal.ts';
import { report } from '../telemetry/events.ts';
import { findWorkspace, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import { isOfSeveral, mayReadAll } from '../workspaces/all-workspaces.ts';
import { announceEnd } from './announce-run.ts';
import { leaveLease } from './lease.ts';
import { isRunOver, KEEP_RUN_SECONDS, type Run, runLeases, runMarks, runs } from './schema.ts';

/** Error codes for a run that the caller names. */
export const RUN_ERRORS = [...WORKSPACE_ERRORS, 'run_not_found'] as const satisfies ErrorCode[];

export type NewRun = Pick<
  Run,
  'workspaceId' | 'mode' | 'caller' | 'cwd' | 'provider' | 'model' | 'allowedTools'
> &
  Partial<
    Pick<
      Run,
      | 'id'
      | 'workspaceIds'
      | 'kind'
      | 'draft'
      | 'unlisted'
      | 'parked'
      | 'request'
      | 'unattended'
      | 'permits'
      | 'rightsOf'
      | 'conversationId'
      | 'requestPlace'
    >
  >;

/**
 * Creates a run, on which its creator works from now on. A suspended run waits for a worker. Throws Conflict
 * if a run with the given ID was already started.
 */
export async function createRun({ records, clock }: TimedRecords, fields: NewRun): Promise<Run> {
  const run: Run = {
    id: newId(),
    kind: 'agent',
    draft: null,
    unlisted: false,
    parked: false,
    deaths: { atStep: 0, times: 0 },
    request: '',
    unattended: false,
    permits: [],
    rightsOf: null,
    conversationId: null,
    requestPlace: null,
    ...fields,
    status: 'running',
    ...{ steps: 0, failedCalls: 0 },
    createdAt: timestamp(clock),
    finishedAt: null,
    error: null,
    changes: null,
    owner: newRunOwner(),
    stopRequested: false,
    stoppedCalls: '[]',
    expiresAt: expiryAfter(clock, KEEP_RUN_SECONDS),
  };
  // The lease comes first. Otherwise, the scheduler tick might never find the run.
  await leaveLease({ records, clock }, run.id);
  const { id: runId, expiresAt } = run;
  const marks = (run.workspaceIds ?? []).map((workspaceId) => ({ workspaceId, runId, expiresAt }));
  if (marks.length > 0) await runMarks.putMany(records, marks);
  if (!(await runs.create(records, run)))
    throw new Conflict('run_already_started', 'This run has already started.');
  return run;
}

/**
 * Claims a suspended run in the state that was read. Undefined if another process has worked on it since, or
 * it has ended.
 */
export async function claimRun(ports: TimedRecords, { id, owner }: Run): Promise<Run | undefined> {
  const set = { parked: false, status: 'running' as const, owner: newRunOwner() };
  await leaveLease(ports, id);
  const claimed = await changeRun(ports.records, id, set, { parked: true, owner });
  if (claimed !== undefined) tellFollowers(id);
  return claimed;
}

/** Returns a unique name for a worker of a run, from which a host can tell whether its process still runs. */
function newRunOwner(): string {
  return `${thisProcess()} ${randomUUID()}`;
}

/**
 * Returns true if the process that works on a run has ended. Only for a host on which all of a run's work
 * happens.
 */
export function isCut({ status, parked, owner }: Run): boolean {
  const [process = ''] = owner.split(' ');
  return status === 'running' && !parked && !isOwnerAlive(process);
}

/** The counts of a run so far. */
export type RunCounts = Pick<Run, 'steps'> & Partial<Pick<Run, 'failedCalls'>>;
export type RunEnd = RunCounts & Pick<Run, 'error'> & { status: 'done' | 'failed' | 'stopped' };

/** Ends a run once. Returns false if it had already ended, or another process works on it. */
export async function finishRun({ records, clock }: TimedRecords, run: Run, end: RunEnd): Promise<boolean> {
  const set = { ...end, finishedAt: timestamp(clock), parked: false };
  const finished = await changeRun(records, run.id, set, { owner: run.owner, status: run.status });
  if (finished === undefined) return false;
  if (end.status === 'failed') report('run_failed', 'a run failed', { runId: run.id, reason: end.error });
  const ports = { records, clock };
  // If the end wasn't announced, the scheduler tick does both.
  const removeLease = async () =>
    (await announceEnd(ports, finished)) && (await runLeases.delete(records, { runId: run.id }));
  await Promise.all([removeLease(), recordRun(ports, finished), keepAnswerOf(ports, finished)]);
  tellFollowers(run.id);
  return true;
}

async function keepAnswerOf(ports: TimedRecords, run: Run): Promise<void> {
  const { conversationId, requestPlace: place } = run;
  if (conversationId === null || place === null) return;
  await keepRunAnswer(ports, run.caller.id, run, { conversationId, place });
}

/** Omits the request if some readers of the activity may not read all workspaces that it is about. */
function recordRun(ports: TimedRecords, run: Run): Promise<void> {
  const { id, workspaceId, mode, status, steps, caller, kind } = run;
  const request = isOfSeveral(run) ? '' : run.request;
  const other = { research: 'Research', verify: 'Draft check', table: 'Evidence table' };
  const what = kind === 'agent' ? `Agent run (${mode})` : other[kind];
  return recordActivity(ports, {
    workspaceId,
    kind: 'agent_run',
    actor: caller.id,
    summary: `${what} ${status} after ${steps} steps${request === '' ? '' : `: ${request}`}`,
    details: { runId: id, kind, mode, status, steps },
  });
}

export async function changeRun(
  records: Records,
  runId: string,
  set: Partial<Run>,
  expect: FieldExpectation,
): Promise<Run | undefined> {
  return ifExpected(runs.update(records, { id: runId }, { set }, expect));
}

/** True if the caller started the run, or if the run works with the caller's rights. */
export function isOwnRun({ caller, rightsOf }: Pick<Run, 'caller' | 'rightsOf'>, { id }: Caller): boolean {
  return caller.id === id || (rightsOf ?? caller).id === id;
}

/**
 * Returns the run, for a caller who may use its workspace. If it has several, it doesn't exist for anyone who may not
 * read all of them now. Throws NotFound, and the errors of findWorkspace.
 */
export async function findRun(records: Records, caller: Caller, runId: string): Promise<Run> {
  return (await findWithWorkspace(records, caller, runId)).run;
}

async function findWithWorkspace(records: Records, caller: Caller, runId: string) {
  const run = await readRun(records, runId);
  if (!(await mayReadAll(records, caller, run))) throw runNotFound();
  return { run, workspace: await findWorkspace(records, caller, run.workspaceId) };
}

/**
 * Returns the run for a caller who wants to stop it. Throws like findRun, and Forbidden for a reader who didn't start
 * the run.
 */
export async function findRunToControl(records: Records, caller: Caller, runId: string): Promise<Run> {
  const { run, workspace } = await findWithWorkspace(records, caller, runId);
  const { role } = callerIn(caller, workspace);
  if (role === 'viewer' && caller.id !== run.caller.id)
    throw new Forbidden(
      'owner_only',
      'Only the person who started this run, or a member of the workspace, can do this.',
    );
  return run;
}

/**
 * Returns the run for code that started or shows it, with an ID that doesn't come from a caller. Throws
 * NotFound.
 */
export async function readRun(records: Records, runId: string): Promise<Run> {
  const run = await runs.get(records, { id: runId });
  if (run === undefined) throw runNotFound();
  return run;
}

function runNotFound(): NotFound {
  return new NotFound('run_not_found', 'This run does not exist.');
}

/** Returns the conversation's latest run while it works or waits. */
export async function runInConversation(records: Records, { runId }: Conversation): Promise<Run | undefined> {
  const run = runId === null ? undefined : await runs.get(records, { id: runId });
  return run === undefined || isRunOver(run.status) ? undefined : run;
}
