import type { Caller } from '../access/caller.ts';
import { mayUse } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, NotFound } from '../errors.ts';
import type { Records } from '../ports/records.ts';
import { builtInSkills } from './built-in.ts';
import { type ParamValues, readParams } from './params.ts';
import { type Skill, skills } from './schema.ts';
import { findBySlug } from './slug-claims.ts';

/** Error codes for a skill that a run or a task names. */
export const USE_SKILL_ERRORS = [
  'skill_disabled',
  'skill_not_found',
  'skill_params_invalid',
  'workspace_scoped_token',
] as const satisfies ErrorCode[];

/**
 * A skill's instructions. The service fills in the parameters of a run's own skill. The model fills in those
 * of a skill that it loads, from the conversation.
 */
export interface SkillInstructions {
  name: string;
  slug: string;
  description: string;
  instructions: string;
  steps: Skill['steps'];
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g;

/**
 * Finds a workspace's skill by ID or slug. Among skills with the same slug, the workspace's own takes
 * precedence over the global one, which takes precedence over the built-in one. Throws NotFound (also for
 * another workspace's skills), Conflict if the skill is disabled.
 */
export async function findSkill(
  records: Records,
  caller: Caller,
  workspaceId: string,
  skillIdOrSlug: string,
): Promise<Skill> {
  if (!mayUse(caller, workspaceId))
    throw new Forbidden('workspace_scoped_token', "This token doesn't include that workspace.");
  const skill =
    (await findById(records, skillIdOrSlug)) ??
    (await findBySlug(records, workspaceId, skillIdOrSlug)) ??
    (await findOfAll(records, skillIdOrSlug));
  if (skill === undefined || ![null, workspaceId].includes(skill.workspaceId))
    throw new NotFound('skill_not_found', 'This skill does not exist in this workspace.');
  return requireEnabled(skill);
}

/** Finds the global skill of a slug. Throws NotFound, Conflict if it is disabled. */
export async function findGlobalSkill(records: Records, slug: string): Promise<Skill> {
  const skill = await findOfAll(records, slug);
  if (skill === undefined) throw new NotFound('skill_not_found', 'This skill does not exist.');
  return requireEnabled(skill);
}

async function findOfAll(records: Records, wanted: string): Promise<Skill | undefined> {
  return (await findBySlug(records, null, wanted)) ?? builtInSkills().find(({ slug }) => slug === wanted);
}

function requireEnabled(skill: Skill): Skill {
  if (!skill.isEnabled) throw new Conflict('skill_disabled', 'This skill is disabled. Enable it first.');
  return skill;
}

async function findById(records: Records, id: string): Promise<Skill | undefined> {
  return builtInSkills().find((skill) => skill.id === id) ?? skills.get(records, { id });
}

/**
 * Returns the instructions for the model, with the parameters replaced by their values, and the allowed tools (null = all).
 * Names inside values aren't replaced. Throws InvalidInput for missing and wrong values.
 */
export function prepareSkill(
  skill: Skill,
  paramValues: ParamValues = {},
): { prompt: string; allowedTools: string[] | null } {
  const values = readParams(skill, paramValues);
  const fill = (text: string) => text.replace(PLACEHOLDER, (whole, name) => values.get(name) ?? whole);
  const steps = skill.steps.map(({ instruction, toolHint }, index) => {
    const hint = toolHint === undefined ? '' : ` (tool: ${fill(toolHint)})`;
    return `${index + 1}. ${fill(instruction)}${hint}`;
  });
  const list = steps.length === 0 ? '' : `\n\nSteps:\n${steps.join('\n')}`;
  return { prompt: fill(skill.systemPrompt) + list, allowedTools: skill.allowedTools };
}

/**
 * Returns the response of getSkill: the text with its placeholders, and their descriptions. Throws the errors
 * of findSkill.
 */
export async function loadSkill(
  records: Records,
  caller: Caller,
  workspaceId: string,
  slug: string,
): Promise<SkillInstructions> {
  const skill = await findSkill(records, caller, workspaceId, slug);
  const meanings = skill.parameters.map(({ name, label, defaultValue, options }) => {
    const choice = options === undefined ? '' : `, one of ${options.join(', ')}`;
    const fallback = defaultValue === undefined ? '' : ` (default: ${defaultValue})`;
    return `- {{${name}}}: ${label}${choice}${fallback}`;
  });
  const list =
    meanings.length === 0 ? '' : `\n\nTake the values from the conversation:\n${meanings.join('\n')}`;
  const { name, description, systemPrompt, steps } = skill;
  return { name, slug: skill.slug, description, instructions: systemPrompt + list, steps };
}
