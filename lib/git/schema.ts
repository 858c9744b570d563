import * as z from 'zod';
import { pastedGitUrl } from '../api-contract/pasted.ts';
import { idSchema } from '../identifiers.ts';
import { rootPath } from '../paths/path-schema.ts';
import type { Records } from '../ports/records.ts';
import { collection } from '../records/collection.ts';
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
      .array(z.strictObject({ path: z.string(), status: fileStatus }))
      .describe('Changed files, at most 10,000.'),
    hasUpstream: z
      .boolean()
      .describe('Whether the branch follows one of a remote. Without it, nothing can be pulled.'),
    ahead: z.number().int().describe('Number of local commits that the upstream does not have.'),
    behind: z.number().int().describe('Number of commits behind the upstream, as of the last clone or pull.'),
  })
  .meta({ id: 'RepositoryStatus' });
export type RepositoryState = z.infer<typeof repositoryStatusSchema>;

/**
 * The source of the clone in a workspace. Only this URL receives the service's token, because any user who may write to
 * the workspace could have changed the clone's own configuration.
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
