import * as z from 'zod';
import { pastedGitUrl } from '../api-contract/pasted.ts';
import { idSchema } from '../identifiers.ts';
import { anyPath, filePath, rootPath } from '../paths/path-schema.ts';
import { timestampSchema } from '../ports/clock.ts';
import type { Records } from '../ports/records.ts';
import type { Commit } from '../ports/repositories.ts';
import { collection } from '../records/collection.ts';
import { beginning } from '../text/cut-text.ts';
import { askSchema } from '../workspaces/schema.ts';

export const cloneBody = z.strictObject({
  url: z.string().min(1).max(2048).overwrite(pastedGitUrl).meta({
    pattern: '^https://[^/?#@\\s]+/[^?#\\s]+$',
    description:
      'HTTPS URL of the repository, without a credential. The URL of SSH (`git@host:owner/name.git`) or of a page is read as it.',
  }),
  rootPath: rootPath.describe(
    'New or empty directory below one of WORKSPACE_ROOTS. A relative path starts at the first root.',
  ),
  ask: askSchema,
});
export type CloneBody = z.infer<typeof cloneBody>;

export const workspaceBody = z.strictObject({ workspaceId: idSchema });
export const workspaceQuery = z.object({ workspaceId: idSchema.describe('ID of the workspace.') });

const commit = z.string().describe('Commit hash, in hexadecimal.');
export const pulledSchema = z
  .strictObject({
    branch: z.string().describe('Name of the current branch.'),
    from: commit.describe('Commit before the pull, in hexadecimal.'),
    to: commit.describe('Commit after the pull, in hexadecimal.'),
    changedFiles: z.number().int().describe('Number of files that the pull changed.'),
  })
  .meta({ id: 'Pulled' });

const fileStatus = z
  .enum(['added', 'modified', 'deleted', 'untracked', 'conflicted'])
  .meta({ title: 'GitFileStatus' });
export const repositoryStatusSchema = z
  .strictObject({
    isGitRepo: z
      .boolean()
      .describe('Whether the workspace is a Git repository. Without one, the rest is empty.'),
    branch: z.string().nullable().describe('Name of the current branch. Null if none is checked out.'),
    clean: z.boolean().describe('Whether no file differs from the latest commit.'),
    modified: z
      .array(
        z.strictObject({
          path: z.string().describe('Path relative to the workspace.'),
          status: fileStatus,
          staged: z.boolean().describe('Whether the index differs from the last commit.'),
          unstaged: z.boolean().describe('Whether the file differs from the index.'),
        }),
      )
      .describe('Changed files, at most 10,000.'),
    branches: z.array(z.string()).describe('Names of the local branches, at most 500.'),
    canPush: z
      .boolean()
      .describe('Whether the workspace is a clone from a host for which a token is configured.'),
    hasUpstream: z
      .boolean()
      .describe('Whether the branch follows one of a remote. Without it, nothing can be pulled.'),
    ahead: z.number().int().describe('Number of local commits that the upstream does not have.'),
    behind: z.number().int().describe('Number of commits behind the upstream, as of the last clone or pull.'),
  })
  .meta({ id: 'RepositoryStatus' });
export type RepositoryState = z.infer<typeof repositoryStatusSchema>;

export const diffQuery = workspaceQuery.extend({
  path: filePath,
  staged: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` compares the index with the last commit. `false` compares the file with the index.'),
});
export const diffSchema = z
  .strictObject({
    path: z.string().describe('Path relative to the workspace.'),
    patch: z
      .string()
      .describe('Hunks in the unified format. Empty for a binary file, and if only the mode differs.'),
    binary: z.boolean().describe('Whether the file is not text, or over 16 MB.'),
    truncated: z.boolean().describe('Whether the end is missing: the maximum is 512 KB and 5,000 lines.'),
  })
  .meta({ id: 'FileDiff' });

export const logQuery = workspaceQuery.extend({
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Maximum number of commits.'),
  cursor: z
    .string()
    .max(100)
    .optional()
    .describe('Cursor from the `x-next-cursor` header of the previous page.'),
});
const MAX_SUBJECT = 500;
const MAX_BODY = 10_000;
const commitSchema = z
  .strictObject({
    hash: commit,
    author: z.string().describe('Name of the author.'),
    createdAt: timestampSchema.describe('Time at which the author wrote the commit.'),
    subject: z.string().describe(`First line of the message, at most ${MAX_SUBJECT} characters.`),
    body: z.string().describe(`Rest of the message, at most 10,000 characters.`),
  })
  .meta({ id: 'Commit' });
export const logSchema = z
  .strictObject({ commits: z.array(commitSchema).describe('Commits, newest first.') })
  .meta({ id: 'CommitLog' });

export function describeCommit({ hash, author, at, subject, body }: Commit): z.infer<typeof commitSchema> {
  const createdAt = new Date(Math.min(Math.max(at, 0), MAX_SECONDS) * 1000).toISOString();
  const [first, rest] = [beginning(subject, MAX_SUBJECT), beginning(body, MAX_BODY)];
  return { hash, author: beginning(author, MAX_SUBJECT), createdAt, subject: first, body: rest };
}

/** The end of the year 9999, because a commit may claim any time. */
const MAX_SECONDS = 253_402_300_799;

const paths = z
  .array(anyPath)
  .min(1)
  .max(1000)
  .describe('Changed files, or folders with changed files. An empty path is the whole workspace.');
export const pathsBody = workspaceBody.extend({ paths });
export const discardChangesBody = pathsBody.extend({
  untracked: z
    .boolean()
    .default(false)
    .describe('Whether to also delete files that are not tracked, which nothing can restore.'),
});
export const changedFilesSchema = z
  .strictObject({ changedFiles: z.number().int().describe('Number of changed files.') })
  .meta({ id: 'ChangedFiles' });

export const commitBody = workspaceBody.extend({
  message: z
    .string()
    .overwrite((text) => text.replace(/\r\n?/g, '\n').trim())
    .min(1)
    .max(20_000)
    .regex(/^[^\0]*$/, "can't contain a null character")
    .describe('Message of the commit. Its first line is the subject.'),
});
export const committedSchema = z
  .strictObject({ branch: z.string().describe('Name of the current branch.'), commit })
  .meta({ id: 'Committed' });

export const draftedMessageSchema = z
  .strictObject({ message: z.string().describe('Draft of the message. Its first line is the subject.') })
  .meta({ id: 'DraftedCommitMessage' });

export const branchBody = workspaceBody.extend({
  name: z.string().min(1).max(200).describe('Name of the branch.'),
  create: z.boolean().default(false).describe('Whether to create the branch at the current commit.'),
});
export const switchedSchema = z
  .strictObject({
    branch: z.string().describe('Name of the current branch.'),
    changedFiles: z.number().int().describe('Number of files that the switch changed.'),
  })
  .meta({ id: 'SwitchedBranch' });

export const pushRequest = workspaceBody.extend({
  confirm: z.literal(true).describe('Always true, because a push publishes commits.'),
});

/**
 * The source of the clone in a workspace. Only this URL receives the service's token, because any user who
 * may write to the workspace could have changed the clone's own configuration.
 */
export const clones = collection({
  kind: 'git-clone',
  schema: z.object({ workspaceId: z.string(), url: z.string() }),
  key: ({ workspaceId }: { workspaceId: string }) => ({ partition: `CLONE#${workspaceId}`, sort: 'CLONE' }),
});

/** Forgets the source of a deleted workspace's clone. */
export async function dropClone(records: Records, workspaceId: string): Promise<void> {
  await clones.delete(records, { workspaceId });
}
