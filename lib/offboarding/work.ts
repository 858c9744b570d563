import type { Caller } from '../access/caller.ts';
import { SERVICE } from '../activity/record.ts';
import { audited } from '../audit/record.ts';
import { dropAttachments } from '../conversations/attachments/keep.ts';
import { removeConversation } from '../conversations/change.ts';
import { conversationsOf, handOverConversation } from '../conversations/of-person.ts';
import { type RemovedConversation, removedConversation } from '../conversations/schema.ts';
import { touchListed } from '../datasets/links/links.ts';
import { dropFeedbackOf } from '../feedback/feedback.ts';
import { dropMemoriesOf } from '../memories/memories.ts';
import { people } from '../people/schema.ts';
import { timestamp } from '../ports/clock.ts';
import type { Objects } from '../ports/objects.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { tasksOf } from '../tasks/of-person.ts';
import { handOverTask } from '../tasks/owner.ts';
import { tasks } from '../tasks/schema.ts';
import { hasRights } from '../tokens/rights.ts';
import { dropBudgetOf } from '../usage/budgets/list.ts';
import { dropDraftsIn, dropDraftsOf } from '../verify/draft-checks.ts';
import { guardedPlaceOf } from '../workspaces/access.ts';
import type { FilesChanged } from '../workspaces/callbacks.ts';
import { type Workspace, workspaces } from '../workspaces/schema.ts';
import { isMember, isOnlyAdmin, removeMember, replaceAdmin } from './member-lists.ts';
import { NOTHING, type Offboarding, type OwnedCounts, offboardings } from './schema.ts';
import { AGAIN_MS } from './sweep.ts';

/** The time limit of one pass in milliseconds, because a worker has other messages too. */
const PASS_MS = 30_000;
export interface PassPorts extends TimedRecords {
  objects: Objects;
  filesChanged: FilesChanged;
}

/** One pass: its results, what couldn't be done, and where the next pass continues. */
class Pass {
  readonly done = { ...NOTHING };
  readonly left: OwnedCounts;
  readonly #until: number;
  /** True if something could not be done yet. */
  isPartial = false;
  /** The workspace at which the time ran out; null if it didn't. */
  from: string | null = null;

  constructor({ from, left }: Offboarding, ms: number) {
    this.left = from === null ? { ...NOTHING } : { ...left };
    this.#until = performance.now() + ms;
  }

