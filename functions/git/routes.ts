import { InvalidInput } from '../../lib/errors.ts';
import {
  changeIndex,
  commitStaged,
  discardChanges,
  pushWorkspace,
  requireRepository,
  switchBranch,
} from '../../lib/git/changes.ts';
import { cloneWorkspace, type GitPorts } from '../../lib/git/clone.ts';
import { draftMessage } from '../../lib/git/draft-message.ts';
import { listCommits } from '../../lib/git/log.ts';
import { describeRepository, pullWorkspace } from '../../lib/git/repository.ts';
import {
  branchBody,
  changedFilesSchema,
  cloneBody,
  commitBody,
  committedSchema,
  describeCommit,
  diffQuery,
  diffSchema,
  discardChangesBody,
  draftedMessageSchema,
  logQuery,
  logSchema,
  pathsBody,
  pulledSchema,
  pushRequest,
  repositoryStatusSchema,
  switchedSchema,
  workspaceBody,
  workspaceQuery,
} from '../../lib/git/schema.ts';
import { pageHeaders, reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { splitPath } from '../../lib/paths/confine.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import { MODEL_ERRORS } from '../../lib/ports/language-model.ts';
import {
  GIT_BRANCH_ERRORS,
  GIT_CHANGE_ERRORS,
  GIT_COMMIT_ERRORS,
  GIT_ERRORS,
  GIT_HOST_ERRORS,
  GIT_PULL_ERRORS,
  GIT_PUSH_ERRORS,
} from '../../lib/ports/repositories.ts';
import { CREATE_WORKSPACE_ERRORS } from '../../lib/workspaces/registry.ts';
import { describeWorkspace, publicWorkspaceSchema } from '../../lib/workspaces/schema.ts';

const route = routeFor<GitPorts>();
const EXAMPLE_ID = '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11';
const CHANGE_ERRORS = [
  ...PATH_ERRORS,
  ...GIT_CHANGE_ERRORS,
  'git_no_changes',
  'git_repository_missing',
] as const;

/** Shared by the two routes that change the index by paths. */
const OF_PATHS = {
  access: 'member' as const,
  body: pathsBody,
  example: { workspaceId: EXAMPLE_ID, paths: ['notes/owls.md'] },
  mayBeLate: true as const,
  replies: { 200: changedFilesSchema },
  errors: CHANGE_ERRORS,
  workspace: ({ body }: { body: { workspaceId: string } }) => body.workspaceId,
};

export const gitRoutes = [
  route({
    method: 'POST',
    path: '/api/git/clone',
    operationId: 'cloneRepository',
    summary: 'Clone a repository',
    description:
      'Clones the latest state of a repository into a new or empty directory, which becomes a workspace. The clone completes within 300 seconds or leaves nothing behind. Only HTTPS is supported, and the address must be public unless `CODE_HOST_ALLOW_PRIVATE=true`. `CODE_HOST_TOKEN` gives access to private repositories on `CODE_HOST`.',
    access: 'member',
    body: cloneBody,
    example: { url: 'https://example.com/owls/notes.git', rootPath: 'notes' },
    mayBeLate: true,
    replies: { 201: publicWorkspaceSchema },
    errors: [...PATH_ERRORS, ...CREATE_WORKSPACE_ERRORS, ...GIT_HOST_ERRORS],
    handle: async ({ body, caller }, ports) =>
      reply(201, describeWorkspace(await cloneWorkspace(ports, caller, body))),
  }),
  route({
    method: 'POST',
    path: '/api/git/pull',
    operationId: 'pullRepository',
    summary: 'Pull a repository',
    description:
      'Updates a clone to the state of its upstream branch within 120 seconds. Only fast-forward is supported: if the branches have diverged or local changes would be overwritten, nothing is changed and the response is 409.',
    access: 'member',
    body: workspaceBody,
    example: { workspaceId: EXAMPLE_ID },
    mayBeLate: true,
    replies: { 200: pulledSchema },
    errors: [...PATH_ERRORS, ...GIT_PULL_ERRORS, 'git_repository_missing'],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, caller }, ports) {
      return reply(200, requireRepository(await pullWorkspace(ports, workspace, caller.id)));
    },
  }),
  route({
    method: 'GET',
    path: '/api/git/status',
    operationId: 'getRepositoryStatus',
    summary: 'Get the status of a repository',
    description:
      'Returns what changed since the last commit. `isGitRepo` is false if `.git` is a file or contains symbolic links, because these can point outside the workspace.',
    access: 'viewer',
    query: workspaceQuery,
    mayBeLate: true,
    replies: { 200: repositoryStatusSchema },
    errors: [...PATH_ERRORS, ...GIT_ERRORS],
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace }, ports) => reply(200, await describeRepository(ports, workspace)),
  }),
  route({
    method: 'GET',
    path: '/api/git/diff',
    operationId: 'getFileDiff',
    summary: 'Get the difference of a file',
    description:
      'Returns what changed in one file, in the unified format. A file that is not tracked is returned as new.',
    access: 'viewer',
    query: diffQuery,
    mayBeLate: true,
    replies: { 200: diffSchema },
    errors: [...PATH_ERRORS, ...GIT_ERRORS, 'git_repository_missing'],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, query }, ports) {
      const path = splitPath(query.path).join('/');
      if (path === '')
        throw new InvalidInput('not_a_file', 'path is the workspace itself.', { field: 'path' });
      const asked = { path, staged: query.staged === 'true' };
      const found = requireRepository(await ports.repositories.diff(workspace.rootPath, asked));
      const { patch, isBinary: binary, isCut: truncated } = found;
      return reply(200, { path, patch, binary, truncated });
    },
  }),
  route({
    method: 'GET',
    path: '/api/git/log',
    operationId: 'listCommits',
    summary: 'List commits',
    description:
      'Lists the commits of the current branch, newest first. A clone contains only commits since the clone. A cursor is valid until the branch changes.',
    access: 'viewer',
    query: logQuery,
    replies: { 200: logSchema },
    errors: [...PATH_ERRORS, ...GIT_ERRORS, 'git_repository_missing'],
    workspace: ({ query }) => query.workspaceId,
    async handle({ workspace, query }, ports) {
      const { commits, ...page } = await listCommits(ports, workspace, query);
      return reply(200, { commits: commits.map(describeCommit) }, pageHeaders(page));
    },
  }),
  route({
    method: 'POST',
    path: '/api/git/stage',
    operationId: 'stageFiles',
    summary: 'Stage changes',
    description: 'Adds the present state of changed files to the next commit, also of deleted and new files.',
    ...OF_PATHS,
    handle: async ({ workspace, body }, ports) =>
      reply(200, { changedFiles: await changeIndex(ports, workspace, body.paths, 'stage') }),
  }),
  route({
    method: 'POST',
    path: '/api/git/unstage',
    operationId: 'unstageFiles',
    summary: 'Unstage changes',
    description: 'Removes changes from the next commit. The files stay as they are.',
    ...OF_PATHS,
    handle: async ({ workspace, body }, ports) =>
      reply(200, { changedFiles: await changeIndex(ports, workspace, body.paths, 'unstage') }),
  }),
  route({
    method: 'POST',
    path: '/api/git/discard',
    operationId: 'discardChanges',
    summary: 'Discard changes',
    description:
      'Restores changed files from the index, so that staged changes stay. Files that are not tracked are kept, and deleted only with `untracked: true`. Ignored files are always kept.',
    access: 'member',
    body: discardChangesBody,
    example: { workspaceId: EXAMPLE_ID, paths: ['notes/owls.md'] },
    mayBeLate: true,
    audit: 'git.discard',
    auditAbout: ({ body }) => discardedPaths(body),
    replies: { 200: changedFilesSchema },
    errors: [...CHANGE_ERRORS, 'git_local_changes', 'git_untracked_kept'],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(200, { changedFiles: await discardChanges(ports, workspace, caller.id, body) }),
  }),
  route({
    method: 'POST',
    path: '/api/git/commit',
    operationId: 'commitChanges',
    summary: 'Commit staged changes',
    description:
      "Commits what is staged. The author is the caller's name with the address in `COMMIT_EMAIL`. Hooks and signatures of the repository are ignored.",
    access: 'member',
    body: commitBody,
    example: { workspaceId: EXAMPLE_ID, message: 'Describe the calls of barn owls' },
    mayBeLate: true,
    replies: { 201: committedSchema },
    errors: [...PATH_ERRORS, ...GIT_COMMIT_ERRORS, 'git_repository_missing'],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(201, await commitStaged(ports, workspace, caller, body.message)),
  }),
  route({
    method: 'POST',
    path: '/api/git/commit-message',
    operationId: 'draftCommitMessage',
    summary: 'Generate a draft of a commit message',
    description:
      'Lets the model draft a message for what is staged, in one call, whose usage counts for you. The start of a long difference is sent. Nothing is committed.',
    access: 'member',
    body: workspaceBody,
    example: { workspaceId: EXAMPLE_ID },
    mayBeLate: true,
    replies: { 200: draftedMessageSchema },
    errors: [...PATH_ERRORS, ...GIT_ERRORS, ...MODEL_ERRORS, 'git_nothing_staged', 'git_repository_missing'],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, caller }, ports) =>
      reply(200, { message: await draftMessage(ports, workspace, caller) }),
  }),
  route({
    method: 'POST',
    path: '/api/git/branch',
    operationId: 'switchBranch',
    summary: 'Switch or create a branch',
    description:
      'Switches to a local branch, or creates one at the current commit. If that would overwrite a change or a file that is not tracked, nothing is changed and the response is 409.',
    access: 'member',
    body: branchBody,
    example: { workspaceId: EXAMPLE_ID, name: 'owl-calls', create: true },
    mayBeLate: true,
    replies: { 200: switchedSchema },
    errors: [...PATH_ERRORS, ...GIT_BRANCH_ERRORS, 'git_repository_missing'],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, body, caller }, ports) =>
      reply(200, await switchBranch(ports, workspace, caller.id, body)),
  }),
  route({
    method: 'POST',
    path: '/api/git/push',
    operationId: 'pushBranch',
    summary: 'Push a branch',
    description:
      'Sends the commits of the current branch to the repository that the workspace was cloned from, with `CODE_HOST_TOKEN`. Only fast-forward is supported: commits of the remote are never overwritten.',
    access: 'member',
    body: pushRequest,
    example: { workspaceId: EXAMPLE_ID, confirm: true },
    mayBeLate: true,
    audit: 'git.push',
    replies: { 200: committedSchema },
    errors: [...PATH_ERRORS, ...GIT_PUSH_ERRORS, 'git_push_not_configured', 'git_repository_missing'],
    workspace: ({ body }) => body.workspaceId,
    handle: async ({ workspace, caller }, ports) =>
      reply(200, await pushWorkspace(ports, workspace, caller.id)),
  }),
];

const MAX_NAMED = 20;

function discardedPaths(body: unknown): string | undefined {
  const { paths } = discardChangesBody.parse(body);
  const more = paths.length - MAX_NAMED;
  return [...paths.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
