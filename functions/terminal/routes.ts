import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { execute, type TerminalPorts } from '../../lib/terminal/exec.ts';
import { execResultSchema, execSchema } from '../../lib/terminal/schema.ts';

const route = routeFor<HttpPorts & TerminalPorts>();

export const terminalRoutes = [
  route({
    method: 'POST',
    path: '/api/terminal/exec',
    summary: 'Run a shell command in a workspace, for at most 30 seconds',
    description:
      'It sees the workspace around `cwd` (or the root, where there is none), the programs of the system, and nothing else: ' +
      'no variable, secret or file of the service, no other workspace, and no network unless `COMMAND_NETWORK=host`. ' +
      'What it started ends with it.',
    access: 'member',
    body: execSchema,
    example: { command: 'ls -l', cwd: 'library' },
    replies: { 200: execResultSchema },
    refusals: [404, 502, 503],
    async handle({ body, caller }, ports) {
      return reply(200, await execute(ports, caller, body));
    },
  }),
];
