import * as z from 'zod';
import { pastedWord } from '../api-contract/pasted.ts';
import { scheduleFault } from '../api-contract/schedule.ts';
import { idSchema } from '../identifiers.ts';
import { foldPath } from '../paths/entry-path.ts';
import { expiryAfter, timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { toFileName } from '../text/file-name.ts';
import { flagField } from '../validation/flag-field.ts';
import { keyField, urlField } from '../validation/pasted-fields.ts';
import { workspaceParams } from '../workspaces/schema.ts';

const MAX_NAME = 60;
const GB = 1024 ** 3;
/** Folders of saved pages and papers next to those of sources. */
const TAKEN = ['web', 'papers'];

const maxBytes = z
  .int()
  .min(1)
  .max(1000 * GB)
  .describe('Maximum bytes of all files together. Files beyond it are left out.');
const maxFiles = z.int().min(1).max(50_000).describe('Maximum number of files. Others are left out.');
const schedule = z
  .string()
  .max(200, { abort: true })
  .overwrite((text) => pastedWord(text).replace(/\s+/g, ' '))
  .refine(
    (text) => scheduleFault(text.split(' ')) === undefined,
    'must be a cron expression with five fields',
  )
  .describe('Cron expression in UTC: minute, hour, day of month, month, and weekday.');
const apiKey = z
  .string()
  .overwrite(pastedWord)
  .regex(/^[A-Za-z0-9]{10,100}$/, 'must be an API key of Zotero')
  .describe('Zotero: API key, from https://www.zotero.org/settings/keys. It is stored as a secret.');

const name = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME)
  .refine((text) => text === toFileName(text, MAX_NAME) && !/^\.|\.$/.test(text), 'must be a folder name')
  .refine((text) => !TAKEN.includes(foldPath(text)), 'must not be web or papers')
  .meta({ pattern: '\\S' })
  .describe('Name of the source. Its files are in `sources/<name>/`.');

const SOURCE_KINDS = ['zotero', 'webdav', 's3'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];
const kind = z.enum(SOURCE_KINDS).meta({ title: 'SourceKind' }).describe('Kind of the source.');

const webUrl = urlField(
  /^https?$/,
  'must be an https URL such as https://cloud.example.org/remote.php/dav/files/ann',
).refine((text) => {
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === '';
}, 'must have no user name, password, query, or fragment');
const secret = (text: string) => z.string().min(1).max(1000).describe(`${text} It is stored as a secret.`);
const groupId = z.int().positive().nullable();

/** The settings of each kind of source. */
export const sourceSettings = {
  zotero: z.strictObject({
    apiKey,
    groupId: groupId
      .optional()
      .describe("Zotero: ID of a group, for its library. By default, the own library of the API key's user."),
  }),
  webdav: z.strictObject({
    url: webUrl.describe('WebDAV: URL of the folder.'),
    user: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^:]*$/, "can't contain a colon")
      .describe('WebDAV: name of the user.'),
    password: secret('WebDAV: password of the user, best one for apps only.'),
  }),
  s3: z.strictObject({
    endpoint: webUrl.optional().describe("S3: URL of a service with the same API. By default, Amazon's."),
    region: z
      .string()
      .overwrite(pastedWord)
      .regex(/^[a-z0-9-]{1,40}$/, 'must be a region such as eu-central-1')
      .describe('S3: region of the bucket.'),
    bucket: z
      .string()
      .overwrite(pastedWord)
      .regex(/^(?!.*\.\.)[A-Za-z0-9][\w.-]{1,62}$/, 'must be the name of a bucket')
      .describe('S3: name of the bucket.'),
    prefix: z
      .string()
      .max(500)
      .overwrite((text) => (text === '' || text.endsWith('/') ? text : `${text}/`))
      .default('')
      .describe('S3: folder in the bucket, such as `papers/`. By default, the whole bucket.'),
    accessKeyId: z
      .string()
      .overwrite(pastedWord)
      .regex(/^\w{3,128}$/, 'must be the ID of an access key')
      .describe('S3: ID of the access key.'),
    secretAccessKey: keyField
      .min(1)
      .max(1000)
      .describe('S3: secret of the access key. It is stored as a secret.'),
  }),
};

