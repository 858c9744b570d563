import * as z from 'zod';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';

export const MAX_RULES = 100;
const MAX_PATTERN = 300;
const MAX_WILDCARDS = 10;

export const actionSchema = z.enum(['allow', 'ask', 'deny']).meta({ title: 'PermissionAction' });
export type Action = z.infer<typeof actionSchema>;

export const patternSchema = z
  .string()
  .min(1)
  .max(MAX_PATTERN, { abort: true })
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must be well-formed Unicode without NUL')
  .refine(
    (text) => text.split('*').length - 1 <= MAX_WILDCARDS,
    `must have at most ${MAX_WILDCARDS} wildcards`,
  );

/** Tools of outside servers are not known beforehand: any name that a tool may have, and `*` for a part of it. */
const toolSchema = z
  .string()
  .regex(/^[\w*-]{1,128}$/, {
    error: 'must be the name of a tool, such as bash, `mcp__github__*` or `*`',
    abort: true,
  })
  .refine(
    (text) => text.split('*').length - 1 <= MAX_WILDCARDS,
    `must have at most ${MAX_WILDCARDS} wildcards`,
  );

/** Which calls: for a task, what it may do without being asked. */
export const grantSchema = z.strictObject({ tool: toolSchema, pattern: patternSchema });
export type Grant = z.infer<typeof grantSchema>;

export const ruleSchema = grantSchema.extend({ action: actionSchema }).meta({ id: 'PermissionRule' });
export type Rule = z.infer<typeof ruleSchema>;

/** Who made a rule, and when: the service's to say, and ignored where a client sends it back. */
const keptRuleSchema = z
  .object({
    ...ruleSchema.shape,
    addedBy: z.string().describe('the id of the credential'),
    addedAt: timestampSchema,
    answeredCall: z.string().nullable().default(null).describe('the call that "always" was the answer to'),
  })
  .meta({ id: 'KeptPermissionRule' });
export type KeptRule = z.infer<typeof keptRuleSchema>;

export const permissionsSchema = z
  .strictObject({
    rules: z.array(keptRuleSchema).describe('the last that fits a call wins'),
    defaults: z.array(ruleSchema).describe('stand before the rules, and are the same for all workspaces'),
  })
  .meta({ id: 'Permissions' });
export type Permissions = z.infer<typeof permissionsSchema>;

const sentRuleSchema = z.strictObject({
  ...ruleSchema.shape,
  ...keptRuleSchema.partial().pick({ addedBy: true, addedAt: true, answeredCall: true }).shape,
});

export const putPermissionsSchema = z
  .strictObject({ rules: z.array(sentRuleSchema).max(MAX_RULES).describe('all of them, in their order') })
  .meta({ id: 'PutPermissions' });
export type PutPermissions = z.output<typeof putPermissionsSchema>;

const storedRulesSchema = z.object({
  workspaceId: z.string(),
  rules: z.array(keptRuleSchema),
  /** Tells one version from the next. */
  version: z.int(),
});
export type StoredRules = z.infer<typeof storedRulesSchema>;

/** All rules of a workspace are one record: an answer and a change of them cannot come between one another. */
export const storedRules = collection({
  kind: 'permission-rules',
  schema: storedRulesSchema,
  key: ({ workspaceId }: { workspaceId: string }) => ({
    partition: `PERMISSIONS#${workspaceId}`,
    sort: 'RULES',
  }),
});
