import * as z from 'zod';
import { TOOL_NAMES } from '../api-contract/tool-names.ts';
import { idSchema } from '../identifiers.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';
import { MAX_SLUG_LENGTH } from './slug.ts';

/**
 * Maximum bytes of all fields together, as JSON. A record has room for them, and a response for several
 * skills.
 */
export const MAX_SKILL_BYTES = 256 * 1024;
const MAX_PROMPT = 100_000;

/**
 * Accepts text that UTF-8 and YAML can represent: no lone surrogates, no control characters except tab and line breaks.
 */
function text(max: number) {
  return z
    .string()
    .max(max, { abort: true })
    .refine(
      (value) => value.isWellFormed() && !CONTROL.test(value),
      'must be text without control characters',
    );
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

const label = text(200).min(1);

const parameterFields = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must consist of letters, digits, _ and -')
    .describe('Name of the parameter in the instructions, as in `{{name}}`.'),
  label: label.describe('Name of the parameter for users.'),
  type: z.enum(['string', 'number', 'boolean', 'select']).meta({ title: 'SkillParameterType' }),
  required: z.boolean().describe('Whether a run of the skill needs a value.'),
  defaultValue: z
    .union([text(10_000), z.number(), z.boolean()])
    .optional()
    .describe('Value if none is given. It has the type of the parameter.'),
  options: z.array(label).min(1).max(100).optional().describe('Choices of a `select` parameter.'),
  placeholder: text(200).optional().describe('Example that an empty field shows.'),
});

