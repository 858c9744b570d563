import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, InvalidInput, NotFound } from '../errors.ts';
import { newId } from '../identifiers.ts';
import { timestamp } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { findWorkspace, WORKSPACE_ERRORS } from '../workspaces/access.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { builtInSkills, isBuiltIn } from './built-in.ts';
import {
  type CreateSkill,
  MAX_SKILL_BYTES,
  type PortableSkill,
  type Skill,
  skills,
  skillsPartition,
  slugClaims,
  type UpdateSkill,
} from './schema.ts';
import { slugOf } from './slug.ts';
import { claimSlug, releaseSlug } from './slug-claims.ts';

/** Error codes for a skill that the caller names. */
export const SKILL_ERRORS = [...WORKSPACE_ERRORS, 'skill_not_found'] as const satisfies ErrorCode[];

/** Error codes for saving a skill. */
export const SAVE_SKILL_ERRORS = [
  'skill_slug_taken',
  'skill_too_large',
  'workspace_scoped_token',
] as const satisfies ErrorCode[];

/**
 * Returns the skill, for a caller with access to its workspace, if it has one. Throws NotFound, and the errors of
 * findWorkspace.
 */
export async function findSkillById(records: Records, caller: Caller, skillId: string): Promise<Skill> {
  const builtIn = builtInSkills().find(({ id }) => id === skillId);
  const skill = builtIn ?? (await skills.get(records, { id: skillId }));
  if (skill === undefined) throw new NotFound('skill_not_found', 'This skill does not exist.');
  if (skill.workspaceId !== null) await findWorkspace(records, caller, skill.workspaceId);
  return skill;
}

/**
 * Creates a skill of the workspace, or a global one without a workspace. Throws Conflict if the slug is taken there, Forbidden
 * for a global skill unless the caller is a global administrator.
 */
export async function createSkill(
  ports: TimedRecords,
  caller: Caller,
  workspace: Workspace | null,
  { workspaceId: _named, ...portable }: PortableSkill & Partial<Pick<CreateSkill, 'workspaceId'>>,
): Promise<Skill> {
  if (workspace === null) requireAdminOfAll(caller);
  const skill = newSkill(ports, workspace, portable);
  if (!(await addSkill(ports, skill))) throw slugTaken(skill.slug);
  return skill;
}

/** Stores a skill; returns false if its slug is taken. */
export async function addSkill(ports: TimedRecords, skill: Skill): Promise<boolean> {
  if (!(await claimSlug(ports, skill))) return false;
  await skills.create(ports.records, skill);
  return true;
}

/** Changes the named fields, all or none. Throws Conflict for a taken slug and for a built-in skill. */
export async function updateSkill(
  ports: TimedRecords,
  caller: Caller,
  skillId: string,
  change: UpdateSkill,
): Promise<Skill> {
  const { records } = ports;
  const skill = await findForChange(records, caller, skillId);
  const changed = checkSize({
    ...skill,
    ...change,
    slug: change.slug === undefined ? skill.slug : readSlug(change.slug),
    updatedAt: laterThan(skill.updatedAt, ports),
  });
  const renamed = changed.slug !== skill.slug;
  const claim = renamed ? await slugClaims.get(records, skill) : undefined;
  if (renamed && !(await claimSlug(ports, changed))) throw slugTaken(changed.slug);
  const stored = await skills.put(records, changed, { updatedAt: skill.updatedAt });
  if (!stored) return updateSkill(ports, caller, skillId, change); // Changed or deleted in the meantime.
  await releaseSlug(records, claim);
  return changed;
}

/** Throws Conflict for a built-in skill. */
export async function deleteSkill({ records }: TimedRecords, caller: Caller, skillId: string): Promise<void> {
  const skill = await findForChange(records, caller, skillId);
  const claim = await slugClaims.get(records, skill);
  await skills.delete(records, skill);
  if (claim?.skillId === skill.id) await releaseSlug(records, claim);
}

/**
 * Requires access: members change the skills of their workspaces, and only global administrators change
 * global ones.
 */
async function findForChange(records: Records, caller: Caller, skillId: string): Promise<Skill> {
  const skill = await findSkillById(records, caller, skillId);
  if (skill.workspaceId === null) requireAdminOfAll(caller);
  if (isBuiltIn(skill))
    throw new Conflict(
      'skill_built_in',
      "A built-in skill can't be changed. Export it, then import it as a copy.",
    );
  return skill;
}

/** Returns a skill that isn't stored yet. Without a slug it gets one from its name or, if that yields none, from its id. */
export function newSkill(
  { clock }: TimedRecords,
  workspace: Workspace | null,
  { slug, ...portable }: PortableSkill,
): Skill {
  const workspaceId = workspace?.id ?? null;
  const id = newId();
  const createdAt = timestamp(clock);
  const own = slug === undefined ? slugOf(portable.name) || `skill-${id.slice(-12)}` : readSlug(slug);
  return checkSize({ id, workspaceId, ...portable, slug: own, createdAt, updatedAt: createdAt });
}

function readSlug(text: string): string {
  const slug = slugOf(text);
  if (slug === '')
    throw new InvalidInput('invalid_value', 'slug must contain a letter from a to z or a digit.', {
      field: 'slug',
    });
  return slug;
}

function checkSize(skill: Skill): Skill {
  if (Buffer.byteLength(JSON.stringify(skill)) <= MAX_SKILL_BYTES) return skill;
  throw new InvalidInput(
    'skill_too_large',
    `The skill can have at most ${MAX_SKILL_BYTES / 1024} KB in all.`,
  );
}

/** `updatedAt` distinguishes versions, so it always increases. */
function laterThan(before: string, { clock }: TimedRecords): string {
  return new Date(Math.max(clock.now(), Date.parse(before) + 1)).toISOString();
}

function slugTaken(slug: string): Conflict {
  return new Conflict('skill_slug_taken', `slug ${slug} is already used. Choose another one.`, {
    field: 'slug',
  });
}

/** Removes the skills of a deleted workspace, and their slugs. */
export async function dropSkills(records: Records, workspaceId: string): Promise<void> {
  const listed = { partition: skillsPartition(workspaceId), byIndex: true };
  for await (const skill of skills.all(records, listed)) {
    await skills.delete(records, skill);
    await slugClaims.delete(records, skill);
  }
}
