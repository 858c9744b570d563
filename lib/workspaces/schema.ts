import { createHash } from 'node:crypto';
import * as z from 'zod';
import { memberFields } from '../access/members.ts';
import { ASK_MODES } from '../api-contract/rule-table.ts';
import { derivedId, idSchema } from '../identifiers.ts';
import { rootPath } from '../paths/path-schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { citationJudgeSchema } from '../support/judge-setting.ts';

const exampleLanguage = z.enum(['en', 'zh-CN']).meta({ title: 'ExampleLanguage' });
export type ExampleLanguage = z.infer<typeof exampleLanguage>;

/** The fields of a workspace that the API shows. A field that isn't listed here is private. */
export const publicWorkspaceSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    rootPath: z.string().describe('Absolute path of the folder, with symbolic links resolved.'),
    createdAt: timestampSchema,
    example: exampleLanguage
      .optional()
      .describe('Language of the example that the workspace was created as. Absent for other workspaces.'),
  })
  .meta({ id: 'Workspace' });
/**
 * The stored workspace, with its members and settings, so that one read returns a consistent state. Not strict, because
 * a later version may store more.
 */
const storedWorkspaceSchema = publicWorkspaceSchema.extend({
  members: z.array(z.object(memberFields)).optional(),
  /** Changes with each update of the members. */
  membersStamp: z.string().optional(),
  citationJudge: citationJudgeSchema.optional(),
  /** True if it has, or once had, bibliographies or saved web pages (lib/documents/fact-sources.ts). */
  hasBibliographies: z.boolean().optional(),
  hasWebPages: z.boolean().optional(),
});
/** A workspace as stored. `describeWorkspace()` returns its public part. */
export type Workspace = z.infer<typeof storedWorkspaceSchema>;

/** Returns the workspace as the API shows it. Its members and settings have their own routes. */
export function describeWorkspace(workspace: Workspace): z.infer<typeof publicWorkspaceSchema> {
  return publicWorkspaceSchema.parse(workspace);
}

/** The first rules of a new workspace. If absent, it has no rules of its own, and the default rules apply. */
export const askSchema = z
  .enum(ASK_MODES)
  .optional()
  .describe(
    'First permission rules of a new workspace: the agent asks before it changes files or runs commands (`changes`), before it runs commands (`commands`), or about neither (`never`, the default). A workspace that exists keeps its rules. Without effect where rules cannot be set.',
  );

const nameSchema = z.string().min(1).max(200);

export const createWorkspaceSchema = z.strictObject({
  path: rootPath,
  name: nameSchema.optional().describe('Name of the workspace. Defaults to the last part of the path.'),
  ask: askSchema,
  create: z
    .boolean()
    .optional()
    .describe('Whether a missing directory is created, as by default. Otherwise it is `path_not_found`.'),
});

export const renameWorkspaceSchema = z.strictObject({
  name: nameSchema.trim().min(1).describe('New name of the workspace. Its folder keeps its own.'),
});

export const exampleBody = z.strictObject({
  language: exampleLanguage
    .default('en')
    .describe('Language of the answers and the report. The papers are in English and Chinese.'),
});

export const exampleSchema = publicWorkspaceSchema
  .extend({
    conversationId: z.string().describe('ID of the conversation of the example.'),
    runId: z.uuid().describe('ID of the report of the example.'),
  })
  .meta({ id: 'ExampleWorkspace' });

export const workspaceParams = z.object({ workspaceId: idSchema.describe('ID of the workspace.') });

/** The list is in order of time, because the IDs are UUIDv7. */
export const workspaces = collection({
  kind: 'workspace',
  schema: storedWorkspaceSchema,
  key: ({ id }: { id: string }) => ({ partition: 'WORKSPACE', sort: id }),
});

/**
 * Returns the ID of the workspace for chats that are linked to a whole root (lib/bots/work/directory.ts). It
 * doesn't claim the directory.
 */
export function rootWorkspaceId(rootPath: string): string {
  return derivedId(0, `root ${rootPath}`);
}

export const ROOTS = 'WORKSPACE_ROOT';
/** Seconds after which an unfinished claim no longer blocks the places around it. */
const UNSETTLED_SECONDS = 60;
/**
 * The maximum number of path bytes in a sort key, which has at most 1024 bytes. A longer path keeps its
 * start, for prefix queries, and ends with its hash.
 */
const MAX_PREFIX_BYTES = 900;

const rootClaimSchema = z.object({
  rootPath: z.string(),
  workspaceId: z.string(),
  state: z.enum(['looking', 'settled']),
  workspace: publicWorkspaceSchema,
});
export type RootClaim = z.infer<typeof rootClaimSchema>;

/**
 * The holder of a directory. Prevents two workspaces in one place without a transaction over two records. Found only by
 * its primary key, because a secondary index on DynamoDB lags behind.
 */
export const rootClaims = collection({
  kind: 'workspace-root',
  schema: rootClaimSchema,
  key: ({ rootPath }: { rootPath: string }) => ({ partition: ROOTS, sort: claimSort(rootPath) }),
  expiresAt: ({ state, workspace }) =>
    state === 'settled' ? undefined : Math.floor(Date.parse(workspace.createdAt) / 1000) + UNSETTLED_SECONDS,
});

export function newClaim(workspace: Workspace): RootClaim {
  return { rootPath: workspace.rootPath, workspaceId: workspace.id, state: 'looking', workspace };
}

function claimSort(rootPath: string): string {
  const prefix = claimPrefix(rootPath);
  return prefix === `${rootPath}/` ? prefix : prefix + createHash('sha256').update(rootPath).digest('hex');
}

/** Returns the start of the sort keys of a directory and of everything below it. */
export function claimPrefix(rootPath: string): string {
  const bytes = Buffer.from(rootPath.endsWith('/') ? rootPath : `${rootPath}/`).subarray(0, MAX_PREFIX_BYTES);
  return bytes.toString('utf8').replace(/\uFFFD$/, '');
}
