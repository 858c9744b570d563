import { randomBytes } from 'node:crypto';
import { type Caller, LOCAL, requireRole } from '../access/caller.ts';
import { callerIn } from '../access/members.ts';
import { audited } from '../audit/record.ts';
import type { AuditAction } from '../audit/schema.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, NotFound } from '../errors.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { change } from '../records/change.ts';
import { findWorkspace, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import type { Workspace } from '../workspaces/schema.ts';
import {
  type AddedFact,
  type FactChange,
  MAX_FACTS,
  type Memory,
  type MemoryOwner,
  memories,
  memoryOfPerson,
  memoryOfWorkspace,
  type StoredFact,
} from './schema.ts';

/** Error codes for a fact that the caller names. */
export const MEMORY_ERRORS = [
  ...WORKSPACE_ERRORS,
  'concurrent_changes',
  'memory_not_found',
  'role_required',
] as const satisfies ErrorCode[];

/** Begins the ID of a person's fact, as the ID of a workspace begins that of its facts. */
const PERSON = 'person';

/** Lists the facts of the caller or, with a workspace that the caller may read, of that workspace, latest first. */
export async function listMemories(
  records: Records,
  caller: Pick<Caller, 'id'>,
  workspace?: Pick<Workspace, 'id'>,
): Promise<Memory[]> {
  const owner = ownerOf(caller, workspace);
  const facts = (await memories.get(records, owner))?.facts ?? [];
  return facts.map((fact) => describe(owner, fact)).reverse();
}

/**
 * Adds a fact that a person wrote or confirmed, to the caller's own or to those of a workspace. One with the same text
 * is returned unchanged. Throws Forbidden for a reader of the workspace, and Conflict if there are too many facts.
 */
export async function addMemory(
  ports: TimedRecords,
  caller: Caller,
  workspace: Workspace | undefined,
  { text, shared = caller.id === LOCAL }: AddedFact,
): Promise<Memory> {
  const now = timestamp(ports.clock);
  const id = `${workspace?.id ?? PERSON}-${randomBytes(8).toString('hex')}`;
  const isShared = workspace !== undefined || shared;
  const added = { id, text, shared: isShared, createdBy: caller.id, createdAt: now, updatedAt: now };
  let stored = added;
  await changeFacts(ports, caller, 'memories.add', { id, workspace }, (facts) => {
    stored = facts.find((fact) => fact.text === text) ?? added;
    if (stored !== added) return undefined;
    if (facts.length >= MAX_FACTS) throw tooMany();
    return [...facts, added];
  });
  return describe(ownerOf(caller, workspace), stored);
}

/** Changes a fact. Throws NotFound, Forbidden, and Conflict if it changed after the caller read it. */
export async function changeMemory(
  ports: TimedRecords,
  caller: Caller,
  id: string,
  { ifUpdatedAt, text, shared }: FactChange,
): Promise<Memory> {
  const workspace = await findWorkspaceOfFact(ports.records, caller, id);
  let changed: StoredFact | undefined;
  await changeFacts(ports, caller, 'memories.change', { id, workspace }, (facts) => {
    const before = requireFact(facts, id);
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updatedAt) throw changedSince(before);
    const after = {
      ...before,
      ...(text !== undefined && { text }),
      ...(workspace === undefined && shared !== undefined && { shared }),
      updatedAt: laterThan(before.updatedAt, timestamp(ports.clock)),
    };
    changed = after;
    return facts.map((fact) => (fact === before ? after : fact));
  });
  if (changed === undefined) throw notFound();
  return describe(ownerOf(caller, workspace), changed);
}

/** Deletes a fact. Throws NotFound, Forbidden. */
export async function deleteMemory(ports: TimedRecords, caller: Caller, id: string): Promise<void> {
  const workspace = await findWorkspaceOfFact(ports.records, caller, id);
  await changeFacts(ports, caller, 'memories.delete', { id, workspace }, (facts) => {
    const gone = requireFact(facts, id);
    return facts.filter((fact) => fact !== gone);
  });
}

/** Removes the facts of a deleted workspace. */
export async function dropMemories(records: Records, workspaceId: string): Promise<void> {
  await memories.delete(records, memoryOfWorkspace({ id: workspaceId }));
}

/** Removes the facts of a person; returns whether there were any. Facts of workspaces stay, like notes. */
export function dropMemoriesOf(records: Records, personId: string): Promise<boolean> {
  return memories.delete(records, memoryOfPerson({ id: personId }));
}

function ownerOf(caller: Pick<Caller, 'id'>, workspace: Pick<Workspace, 'id'> | undefined): MemoryOwner {
  return workspace === undefined ? memoryOfPerson(caller) : memoryOfWorkspace(workspace);
}

/**
 * Changes the facts of the caller or of a workspace, of which the caller must be a member. The audit log has the ID of a
 * fact, never its text. Throws Forbidden, Conflict.
 */
function changeFacts(
  ports: TimedRecords,
  caller: Caller,
  action: AuditAction,
  { id, workspace }: { id: string; workspace: Workspace | undefined },
  next: (facts: StoredFact[]) => StoredFact[] | undefined,
): Promise<unknown> {
  return audited(ports, caller, { action, workspaceId: workspace?.id, about: id }, async () => {
    if (workspace !== undefined) requireRole(callerIn(caller, workspace), 'member');
    const owner = ownerOf(caller, workspace);
    await change(memories, ports.records, owner, (before) => {
      const facts = next(before?.facts ?? []);
      return facts && { ...owner, facts };
    });
  });
}

/**
 * Returns the workspace of a fact, whose ID begins with it; undefined for a fact of the caller. Throws NotFound,
 * Forbidden.
 */
async function findWorkspaceOfFact(
  records: Records,
  caller: Caller,
  id: string,
): Promise<Workspace | undefined> {
  const [, place] = /^(.+)-[0-9a-f]{16}$/.exec(id) ?? [];
  if (place === undefined) throw notFound();
  return place === PERSON ? undefined : findWorkspace(records, caller, place);
}

function requireFact(facts: StoredFact[], id: string): StoredFact {
  const fact = facts.find((each) => each.id === id);
  if (fact === undefined) throw notFound();
  return fact;
}

/** Each change has a later time, because clients recognize a version by it. */
function laterThan(before: string, now: string): string {
  return now > before ? now : new Date(Date.parse(before) + 1).toISOString();
}

function describe({ scope, owner }: MemoryOwner, fact: StoredFact): Memory {
  return { ...fact, scope, workspaceId: scope === 'workspace' ? owner : null };
}

function notFound(): NotFound {
  return new NotFound('memory_not_found', 'This fact does not exist.');
}

function changedSince({ updatedAt }: StoredFact): Conflict {
  return new Conflict(
    'changed_since_read',
    `This fact was changed at ${updatedAt}, while you were editing. Read it again.`,
    { field: 'ifUpdatedAt' },
  );
}

function tooMany(): Conflict {
  return new Conflict('too_many_memories', `There can be at most ${MAX_FACTS} facts. Delete one first.`);
}
