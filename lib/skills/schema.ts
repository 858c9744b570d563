import * as z from 'zod';
import { idSchema } from '../identifiers.ts';
import { TOOL_NAMES } from '../permissions/tool-names.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { pageQuery } from '../records/page.ts';
import { MAX_SLUG_LENGTH } from './slug.ts';

/** The bytes of all fields together, as JSON: what a record can hold, and an answer of a few. */
export const MAX_SKILL_BYTES = 256 * 1024;
const MAX_PROMPT = 100_000;

/** What UTF-8 and YAML can carry: no halves of surrogate pairs, no control characters but tab and line breaks. */
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
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must consist of letters, digits, _ and -'),
  label,
  type: z.enum(['string', 'number', 'boolean', 'select']).meta({ title: 'SkillParameterType' }),
  required: z.boolean(),
  defaultValue: z.union([text(10_000), z.number(), z.boolean()]).optional(),
  options: z.array(label).min(1).max(100).optional().describe('of a select: what to choose from'),
  placeholder: text(200).optional(),
});

/** Whether a legal parameter takes a value. */
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
  .strictObject({ instruction: text(10_000).min(1), toolHint: text(200).min(1).optional() })
  .meta({ id: 'SkillStep' });

const inputFields = z.strictObject({
  name: label.refine((name) => name.trim() !== '', 'must not be blank'),
  slug: z.string().max(200).describe('normalised to a-z, 0-9 and -; default from the name'),
  description: text(4000).describe('for people, and for the model to choose by'),
  systemPrompt: text(MAX_PROMPT)
    .refine((prompt) => prompt.trim() !== '', 'must not be blank')
    .describe('`{{name}}` stands for a parameter’s value'),
  steps: z.array(inputStep).max(100),
  allowedTools: z
    .array(z.enum(TOOL_NAMES).meta({ title: 'ToolName' }))
    .max(100)
    .refine((names) => new Set(names).size === names.length, 'is listed twice')
    .nullable()
    .describe('null = all'),
  parameters: z
    .array(inputParameter)
    .max(50)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'lists a name twice'),
  isEnabled: z.boolean(),
});

/** What a skill is apart from where it belongs: the JSON form of export and import. */
export const portableSkillSchema = inputFields
  .extend({
    slug: inputFields.shape.slug.optional(),
    description: inputFields.shape.description.default(''),
    steps: inputFields.shape.steps.default([]),
    allowedTools: inputFields.shape.allowedTools.default(null),
    parameters: inputFields.shape.parameters.default([]),
    isEnabled: z.boolean().default(true),
  })
  .meta({ id: 'PortableSkill' });
export type PortableSkill = z.output<typeof portableSkillSchema>;

const workspaceId = idSchema.nullable().default(null).describe('null = for every workspace; admin only');

export const createSkillSchema = portableSkillSchema.extend({ workspaceId }).meta({ id: 'CreateSkill' });
export type CreateSkill = z.output<typeof createSkillSchema>;

export const updateSkillSchema = inputFields.partial();
export type UpdateSkill = z.output<typeof updateSkillSchema>;

/** A whole record, as GET answers it, is taken too: what belongs to the old one is left out. */
const importedSkill = portableSkillSchema
  .extend({
    id: z.unknown().optional(),
    workspaceId: z.unknown().optional(),
    createdAt: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
  })
  .meta({ id: 'ImportedSkill' });

export const importedSkillSchema = importedSkill.transform(
  ({ id: _i, workspaceId: _w, createdAt: _c, updatedAt: _u, ...skill }): PortableSkill => skill,
);

export const importSkillSchema = z
  .strictObject({
    content: z.string().max(1_000_000).optional().describe('the text of a SKILL.md'),
    skill: importedSkillSchema.optional().describe('the JSON of an export, or a record'),
    url: z.string().max(2048).optional().describe('https, of either'),
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

/** Stored as it is answered. Not strict, like everything stored: a later version may have added a field. */
export const skillSchema = z
  .object({
    id: z.uuid(),
    workspaceId: z.string().nullable().describe('null = for every workspace'),
    name: z.string(),
    slug: z.string().max(MAX_SLUG_LENGTH).describe('unique in its workspace, or among the global ones'),
    description: z.string(),
    systemPrompt: z.string(),
    steps: z.array(
      z.object({ instruction: z.string(), toolHint: z.string().optional() }).meta({ title: 'KeptSkillStep' }),
    ),
    allowedTools: z.array(z.string()).nullable(),
    parameters: z.array(z.object(parameterFields.shape).meta({ title: 'KeptSkillParameter' })),
    isEnabled: z.boolean(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: 'Skill' });
export type Skill = z.infer<typeof skillSchema>;

export const skillsQuery = pageQuery.extend({
  workspaceId: idSchema.optional().describe('its skills too, not the global ones alone'),
});
export const skillParams = z.object({ skillId: idSchema });
export const importQuery = z.object({
  workspaceId: idSchema.optional().describe('for a body that is no JSON; without it a global skill'),
});
export const skillExportQuery = z.object({ format: z.enum(['markdown', 'json']).default('markdown') });

/** Where the skills of a workspace are listed, or the global ones. */
export function skillsPartition(workspaceId: string | null): string {
  return workspaceId === null ? 'GLOBAL_SKILLS' : `SKILLS#${workspaceId}`;
}

/** Listed newest first through the index: ids are UUIDv7. */
export const skills = collection({
  kind: 'skill',
  schema: skillSchema,
  key: ({ id }: { id: string }) => ({ partition: 'SKILL', sort: id }),
  index: ({ workspaceId, id }) => ({ partition: skillsPartition(workspaceId), sort: id }),
});

/** Who holds a slug: makes two skills of one slug impossible without a transaction over two records. */
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
