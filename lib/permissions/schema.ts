import * as z from 'zod';
import { HOST_NAME, MAX_HOSTS } from '../api-contract/host-name.ts';
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

/**
 * Accepts any valid tool name, in which `*` may replace a part, because tools of external servers aren't
 * known in advance.
 */
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

/** The matching calls. In a task, these are the calls that it may make without approval. */
export const grantSchema = z.strictObject({
  tool: toolSchema.describe('Name of the tool, with `*` for any part of it.'),
  pattern: patternSchema.describe(
    'Pattern of the argument that the tool is matched by, with `*` for any text.',
  ),
});
export type Grant = z.infer<typeof grantSchema>;

const ruleSchema = grantSchema.extend({ action: actionSchema }).meta({ id: 'PermissionRule' });
export type Rule = z.infer<typeof ruleSchema>;

/** A rule with its author and time. The service sets both and ignores them in requests. */
const storedRuleSchema = z.object({
  ...ruleSchema.shape,
  addedBy: z.string().describe('ID of the credential that added the rule.'),
  addedAt: timestampSchema,
  answeredCall: z.string().nullable().describe('Call that was answered with "always".'),
});
export type StoredRule = z.infer<typeof storedRuleSchema>;

const keptRuleSchema = storedRuleSchema
  .extend({
    addedByName: z
      .string()
      .optional()
      .describe('Name of the user or the token that added the rule, as far as it is known.'),
  })
  .meta({ id: 'KeptPermissionRule' });

const networkSchema = z
  .array(
    z
      .string()
      .regex(
        HOST_NAME,
        'must be a host name in lower case, such as registry.npmjs.org, without scheme, port, and path',
      ),
  )
  .max(MAX_HOSTS)
  .refine((hosts) => new Set(hosts).size === hosts.length, "can't contain a host twice");

/** Why commands of this host can leave their sandbox, so that they need approval. */
const sandboxGapSchema = z
  .enum(['missing', 'network', 'unbounded', 'elsewhere'])
  .meta({ title: 'SandboxGap' });
export type SandboxGap = z.infer<typeof sandboxGapSchema>;

export const permissionsSchema = z
  .strictObject({
    rules: z
      .array(keptRuleSchema)
      .describe('Rules of the workspace. The last rule that matches a call applies.'),
    defaults: z
      .array(ruleSchema)
      .describe('Default rules of all workspaces. They are evaluated before the rules of the workspace.'),
    lockedBy: z
      .enum(['loopback', 'records'])
      .nullable()
      .describe(
        'Reason why the rules cannot be changed on this host: commands reach the service without sign-in (`loopback`), or its records without a sandbox (`records`). What they ask about is denied. Null if they can be changed.',
      ),
    sandboxed: z
      .boolean()
      .describe(
        'Whether a rule that asks about every command does not ask about commands that cannot leave the sandbox.',
      ),
    sandboxGap: sandboxGapSchema
      .nullable()
      .describe(
        'Reason why `sandboxed` and `network` have no effect on this host: commands have no sandbox (`missing`), the network of the host (`network`), no limit of memory, processes, and hosts (`unbounded`), or run in another function (`elsewhere`). Null if they cannot leave the sandbox.',
      ),
    network: networkSchema.describe(
      'Hosts that commands of the workspace may reach over HTTPS and HTTP, although they have no network. Commands can send them the contents of the workspace.',
    ),
  })
  .meta({ id: 'Permissions' });
export type Permissions = z.infer<typeof permissionsSchema>;

const sentRuleSchema = z.strictObject({
  ...ruleSchema.shape,
  ...keptRuleSchema.partial().pick({ addedBy: true, addedByName: true, addedAt: true, answeredCall: true })
    .shape,
});

export const putPermissionsSchema = z
  .strictObject({
    rules: z.array(sentRuleSchema).max(MAX_RULES).describe('All rules of the workspace, in their order.'),
    sandboxed: z
      .boolean()
      .optional()
      .describe(
        'Whether commands that cannot leave the sandbox run without a question. True needs the role `admin` in the workspace. By default, unchanged.',
      ),
    network: networkSchema
      .optional()
      .describe(
        'All hosts that commands of the workspace may reach, by their exact names. Another host needs the role `admin` in the workspace. By default, unchanged.',
      ),
  })
  .meta({ id: 'PutPermissions' });
export type PutPermissions = z.output<typeof putPermissionsSchema>;

const storedRulesSchema = z.object({
  workspaceId: z.string(),
  rules: z.array(storedRuleSchema),
  /** Absent means false. */
  sandboxed: z.boolean().optional(),
  /** Absent means that the list is empty. */
  network: z.array(z.string()).optional(),
  /** The version of the stored rules, which detects concurrent changes. */
  version: z.int(),
});

export type StoredPermissions = z.infer<typeof storedRulesSchema>;

/** All rules of a workspace are in one record, so that an answer and a change can't interleave. */
export const storedRules = collection({
  kind: 'permission-rules',
  schema: storedRulesSchema,
  key: ({ workspaceId }: { workspaceId: string }) => ({
    partition: `PERMISSIONS#${workspaceId}`,
    sort: 'RULES',
  }),
});
