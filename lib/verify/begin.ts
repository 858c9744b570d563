import { posix } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/caller.ts';
import { oneLine } from '../activity/record.ts';
import { conversations } from '../conversations/schema.ts';
import type { ErrorCode } from '../error-codes.ts';
import { InvalidInput, NotConfigured, OverBudget } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { sha256 } from '../paths/hash.ts';
import { expiryAfter } from '../ports/clock.ts';
import { type LanguageModel, MODEL_ADMISSION_ERRORS } from '../ports/language-model.ts';
import { callAgentWorker } from '../runs/approvals.ts';
import { runUsage } from '../runs/run-usage.ts';
import { createRun, type NewRun } from '../runs/runs.ts';
import { KEEP_RUN_SECONDS, runs } from '../runs/schema.ts';
import { isJudged } from '../support/judge-setting.ts';
import type { Use } from '../usage/schema.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { formatOfDraft } from './draft/read-draft.ts';
import { CHECK_ERRORS, findCheck } from './find-check.ts';
import { dropDraft, KEEP_DRAFT_ERRORS, noteKeptDraft } from './kept-drafts.ts';
import type { BeginCheckPorts } from './ports.ts';
import { readInTime } from './read-bounded.ts';
import type { VerifyBody } from './request-schema.ts';
import { type CheckRequest, checkParts, checkRequests } from './run-records.ts';
import { attachmentNotFound, DRAFT_SOURCE_ERRORS, type DraftSource, readSource } from './source.ts';
import { draftFolder, type StoredDraft, storeDraft, storeOriginal } from './stored-draft.ts';

/** The codes of a check that can't start. */
export const BEGIN_CHECK_ERRORS = [
  ...DRAFT_SOURCE_ERRORS,
  ...CHECK_ERRORS,
  ...MODEL_ADMISSION_ERRORS,
  ...KEEP_DRAFT_ERRORS,
  'draft_empty',
  'draft_too_large',
  'run_already_started',
] as const satisfies ErrorCode[];

const MAX_NAME_SHOWN = 200;
/** A text has no name: its beginning says what it is. */
const MAX_NAME_READ = 2000;
/** Judge calls if the request doesn't say: about 2,000 claims. */
const DEFAULT_CALLS = 200;

/** What is checked, and how. */
export type WantedCheck = Omit<VerifyBody, 'workspaceId' | 'workspaceIds'>;

/**
 * Starts the check of a draft, which a worker carries out. The workspaces were found for the caller; the first is the run's. With
 * an id it starts only once. Throws InvalidInput, TooLarge, NotFound, Unreadable, NotConfigured, OverBudget.
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
  const whole = await findWhole(ports, caller, wanted);
  const use = runUsage({ caller, rightsOf, workspaceId });
  const isOn = isJudged(wanted.judge, workspaces[0], ports);
  const judge = isOn ? await openJudge(ports, use, wanted) : undefined;
  const source = await readSource(ports, caller, workspaces[0], wanted);
  const { name, bytes, path = null } = source;
  const { path: ownPath, hash } = whole ?? { path, hash: await sha256(bytes) };
  const isPrivate = path === null && wanted.shared !== true;
  const format = formatOfDraft(name, bytes);
  const draft = await readInTime({ name, bytes, workspaceId }, ports.draftReadMs);
  const folder = draftFolder(source.conversation ?? { workspaceId }, id);
  await keepDraft(ports, { ownerId: caller.id, runId: id, folder }, draft, source);
  await checkRequests.put(ports.records, {
    ...{ runId: id, workspaceIds: workspaces.map((each) => each.id), name, format },
    ...{ path: ownPath, hash, isPrivate, folder },
    ...leftOut(wanted, whole),
    ...{ judge: judge !== undefined, budget: { calls: DEFAULT_CALLS, ...wanted.budget } },
    ...countsOf(draft),
    expiresAt: expiryAfter(ports.clock, KEEP_RUN_SECONDS),
  });
  const title = oneLine(wanted.text?.slice(0, MAX_NAME_READ) ?? name, MAX_NAME_SHOWN);
  if (whole !== undefined) await notePart(ports, whole, { runId: id, workspaces });
  await createRun(ports, {
    ...{ id, kind: 'research', verifies: true, parked: true, workspaceId, mode: 'agent', caller, cwd: '' },
    ...{ provider: judge?.provider ?? 'a', model: judge?.model ?? '', allowedTools: null },
    ...(rightsOf !== undefined && { rightsOf }),
    request: isPrivate ? `draft.${format}` : title,
    draft: { name: title, isPrivate },
    unlisted: whole !== undefined,
  });
  await callAgentWorker(ports, id);
  return { runId: id };
}

/**
 * The check of a sentence is found by the check of its draft, and deleted with it: by anyone who may read the draft's, so only where
 * it has searched nothing else.
 */
