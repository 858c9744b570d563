import { posix } from 'node:path';
import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/caller.ts';
import { oneLine } from '../activity/record.ts';
import { conversations } from '../conversations/schema.ts';
import type { ErrorCode } from '../error-codes.ts';
import { InvalidInput, NotConfigured, OverBudget } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { sha256 } from '../paths/hash.ts';
import { type LanguageModel, MODEL_ADMISSION_ERRORS } from '../ports/language-model.ts';
import { admitOthers, placedIn } from '../retrieval/places.ts';
import { callAgentWorker } from '../runs/approvals.ts';
import { runUsage } from '../runs/run-usage.ts';
import { createRun, type NewRun } from '../runs/runs.ts';
import { runs } from '../runs/schema.ts';
import { isJudged } from '../support/judge-setting.ts';
import type { Use } from '../usage/schema.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { linkPart } from './delete-check.ts';
import type { ReadDraft } from './draft/draft.ts';
import { formatOfDraft, readInTime } from './draft/read-draft.ts';
import { type CheckRequest, dropDraft, KEEP_DRAFT_ERRORS, putRequest } from './draft-checks.ts';
import { CHECK_ERRORS, findCheck } from './find-check.ts';
import type { BeginCheckPorts } from './ports.ts';
import type { VerifyBody } from './request-schema.ts';
import { attachmentNotFound, DRAFT_SOURCE_ERRORS, type DraftSource, readSource } from './source.ts';
import { draftFolder, storeDraft, storeOriginal } from './stored-draft.ts';

/** The error codes of a check that can't start. */
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
/** The number of characters to read when naming a text that has no name. */
const MAX_NAME_READ = 2000;
/** The default limit of judge calls, for about 2,000 claims. */
const DEFAULT_CALLS = 200;

/** The draft to check, with the options of the check. */
export type WantedCheck = Omit<VerifyBody, 'workspaceId' | 'workspaceIds'>;

/**
 * Starts the check of a draft, which a worker carries out. The caller's workspaces have already been found,
 * and the run belongs to the first one. With an ID, the check starts only once. Throws InvalidInput,
 * TooLarge, NotFound, Unreadable, NotConfigured, OverBudget.
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
  const judge = await openJudge(ports, runUsage({ caller, rightsOf, workspaceId }), workspaces, wanted);
  const source = await readSource(ports, caller, workspaces[0], wanted);
  const { name, bytes, path = null } = source;
  const isPrivate = path === null && wanted.shared !== true;
  const format = formatOfDraft(name, bytes);
  const draft = await readInTime({ name, bytes, workspaceId }, ports.draftReadMs);
  const request = {
    ...{ ownerId: caller.id, runId: id, workspaceIds: workspaces.map((each) => each.id), name, format },
    ...(whole === undefined ? { path, hash: await sha256(bytes) } : { path: whole.path, hash: whole.hash }),
    ...{ isPrivate, folder: draftFolder(source.conversation ?? { workspaceId }, id) },
    ...leftOut(wanted, whole),
    ...{ judge: judge !== undefined, references: wanted.references === true },
    ...{ budget: { calls: DEFAULT_CALLS, ...wanted.budget } },
    ...sizesOf(bytes, draft),
  };
  await putRequest(ports, request);
  await keepDraft(ports, request, draft, source);
  const title = oneLine(wanted.text?.slice(0, MAX_NAME_READ) ?? name, MAX_NAME_SHOWN);
  if (whole !== undefined && workspaces.every((each) => whole.workspaceIds.includes(each.id)))
    await linkPart(ports, whole.runId, id);
  await createRun(ports, {
    ...{ id, kind: 'verify', parked: true, mode: 'agent', caller, cwd: '' },
    ...placedIn(workspaces),
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
 * While a long draft is being read, the counts aren't known yet. The text is stored in addition to the file,
 * and again in sentences.
 */
function sizesOf(file: Uint8Array, draft: ReadDraft | undefined) {
  if (draft === undefined) return { sentences: 0, claims: 0, isUnread: true, bytes: 3 * file.length };
  const bytes = file.length + 2 * Buffer.byteLength(draft.text);
  return { sentences: draft.sentences.length, claims: draft.claims.length, isUnread: false, bytes };
}

/**
 * Returns the files that are no evidence, in addition to the draft: those of the request, and the paths of the check
 * that this one is a part of.
 */
function leftOut(
  { without = [], filter }: WantedCheck,
  whole: CheckRequest | undefined,
): Pick<CheckRequest, 'without' | 'filter' | 'wholeFolder'> {
  const named = without.map((path) => posix.normalize(path).replace(/\/$/, ''));
  if (whole === undefined) return { without: named, filter };
  return { without: [...whole.without, ...named], filter, wholeFolder: whole.wholeFolder ?? whole.folder };
}

/**
 * Returns the request of the check whose draft contains the text, because that draft isn't evidence for it.
 * Throws InvalidInput, NotFound.
 */
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

/** Stores a draft, unless the conversation that it is attached to has been deleted. Throws NotFound. */
async function keepDraft(
  ports: BeginCheckPorts,
  { ownerId, runId, folder }: Pick<CheckRequest, 'ownerId' | 'runId' | 'folder'>,
  draft: ReadDraft | undefined,
  { bytes, conversation }: DraftSource,
): Promise<void> {
  await storeOriginal(ports, { folder }, bytes);
  if (draft !== undefined) await storeDraft(ports, { folder }, draft);
  if (conversation === undefined || (await conversations.get(ports.records, conversation))) return;
  await dropDraft(ports, ownerId, runId);
  throw attachmentNotFound();
}

/**
 * Opens the judge, if one is enabled. If there is none, only a request that asks for a judge fails. Throws
 * NotConfigured, OverBudget.
 */
async function openJudge(
  ports: BeginCheckPorts,
  use: Use,
  workspaces: [Workspace, ...Workspace[]],
  wanted: WantedCheck,
): Promise<LanguageModel | undefined> {
  if (!isJudged(wanted.judge, workspaces[0], ports)) return undefined;
  try {
    const model = ports.openModel(use);
    await model.admit?.();
    await admitOthers(ports, use, workspaces);
    return model;
  } catch (error) {
    const isMissing = error instanceof NotConfigured || error instanceof OverBudget;
    if (wanted.judge === undefined && isMissing) return undefined;
    throw error;
  }
}
