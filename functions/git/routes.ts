import { Conflict } from '../../lib/errors.ts';
import { cloneWorkspace, type GitPorts } from '../../lib/git/clone.ts';
import { describeRepository, pullWorkspace } from '../../lib/git/repository.ts';
import {
  cloneBody,
  pulledSchema,
  repositoryStatusSchema,
  workspaceBody,
  workspaceQuery,
} from '../../lib/git/schema.ts';
import { reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import { GIT_ERRORS, GIT_HOST_ERRORS, GIT_PULL_ERRORS } from '../../lib/ports/repositories.ts';
import { CREATE_WORKSPACE_ERRORS } from '../../lib/workspaces/registry.ts';
import { describeWorkspace, publicWorkspaceSchema } from '../../lib/workspaces/schema.ts';

const route = routeFor<GitPorts>();

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
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11' },
    mayBeLate: true,
    replies: { 200: pulledSchema },
    errors: [...PATH_ERRORS, ...GIT_PULL_ERRORS, 'git_repository_missing'],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, caller }, ports) {
      const pulled = await pullWorkspace(ports, workspace, caller.id);
      if (pulled === undefined)
        throw new Conflict(
          'git_repository_missing',
          "The workspace isn't a Git repository. Clone one first.",
          { field: 'workspaceId' },
        );
      return reply(200, pulled);
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
];
