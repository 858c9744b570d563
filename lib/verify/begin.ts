import { posix } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/caller.ts';
import { oneLine } from '../activity/record.ts';
import { callAgentWorker } from '../agent/run/approvals.ts';
import { createRun, type NewRun } from '../agent/run/runs.ts';
import { runUsage } from '../agent/run-usage.ts';
import { isRunOver, KEEP_RUN_SECONDS, runs, runsPartition } from '../agent/schema.ts';
import { waitUntil } from '../async/after-response.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, InvalidInput, NotConfigured, TooLarge } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { sha256 } from '../paths/hash.ts';
import { expiryAfter } from '../ports/clock.ts';
import { type LanguageModel, MODEL_ADMISSION_ERRORS } from '../ports/language-model.ts';
import type { Use } from '../usage/schema.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { MAX_DRAFT_SENTENCES, type ReadDraft } from './draft/draft.ts';
import { readDraft } from './draft/read-draft.ts';
import type { BeginCheckPorts } from './ports.ts';
import { MAX_DRAFT_CHARACTERS, type VerifyBody } from './request-schema.ts';
import { checkRequests } from './run-records.ts';
import { DRAFT_SOURCE_ERRORS, readSource } from './source.ts';
import { removeOldDrafts, storeDraft } from './stored-draft.ts';

/** The codes of a check that can't start. */
export const BEGIN_CHECK_ERRORS = [
  ...DRAFT_SOURCE_ERRORS,
  ...MODEL_ADMISSION_ERRORS,
  'draft_empty',
  'draft_too_large',
  'run_already_started',
  'too_many_draft_checks',
] as const satisfies ErrorCode[];

const MAX_NAME_SHOWN = 200;
/** Checks of one caller that are in progress in one workspace. */
const MAX_IN_PROGRESS = 10;

/** What is checked, and how. */
export type WantedCheck = Omit<VerifyBody, 'workspaceId' | 'workspaceIds'>;

/**
 * Starts the check of a draft, which a worker carries out. The workspaces were found for the caller; the first is the run's. With
 * an id it starts only once. Throws InvalidInput, Conflict, TooLarge, NotFound, Unreadable, NotConfigured, OverBudget.
 */
export async function beginCheck(
  ports: BeginCheckPorts,
  caller: Caller,
  workspaces: [Workspace, ...Workspace[]],
  wanted: WantedCheck,
  fields: Pick<NewRun, 'rightsOf'> & { id?: string | undefined } = {},
): Promise<{ runId: string }> {
  requireRole(caller, 'member');
  const { id = newId(), rightsOf } = fields;
  if (fields.id !== undefined && (await runs.get(ports.records, { id })) !== undefined) return { runId: id };
  const [{ id: workspaceId }] = workspaces;
  await requireFewInProgress(ports, caller, workspaceId);
  const judge = await openJudge(ports, runUsage({ caller, rightsOf, workspaceId }), wanted.judge);
  const { name, bytes, path = null } = await readSource(ports, caller, workspaces[0], wanted);
  const isPrivate = path === null && wanted.shared !== true;
  const draft = await readBounded(name, bytes, workspaceId);
  await storeDraft(ports, { runId: id, workspaceId }, draft, bytes);
  await checkRequests.put(ports.records, {
    ...{ runId: id, workspaceIds: workspaces.map((each) => each.id), name, path, format: draft.format },
    without: (wanted.without ?? []).map((left) => posix.normalize(left).replace(/\/$/, '')),
    isPrivate,
    ...{ judge: judge !== undefined, budget: wanted.budget ?? null },
    ...{ sentences: draft.sentences.length, claims: draft.claims.length, hash: await sha256(bytes) },
    expiresAt: expiryAfter(ports.clock, KEEP_RUN_SECONDS),
  });
  await createRun(ports, {
    ...{ id, kind: 'research', verifies: true, parked: true, workspaceId, mode: 'agent', caller, cwd: '' },
    ...{ provider: judge?.provider ?? 'a', model: judge?.model ?? '', allowedTools: null },
    ...(rightsOf !== undefined && { rightsOf }),
    request: isPrivate ? `draft.${draft.format}` : oneLine(name, MAX_NAME_SHOWN),
  });
  await callAgentWorker(ports, id);
  waitUntil('old drafts were not removed', removeOldDrafts(ports, workspaceId));
  return { runId: id };
}

/** Each stores a draft and keeps a worker busy. Throws Conflict. */
async function requireFewInProgress(
  { records }: BeginCheckPorts,
  caller: Caller,
  workspaceId: string,
): Promise<void> {
  const query = { partition: runsPartition(workspaceId), byIndex: true, limit: 100 };
  const { items } = await runs.list(records, { ...query, order: 'descending' });
  const open = items.filter((run) => run.verifies && run.caller.id === caller.id && !isRunOver(run.status));
  if (open.length >= MAX_IN_PROGRESS)
    throw new Conflict(
      'too_many_draft_checks',
      `${MAX_IN_PROGRESS} of your draft checks are already in progress in this workspace. Wait for one, or stop one.`,
    );
}

/** Opens the judge, which a request that doesn't ask for one can do without. Throws NotConfigured, OverBudget. */
async function openJudge(
  { openModel, judgesCitations = false }: BeginCheckPorts,
  use: Use,
  wanted: boolean | undefined,
): Promise<LanguageModel | undefined> {
  if (!(wanted ?? judgesCitations)) return undefined;
  try {
    const model = openModel(use);
    await model.admit?.();
    return model;
  } catch (error) {
    if (wanted === undefined && error instanceof NotConfigured) return undefined;
    throw error;
  }
}

async function readBounded(name: string, bytes: Uint8Array, whose: string): Promise<ReadDraft> {
  const draft = await readDraft(name, bytes, whose);
  const { text, sentences } = draft;
  if (sentences.length === 0) throw new InvalidInput('draft_empty', 'The draft has no text.');
  if (text.length > MAX_DRAFT_CHARACTERS)
    throw new TooLarge('draft_too_large', `The draft has more than ${MAX_DRAFT_CHARACTERS} characters.`);
  if (sentences.length > MAX_DRAFT_SENTENCES)
    throw new TooLarge(
      'draft_too_large',
      `The draft has ${sentences.length} sentences, and the limit is ${MAX_DRAFT_SENTENCES}. Check it in parts.`,
    );
  return draft;
}
