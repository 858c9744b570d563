import { type Caller, mayUse } from '../access/caller.ts';
import { NotFound } from '../errors.ts';
import type { McpPage, McpPrompt } from '../ports/mcp.ts';
import type { Records } from '../ports/records.ts';
import { listSkills } from '../skills/list.ts';
import type { ParamValues } from '../skills/params.ts';
import { findGlobalSkill, findSkill, prepareSkill } from '../skills/run.ts';
import type { Skill, SkillParameter } from '../skills/schema.ts';
import { findWorkspace } from '../workspaces/access.ts';
import { listWorkspaces } from '../workspaces/registry.ts';
import { makeListCursor, readListCursor } from './cursor.ts';

const SKILLS_A_PAGE = 100;
/** Maximum workspaces whose skills are listed; skills of other workspaces are found only by name. */
const MOST_WORKSPACES = 50;

/**
 * Lists the skills of every workspace by slug, then those of each of the caller's workspaces, as
 * `workspaceId/slug`. Throws InvalidInput for a cursor from another list.
 */
export async function listPrompts(
  records: Records,
  caller: Caller,
  cursor: string | undefined,
): Promise<McpPage<McpPrompt>> {
  const [scope, after] = readListCursor(cursor);
  const scopes = await scopesOf(records, caller);
  const found = scopes.indexOf(scope ?? '');
  const position = Math.max(0, found);
  const workspaceId = scopes[position] || undefined;
  const page = await listSkills(records, workspaceId, { limit: SKILLS_A_PAGE, cursor: after });
  const own = page.items.filter(
    (skill) => skill.isEnabled && (skill.workspaceId ?? undefined) === workspaceId,
  );
  const items = own.map(toPrompt);
  if (page.cursor !== undefined) return { items, cursor: makeListCursor([scope, page.cursor]) };
  const next = scopes[position + 1];
  return { items, cursor: next === undefined ? undefined : makeListCursor([next, undefined]) };
}

/** Returns the scopes. The empty scope is for skills of all workspaces. */
async function scopesOf(records: Records, caller: Caller): Promise<string[]> {
  const { items } = await listWorkspaces(records, caller, { limit: MOST_WORKSPACES });
  return ['', ...items.slice(0, MOST_WORKSPACES).map(({ id }) => id)];
}

function toPrompt({ name, slug, workspaceId, description, parameters }: Skill): McpPrompt {
  return {
    name: workspaceId === null ? slug : `${workspaceId}/${slug}`,
    title: name,
    description,
    parameters: parameters.map(({ name, label, required, defaultValue, options }) => {
      const choice = options === undefined ? '' : ` (${options.join(', ')})`;
      return { name, description: label + choice, required: required && defaultValue === undefined };
    }),
  };
}

/** Returns a skill's text with the values filled in. Throws NotFound, Conflict, Forbidden, InvalidInput. */
export async function getPrompt(
  records: Records,
  caller: Caller,
  name: string,
  values: Record<string, string>,
): Promise<{ description: string; text: string }> {
  const skill = await findPrompt(records, caller, name);
  const { prompt } = prepareSkill(skill, typed(skill.parameters, values));
  return { description: skill.description, text: prompt };
}

async function findPrompt(records: Records, caller: Caller, name: string): Promise<Skill> {
  const [slug = '', workspaceId, ...more] = name.split('/').reverse();
  if (workspaceId === undefined) return findGlobalSkill(records, slug);
  if (more.length > 0 || !mayUse(caller, workspaceId))
    throw new NotFound('skill_not_found', 'This prompt does not exist.');
  await findWorkspace(records, caller, workspaceId);
  return findSkill(records, caller, workspaceId, slug);
}

/**
 * Converts values to their types, because every value is text in the protocol. A value that doesn't match its
 * type stays text, and is rejected by name.
 */
function typed(parameters: SkillParameter[], values: Record<string, string>): ParamValues {
  const types = new Map(parameters.map(({ name, type }) => [name, type]));
  const entries = Object.entries(values).map(([name, text]) => [name, typedValue(types.get(name), text)]);
  return Object.fromEntries(entries);
}

function typedValue(type: SkillParameter['type'] | undefined, text: string): string | number | boolean {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