/** The setting of each kind that is stored as a secret, and those that can be changed with it. */
export const SECRET_SETTINGS = {
  zotero: { secret: 'apiKey', changeable: ['apiKey'] },
  webdav: { secret: 'password', changeable: ['user', 'password'] },
  s3: { secret: 'secretAccessKey', changeable: ['accessKeyId', 'secretAccessKey'] },
} as const satisfies Record<SourceKind, { secret: string; changeable: string[] }>;

/** One object, not a union, because clients and error messages read a union as all of its members at once. */
const anySettings = z.strictObject({
  ...sourceSettings.zotero.shape,
  ...sourceSettings.webdav.shape,
  ...sourceSettings.s3.shape,
  prefix: sourceSettings.s3.shape.prefix.unwrap(),
});
export type SourceSettings = Partial<z.output<typeof anySettings>>;

export const createSourceBody = z
  .strictObject({
    name,
    kind,
    config: anySettings
      .partial()
      .meta({ title: 'SourceSettings' })
      .describe('Settings of the source: `apiKey` and `groupId`, or those that begin with its kind.'),
    schedule: schedule.optional(),
    maxBytes: maxBytes.default(20 * GB),
    maxFiles: maxFiles.default(20_000),
  })
  .superRefine(({ kind, config }, context) => {
    const { error } = sourceSettings[kind].safeParse(config);
    for (const issue of error?.issues ?? [])
      context.addIssue({ ...issue, path: ['config', ...issue.path] } as never);
  })
  .meta({ id: 'CreateSource' });
export type CreateSource = z.output<typeof createSourceBody>;

export const changeSourceBody = z
  .strictObject({
    config: anySettings
      .pick({ apiKey: true, user: true, password: true, accessKeyId: true, secretAccessKey: true })
      .partial()
      .meta({ title: 'SourceCredentials' })
      .describe('Other credentials for the same library, folder, or bucket.'),
    schedule: schedule.nullable().describe('Cron expression in UTC. Null removes the schedule.'),
    maxBytes,
    maxFiles,
  })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'must have config, schedule, maxBytes, or maxFiles',
  })
  .meta({ id: 'ChangeSource', minProperties: 1 });
export type ChangeSource = z.output<typeof changeSourceBody>;

const count = z.int();
/** Not strict, like all that is stored, because a later version may have added a field. */
const countsSchema = z
  .object({
    added: count.describe('Number of new files.'),
    updated: count.describe('Number of files with new contents.'),
    moved: count.describe('Number of files with a new name or folder.'),
    trashed: count.describe(
      "Number of files that no longer exist at the source, moved to the source's trash.",
    ),
    conflicts: count.describe(
      'Number of files that were changed here and at the source. None was overwritten.',
    ),
    skipped: count.describe('Number of files that were left out, with their reasons in `changes`.'),
    failed: count.describe('Number of files that failed. The next sync tries them again.'),
  })
  .meta({ title: 'SourceCounts' });
export type SourceCounts = z.infer<typeof countsSchema>;
export const NO_SYNC_COUNTS: SourceCounts = {
  ...{ added: 0, updated: 0, moved: 0, trashed: 0, conflicts: 0, skipped: 0, failed: 0 },
};

const SOURCE_ACTIONS = ['add', 'update', 'move', 'trash', 'conflict', 'skip', 'fail'] as const;
/** Its first three are conflicts with changes by people, the last three failures. */
const SOURCE_REASONS = [
  'changed_here',
  'deleted_here',
  'path_taken',
  'kind',
  'missing',
  'size',
  'quota',
  'checksum',
  'unreachable',
  'write',
] as const;
export type SourceReason = (typeof SOURCE_REASONS)[number];

const changeSchema = z
  .object({
    path: z.string().describe('Path of the file, relative to the workspace.'),
    action: z
      .enum(SOURCE_ACTIONS)
      .meta({ title: 'SourceAction' })
      .describe('What happened, or would happen.'),
    reason: z
      .enum(SOURCE_REASONS)
      .meta({ title: 'SourceReason' })
      .optional()
      .describe('Reason of a conflict, of a file that was left out, or of a failure.'),
    beside: z.string().optional().describe("Path of the source's version of a file that was changed here."),
  })
  .meta({ title: 'SourceFileChange' });
