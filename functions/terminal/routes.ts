import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import { COMMAND_ERRORS } from '../../lib/ports/commands.ts';
import { execute, type TerminalPorts } from '../../lib/terminal/exec.ts';
import { execResultSchema, execSchema } from '../../lib/terminal/schema.ts';

const route = routeFor<HttpPorts & TerminalPorts>();

export const terminalRoutes = [
  route({
    method: 'POST',
    path: '/api/terminal/exec',
    operationId: 'runCommand',
    summary: 'Run a shell command',
    description:
      'The command runs for at most 30 seconds. It can access the workspace that contains `cwd` (or the root, if no workspace does) and the programs of the system. It cannot access variables, secrets, or files of the service, other workspaces, or the network (unless `COMMAND_NETWORK=host`). Processes that it starts end with it.',
    access: 'member',
    body: execSchema,
    example: { command: 'ls -l', cwd: 'library' },
    mayBeLate: true,
    replies: { 200: execResultSchema },
    errors: [
      ...PATH_ERRORS,
      ...COMMAND_ERRORS,
      'path_outside_roots',
      'workspace_access_denied',
      'workspace_unsafe',
    ],
    async handle({ body, caller }, ports) {
      return reply(200, await execute(ports, caller, body));
    },
  }),
];