async function notePart(
  { records, clock }: BeginCheckPorts,
  { runId, workspaceIds }: CheckRequest,
  part: { runId: string; workspaces: Workspace[] },
): Promise<void> {
  if (!part.workspaces.every(({ id }) => workspaceIds.includes(id))) return;
  const expiresAt = expiryAfter(clock, KEEP_RUN_SECONDS);
  await checkParts.put(records, { runId, partId: part.runId, expiresAt });
}

/** Of a draft that takes long, they aren't known yet. */
function countsOf(draft: StoredDraft | undefined): Pick<CheckRequest, 'sentences' | 'claims' | 'isUnread'> {
  if (draft === undefined) return { sentences: 0, claims: 0, isUnread: true };
  return { sentences: draft.sentences.length, claims: draft.claims.length };
}

/** What is no evidence besides the draft: what the request names, and that of the check that it is a part of. */
function leftOut(
  { without = [] }: WantedCheck,
  whole: CheckRequest | undefined,
): Pick<CheckRequest, 'without' | 'wholeFolder'> {
  const named = without.map((path) => posix.normalize(path).replace(/\/$/, ''));
  if (whole === undefined) return { without: named };
  return { without: [...(whole.without ?? []), ...named], wholeFolder: whole.wholeFolder ?? whole.folder };
}

/** Returns the request of the check whose draft has the text: that draft is no evidence for it. Throws InvalidInput, NotFound. */
async function findWhole(
  { records }: BeginCheckPorts,
  caller: Caller,
  { partOf, text }: WantedCheck,
): Promise<CheckRequest | undefined> {
  if (partOf === undefined) return undefined;
  if (text === undefined)
    throw new InvalidInput('invalid_value', 'partOf can be sent only with text.', { field: 'partOf' });
  return (await findCheck(records, caller, partOf)).request;
}

/** Stores a draft that has room, unless the conversation that it is attached to was deleted meanwhile. Throws Conflict, NotFound. */
async function keepDraft(
  ports: BeginCheckPorts,
  place: { ownerId: string; runId: string; folder: string },
  draft: StoredDraft | undefined,
  { bytes, conversation }: DraftSource,
): Promise<void> {
  // The text is stored again, and in sentences. Of a draft that takes long, it isn't known yet.
  const size = bytes.length + 2 * (draft === undefined ? bytes.length : Buffer.byteLength(draft.text));
  await noteKeptDraft(ports, { ...place, bytes: size });
  await storeOriginal(ports, place, bytes);
  if (draft !== undefined) await storeDraft(ports, place, draft);
  if (conversation === undefined || (await conversations.get(ports.records, conversation))) return;
  await dropDraft(ports, place.ownerId, place.runId);
  throw attachmentNotFound();
}

/** Opens the judge, which a request that doesn't ask for one itself can do without. Throws NotConfigured, OverBudget. */
async function openJudge(
  { openModel }: BeginCheckPorts,
  use: Use,
  wanted: WantedCheck,
): Promise<LanguageModel | undefined> {
  try {
    const model = openModel(use);
    await model.admit?.();
    return model;
  } catch (error) {
    const isMissing = error instanceof NotConfigured || error instanceof OverBudget;
    if (wanted.judge === undefined && isMissing) return undefined;
    throw error;
  }
}