export type SourceFileChange = z.infer<typeof changeSchema>;

const runShape = {
  id: z.uuid(),
  dryRun: z.boolean().describe('Whether the run only lists what would change.'),
  trigger: z.enum(['manual', 'schedule']).meta({ title: 'SourceTrigger' }),
  status: z
    .enum(['waiting', 'running', 'success', 'error', 'stopped'])
    .meta({ title: 'SourceRunStatus' })
    .describe('Status of the run. `stopped` if the source was deleted.'),
  startedAt: timestampSchema.describe('Time at which the run was requested.'),
  finishedAt: timestampSchema.nullable().describe('End of the run. Null until it has ended.'),
  error: z.string().nullable().describe('Reason why the run failed. Null otherwise.'),
  requests: count.describe('Number of requests to the source.'),
  done: count.describe('Number of changes that are done.'),
  total: count.nullable().describe('Number of changes to make. Null until the source was listed.'),
  counts: countsSchema.describe('Results so far.'),
  changes: z.array(changeSchema).describe('The changes, at most 200. Conflicts and failures come first.'),
};
export const sourceRunSchema = z.strictObject(runShape).meta({ id: 'SourceRun' });
export type SourceRun = z.infer<typeof sourceRunSchema>;
export const MAX_CHANGES = 200;

/** Fields of the source's kind only. Not strict, and without the rules of what people send, like all that is stored. */
const shownSettings = z
  .object({
    userId: z.int().describe("Zotero: ID of the API key's user."),
    userName: z.string().describe("Zotero: name of the API key's user."),
    groupId: z.int().nullable().describe('Zotero: ID of the group. Null for the own library of the user.'),
    url: z.string().describe('WebDAV: URL of the folder.'),
    user: z.string().describe('WebDAV: name of the user.'),
    endpoint: z.string().describe("S3: URL of a service with the same API. Missing for Amazon's."),
    region: z.string().describe('S3: region of the bucket.'),
    bucket: z.string().describe('S3: name of the bucket.'),
    prefix: z.string().describe('S3: folder in the bucket. Empty for the whole bucket.'),
    accessKeyId: z.string().describe('S3: ID of the access key.'),
  })
  .partial();
export type ShownSettings = z.infer<typeof shownSettings>;

const shownShape = {
  id: z.uuid(),
  name: z.string().describe('Name of the source.'),
  kind,
  config: shownSettings
    .meta({ title: 'ShownSourceSettings' })
    .describe('Settings of the source, without its secret.'),
  taskId: z
    .string()
    .nullable()
    .describe('ID of the scheduled task that syncs the source. Null without a schedule.'),
  maxBytes,
  maxFiles,
  createdBy: z.string().describe('ID of the credential that added the source.'),
  createdAt: timestampSchema,
};

export const workspaceSourceSchema = z
  .strictObject({
    ...shownShape,
    schedule: z.string().nullable().describe('Cron expression in UTC. Null without a schedule.'),
    path: z.string().describe('Folder of the files, relative to the workspace.'),
    lastRun: sourceRunSchema
      .omit({ changes: true })
      .nullable()
      .describe('The run in progress or, without one, the latest. Null before the first one.'),
  })
  .meta({ id: 'Source' });
export type WorkspaceSource = z.infer<typeof workspaceSourceSchema>;

/** The maximum number of sources of a workspace, because each is found by listing all. */
export const MAX_SOURCES = 20;
/** Where the scheduler tick finds sources with unfinished work. */
export const SOURCE_WORK = 'SOURCE_WORK';

