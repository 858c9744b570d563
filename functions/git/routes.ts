import { Conflict } from '../../lib/errors.ts';
import { cloneWorkspace, type GitPorts } from '../../lib/git/clone.ts';
import { pullWorkspace } from '../../lib/git/pull.ts';
import {
  cloneBody,
  pulledSchema,
  repositoryStatusSchema,
  workspaceBody,
  workspaceQuery,
} from '../../lib/git/schema.ts';
import { describeRepository } from '../../lib/git/status.ts';
import { reply } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { describeWorkspace, workspaceSchema } from '../../lib/workspaces/schema.ts';

const route = routeFor<GitPorts>();

export const gitRoutes = [
  route({
    method: 'POST',
    path: '/api/git/clone',
    summary: 'Clone a repository into a new or empty directory, which becomes a workspace',
    description:
      'Its newest state, all or nothing, within 300 seconds. https only; the address must be public unless ' +
      '`CODE_HOST_ALLOW_PRIVATE=true`. `CODE_HOST_TOKEN` opens the private ones of `CODE_HOST`.',
    access: 'member',
    body: cloneBody,
    example: { url: 'https://example.com/owls/notes.git', rootPath: 'notes' },
    replies: { 201: workspaceSchema },
    refusals: [409, 413, 502],
    handle: async ({ body, caller }, ports) =>
      reply(201, describeWorkspace(await cloneWorkspace(ports, caller, body))),
  }),
  route({
    method: 'POST',
    path: '/api/git/pull',
    summary: 'Bring a clone to the state of the branch it follows, within 120 seconds',
    description:
      'Fast-forward only: 409, and nothing is changed, when the branches have diverged or local changes would be overwritten.',
    access: 'member',
    body: workspaceBody,
    example: { workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11' },
    replies: { 200: pulledSchema },
    refusals: [404, 409, 413, 502],
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
    summary: 'What has changed in a clone since its last commit',
    description: '`isGitRepo` is false for a `.git` that is a file or holds links: it may lead anywhere.',
    access: 'viewer',
    query: workspaceQuery,
    replies: { 200: repositoryStatusSchema },
    refusals: [404, 502],
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace }, ports) => reply(200, await describeRepository(ports, workspace)),
  }),
];