  /** Ends the pass before this workspace if its time is up. */
  stopsAt(workspaceId: string): boolean {
    if (performance.now() > this.#until) this.from = workspaceId;
    return this.from !== null;
  }

  count(kind: keyof OwnedCounts, how: 'done' | 'later' | 'left' | 'taken'): void {
    if (how === 'done') this.done[kind] += 1;
    else if (how === 'later') this.isPartial = true;
    else this.left[kind] += 1;
  }
}

/**
 * Hands over or erases what a person owns, in one pass of about `ms`. The request stays until passes over
 * everything find nothing, at least one minute after it was made. So if a pass is interrupted at any point,
 * the next one does the rest.
 */
export async function workOnOffboarding(ports: PassPorts, key: string, ms = PASS_MS): Promise<void> {
  const { records, clock } = ports;
  const asked = await offboardings.get(records, { key });
  if (asked === undefined || asked.finishedAt !== null) return;
  const pass = new Pass(asked, ms);
  await (asked.to === null ? erase(ports, asked, pass) : handOver(ports, asked, asked.to, pass));
  const { askedAt } = asked;
  const wasIdle = asked.from === null || asked.isIdle;
  const isIdle = wasIdle && !pass.isPartial && sum(pass.done) === 0;
  const isOver = isIdle && pass.from === null && askedAt <= timestamp(clock, -AGAIN_MS);
  const fields = { done: add(asked.done, pass.done), left: pass.left, from: pass.from, isIdle };
  if (isOver) await finish(ports, { ...asked, ...fields });
  else await offboardings.patch(records, asked, fields, { askedAt, finishedAt: null });
}

async function finish(ports: PassPorts, asked: Offboarding): Promise<void> {
  const { askedAt, personId, to, done, left } = asked;
  const about = `finished ${personId}: ${listOf(done)}; left: ${listOf(left)}`;
  const action =
    to === null
      ? { action: 'people.erase' as const, about }
      : { action: 'people.hand-over' as const, about: `${about}; to ${to.id}` };
  const service: Caller = { id: SERVICE, role: 'admin', workspaceIds: null };
  const fields = { done, left, finishedAt: timestamp(ports.clock) };
  await audited(ports, service, action, () =>
    offboardings.patch(ports.records, { ...asked, finishedAt: null }, fields, { askedAt, finishedAt: null }),
  );
}

function listOf({ conversations, tasks, workspaces }: OwnedCounts): string {
  return `${conversations} conversations, ${tasks} tasks, ${workspaces} member lists`;
}

async function handOver(ports: PassPorts, asked: Offboarding, to: Caller, pass: Pass): Promise<void> {
  const { personId, kinds } = asked;
  // Member lists come first, because they decide what the receiver may have.
  for await (const workspace of eachWorkspace(ports, asked, pass)) {
    if (kinds.includes('workspaces') && (await isOnlyAdmin(ports, workspace, personId)))
      await giveList(ports, workspace, asked, to, pass);
    if (kinds.includes('conversations')) await handOverIn(ports, workspace, asked, to, pass);
  }
  if (pass.from !== null || !kinds.includes('tasks')) return;
  for await (const task of tasksOf(ports.records, personId))
    pass.count('tasks', await handOverTask(ports, task, to));
}

/** Keeps the entry if the next administrator's credential doesn't cover the workspace. */
async function giveList(
  ports: PassPorts,
  workspace: Workspace,
  { personId }: Offboarding,
  to: Caller,
  pass: Pass,
): Promise<void> {
  const isFor = await hasRights(ports, to, 'viewer', { id: workspace.id });
  pass.count('workspaces', isFor ? 'done' : 'left');
  if (!isFor) return;
  await replaceAdmin(ports.records, workspace, personId, to.id);
  await touchListed(ports, workspace);
}

async function handOverIn(
  ports: PassPorts,
  { id }: Workspace,
  { personId }: Offboarding,
  to: Caller,
  pass: Pass,
): Promise<void> {
  const place = await guardedPlaceOf(ports.records, id);
  const mayRead = await hasRights(ports, to, 'viewer', place);
  for await (const found of conversationsOf(ports.records, id, personId)) {
    const how = mayRead ? await handOverConversation(ports, found, to.id) : 'left';
    pass.count('conversations', how);
    if (how === 'done' && pass.stopsAt(id)) return;
  }
}

async function erase(ports: PassPorts, asked: Offboarding, pass: Pass): Promise<void> {
  const { records } = ports;
  const { personId } = asked;
  if (asked.erasing !== null) await eraseConversation(ports, asked, asked.erasing);
  for await (const workspace of eachWorkspace(ports, asked, pass)) {
    if (isMember(workspace, personId)) await leave(ports, workspace, personId, pass);
    for await (const found of conversationsOf(records, workspace.id, personId)) {
      await eraseConversation(ports, asked, removedConversation.parse(found));
      pass.count('conversations', 'done');
      if (pass.stopsAt(workspace.id)) break;
    }
  }
  for await (const task of tasksOf(records, personId)) {
    await tasks.delete(records, task);
    pass.count('tasks', 'done');
  }
  if (await dropOwn(ports, personId)) pass.isPartial = true;
  await dropBudgetOf(records, { scope: 'caller', id: personId });
  // Again, because the person may have been seen since the request.
  await people.delete(records, { id: personId });
}

/** Removes what only the person has; returns whether there was any. */
async function dropOwn(ports: PassPorts, personId: string): Promise<boolean> {
  const drafts = await dropDraftsOf(ports, personId);
  const ratings = await dropFeedbackOf(ports.records, personId);
  const hadFacts = await dropMemoriesOf(ports.records, personId);
  return drafts > 0 || ratings > 0 || hadFacts;
}

/**
 * Keeps the last administrator's entry: no one could manage a list without one, and an empty list restricts
 * no access.
 */
async function leave(ports: PassPorts, workspace: Workspace, personId: string, pass: Pass): Promise<void> {
  const isLast = (workspace.members ?? []).length === 1 || (await isOnlyAdmin(ports, workspace, personId));
  pass.count('workspaces', isLast ? 'left' : 'done');
  if (isLast) return;
  await removeMember(ports.records, workspace, personId);
  await touchListed(ports, workspace);
}

/**
 * Erases a conversation as its owner would. Records it in the request first, so that the next pass can do the
 * rest. Removes attachments last too, because some may have arrived in the meantime.
 */
async function eraseConversation(
  ports: PassPorts,
  { key, askedAt }: Offboarding,
  found: RemovedConversation,
): Promise<void> {
  const noted = await offboardings.update(ports.records, { key }, { set: { erasing: found } }, { askedAt });
  await dropDraftsIn(ports.records, found);
  await dropAttachments(ports, found);
  await removeConversation(ports.records, found);
  await dropAttachments(ports, found);
  await offboardings.update(ports.records, noted, { set: { erasing: null } }, { askedAt });
}

/** Yields the workspaces from where the previous pass ended, until the time of this pass is up. */
async function* eachWorkspace(
  { records }: PassPorts,
  { from }: Offboarding,
  pass: Pass,
): AsyncGenerator<Workspace> {
  const query = { partition: 'WORKSPACE', limit: 100, ...(from !== null && { from }) };
  let isFirst = true; // each pass handles at least one
  for await (const workspace of workspaces.all(records, query)) {
    if (!isFirst && pass.stopsAt(workspace.id)) return;
    yield workspace;
    if (pass.from !== null) return;
    isFirst = false;
  }
}

function add(one: OwnedCounts, other: OwnedCounts): OwnedCounts {
  return {
    conversations: one.conversations + other.conversations,
    tasks: one.tasks + other.tasks,
    workspaces: one.workspaces + other.workspaces,
  };
}

function sum({ conversations, tasks, workspaces }: OwnedCounts): number {
  return conversations + tasks + workspaces;
}