export const sources = collection({
  kind: 'source',
  schema: z.object({
    ...shownShape,
    workspaceId: z.string(),
    /** The position in the source from which the next listing continues. */
    position: z.string().nullable(),
    /** True while what is known of the source isn't all stored as files. */
    isPending: z.boolean(),
    lastRunId: z.string().nullable(),
    isActive: z.boolean(),
    /** Set once the source is deleted: the worker removes its records and, by default, its files. */
    removing: z.enum(['files', 'record']).nullable(),
    /** The lease of the worker, which alone changes files. */
    owner: z.string(),
    leaseUntil: timestampSchema,
    version: z.int(),
  }),
  // A name exists once per workspace, because it is a folder.
  key: ({ workspaceId, name }: { workspaceId: string; name: string }) => ({
    partition: sourcesPartition(workspaceId),
    sort: foldPath(name),
  }),
  index: ({ isActive, removing, leaseUntil, id }) =>
    isActive || removing !== null ? { partition: SOURCE_WORK, sort: `${leaseUntil}#${id}` } : undefined,
});
export type StoredSource = NonNullable<Awaited<ReturnType<typeof sources.get>>>;

export function sourcesPartition(workspaceId: string): string {
  return `SOURCES#${workspaceId}`;
}

/** Seconds for which the history is kept. */
const KEEP_RUN_SECONDS = 90 * 24 * 60 * 60;

export const sourceRuns = collection({
  kind: 'source-run',
  schema: z.object({ ...runShape, sourceId: z.string() }),
  key: ({ sourceId, id }: { sourceId: string; id: string }) => ({
    partition: sourceRunsPartition(sourceId),
    sort: id,
  }),
  expiresAt: ({ startedAt }) => expiryAfter({ now: () => Date.parse(startedAt) }, KEEP_RUN_SECONDS),
});
export type StoredSourceRun = NonNullable<Awaited<ReturnType<typeof sourceRuns.get>>>;

export function sourceRunsPartition(sourceId: string): string {
  return `SOURCE_RUNS#${sourceId}`;
}

/** An object as the source describes it. A sync derives the files from all objects of the source. */
export const sourceObjects = collection({
  kind: 'source-object',
  schema: z.object({ sourceId: z.string(), key: z.string(), json: z.string() }),
  key: ({ sourceId, key }: { sourceId: string; key: string }) => ({
    partition: sourceObjectsPartition(sourceId),
    sort: key,
  }),
});

export function sourceObjectsPartition(sourceId: string): string {
  return `SOURCE_OBJECTS#${sourceId}`;
}

/** What the latest sync wrote for a file: the base of the next comparison. */
export const sourceFiles = collection({
  kind: 'source-file',
  schema: z.object({
    sourceId: z.string(),
    id: z.string(),
    path: z.string(),
    hash: z.string(),
    size: z.int(),
    /** The version at the source. */
    version: z.string(),
    /** The SHA-256 of what the source says about the document. */
    factsHash: z.string(),
    /** `gone` if a person deleted or moved it; `conflict` if a person changed it, and the source did too. */
    state: z.enum(['present', 'trashed', 'gone', 'conflict']),
    /** The hash of contents that are being written, and where the file is being moved: set before, null afterwards. */
    writing: z.string().nullable(),
    movingTo: z.string().nullable(),
    /** The version of the source next to a changed file. */
    beside: z.object({ path: z.string(), hash: z.string() }).nullable(),
    trashedAt: timestampSchema.nullable(),
  }),
  key: ({ sourceId, id }: { sourceId: string; id: string }) => ({
    partition: sourceFilesPartition(sourceId),
    sort: id,
  }),
});
export type StoredSourceFile = NonNullable<Awaited<ReturnType<typeof sourceFiles.get>>>;

export function sourceFilesPartition(sourceId: string): string {
  return `SOURCE_FILES#${sourceId}`;
}

export const sourceParams = workspaceParams.extend({ sourceId: idSchema.describe('ID of the source.') });
export const syncSourceQuery = z.object({
  dryRun: flagField('Whether to only list what would change, in the `changes` of the run.'),
});
export const deleteSourceQuery = z.object({
  keepFiles: flagField('Whether the files stay. Files that were changed here stay anyway.'),
});

/** Asks the worker for the work of a source: a run, or its removal. */
export const sourceMessageSchema = z.object({
  kind: z.literal('source'),
  workspaceId: z.string(),
  name: z.string(),
});
export type SourceMessage = z.infer<typeof sourceMessageSchema>;