/** Returns whether a value is allowed for a parameter. */
export function fitsParameter({ type, options = [] }: SkillParameter, value: unknown): boolean {
  if (type === 'select') return typeof value === 'string' && options.includes(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

const inputParameter = parameterFields
  .refine(({ type, options }) => (type === 'select') === (options !== undefined), {
    path: ['options'],
    message: 'is required for a select, and allowed only there',
  })
  .refine(({ options = [] }) => new Set(options).size === options.length, {
    path: ['options'],
    message: 'is listed twice',
  })
  .refine((parameter) => fitsDefault(parameter), {
    path: ['defaultValue'],
    message: "doesn't match the type",
  })
  .meta({ id: 'SkillParameter' });
export type SkillParameter = z.infer<typeof parameterFields>;

function fitsDefault(parameter: SkillParameter): boolean {
  return parameter.defaultValue === undefined || fitsParameter(parameter, parameter.defaultValue);
}

const inputStep = z
  .strictObject({
    instruction: text(10_000).min(1).describe('Instruction of the step for the model.'),
    toolHint: text(200).min(1).optional().describe('Tool that the model should use for the step.'),
  })
  .meta({ id: 'SkillStep' });

const inputFields = z.strictObject({
  name: label.refine((name) => name.trim() !== '', 'must not be blank'),
  slug: z
    .string()
    .max(200)
    .describe(
      'Slug of the skill, normalized to a-z, 0-9, and hyphens. Defaults to a slug made from the name.',
    ),
  description: text(4000).describe(
    'Description of the skill, for users and for the model that selects skills.',
  ),
  systemPrompt: text(MAX_PROMPT)
    .refine((prompt) => prompt.trim() !== '', 'must not be blank')
    .describe('Instructions for the model. `{{name}}` is replaced with the value of a parameter.'),
  steps: z.array(inputStep).max(100).describe('Steps that are added to the instructions, in order.'),
  allowedTools: z
    .array(z.enum(TOOL_NAMES).meta({ title: 'ToolName' }))
    .max(100)
    .refine((names) => new Set(names).size === names.length, 'is listed twice')
    .nullable()
    .describe('Names of the tools that the skill may use. Null for all tools.'),
  parameters: z
    .array(inputParameter)
    .max(50)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'lists a name twice')
    .describe('Values that a run of the skill asks for.'),
  isEnabled: z.boolean().describe('Whether the skill can be run.'),
});

/** A skill without its owner: the JSON form of export and import. */
export const portableSkillSchema = inputFields
  .extend({
    slug: inputFields.shape.slug.optional(),
    description: inputFields.shape.description.default(''),
    steps: inputFields.shape.steps.default([]),
    allowedTools: inputFields.shape.allowedTools.default(null),
    parameters: inputFields.shape.parameters.default([]),
    isEnabled: inputFields.shape.isEnabled.default(true),
  })
  .meta({ id: 'PortableSkill' });
export type PortableSkill = z.output<typeof portableSkillSchema>;

const workspaceId = idSchema
  .nullable()
  .default(null)
  .describe(
    'ID of the workspace that the skill belongs to. Null for a skill of every workspace, which only administrators can create.',
  );

export const createSkillSchema = portableSkillSchema.extend({ workspaceId }).meta({ id: 'CreateSkill' });
export type CreateSkill = z.output<typeof createSkillSchema>;

export const updateSkillSchema = inputFields.partial();
export type UpdateSkill = z.output<typeof updateSkillSchema>;

const ignored = z.unknown().optional().describe('Field of an export, which is ignored.');

/** Also accepts a complete record, as GET returns it; ignores the fields of the old record. */
const importedSkill = portableSkillSchema
  .extend({
    id: ignored,
    workspaceId: ignored,
    createdAt: ignored,
    updatedAt: ignored,
  })
  .meta({ id: 'ImportedSkill' });

export const importedSkillSchema = importedSkill.transform(
  ({ id: _i, workspaceId: _w, createdAt: _c, updatedAt: _u, ...skill }): PortableSkill => skill,
);

export const importSkillSchema = z
  .strictObject({
    content: z.string().max(1_000_000).optional().describe('Text of a SKILL.md file.'),
    skill: importedSkillSchema
      .optional()
      .describe('Skill as JSON, as an export or `GET /api/skills/{skillId}` returns it.'),
    url: z.string().max(2048).optional().describe('HTTPS URL of a SKILL.md file or of a skill as JSON.'),
    workspaceId,
  })
  .refine(
    ({ content, skill, url }) => [content, skill, url].filter((from) => from !== undefined).length === 1,
    {
      message: 'must have exactly one of content, skill, and url',
    },
  )
  .meta({ id: 'ImportSkill' });
export type ImportSkill = z.output<typeof importSkillSchema>;

/**
 * A skill, stored as it is returned. Not strict, like every stored schema, because a later version may have added a
 * field.
 */
export const skillSchema = z
  .object({
    id: z.uuid(),
    workspaceId: z
      .string()
      .nullable()
      .describe('ID of the workspace that the skill belongs to. Null for a skill of every workspace.'),
    name: z.string(),
    slug: z
      .string()
      .max(MAX_SLUG_LENGTH)
      .describe('Slug of the skill, unique in its workspace or among the global skills.'),
    description: z.string(),
    systemPrompt: z.string().describe('Instructions for the model, with `{{name}}` for each parameter.'),
    steps: z.array(
      z.object({ instruction: z.string(), toolHint: z.string().optional() }).meta({ title: 'KeptSkillStep' }),
    ),
    allowedTools: z
      .array(z.string())
      .nullable()
      .describe('Names of the tools that the skill may use. Null for all tools.'),
    parameters: z.array(z.object(parameterFields.shape).meta({ title: 'KeptSkillParameter' })),
    isEnabled: z.boolean().describe('Whether the skill can be run.'),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: 'Skill' });
export type Skill = z.infer<typeof skillSchema>;

export const skillsQuery = pageQuery.extend({
  workspaceId: idSchema
    .optional()
    .describe('ID of a workspace whose skills are included in addition to the global ones.'),
});
export const skillParams = z.object({ skillId: idSchema.describe('ID of the skill.') });
export const importQuery = z.object({
  workspaceId: idSchema
    .optional()
    .describe("ID of the workspace, for a body that isn't JSON. Without it, the skill is global."),
});
export const skillExportQuery = z.object({
  format: z.enum(['markdown', 'json']).default('markdown').describe('Format of the export.'),
});

/** Returns the partition that lists the skills of a workspace, or the global ones. */
export function skillsPartition(workspaceId: string | null): string {
  return workspaceId === null ? 'GLOBAL_SKILLS' : `SKILLS#${workspaceId}`;
}

/** Listed newest first through the index, because IDs are UUIDv7. */
export const skills = collection({
  kind: 'skill',
  schema: skillSchema,
  key: ({ id }: { id: string }) => ({ partition: 'SKILL', sort: id }),
  index: ({ workspaceId, id }) => ({ partition: skillsPartition(workspaceId), sort: id }),
});

/** The owner of a slug. It prevents two skills with the same slug, without a transaction over two records. */
export const slugClaims = collection({
  kind: 'skill-slug',
  schema: z.object({
    workspaceId: z.string().nullable(),
    slug: z.string(),
    skillId: z.string(),
    /** Milliseconds since the epoch. */
    claimedAt: z.int(),
  }),
  key: ({ workspaceId, slug }: { workspaceId: string | null; slug: string }) => ({
    partition: `${skillsPartition(workspaceId)}#SLUG`,
    sort: slug,
  }),
});
export type SlugClaim = { workspaceId: string | null; slug: string; skillId: string; claimedAt: number };
