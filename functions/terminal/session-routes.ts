import { readLastEventId } from '../../lib/http/event-id.ts';
import {
  EVENT_STREAM_HEADERS,
  eventSchema,
  eventStream,
  STREAM_RESERVE_MS,
} from '../../lib/http/event-stream.ts';
import { DELETED, deletedSchema, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import type { Terminal } from '../../lib/ports/terminals.ts';
import { followSession, resumePoint } from '../../lib/terminal/follow-session.ts';
import {
  inputSchema,
  openSessionSchema,
  resizeSchema,
  SESSION_ERRORS,
  sessionParams,
  sessionSchema,
  sessionStreamQuery,
  signalSchema,
} from '../../lib/terminal/session-schema.ts';
import {
  closeSession,
  findSession,
  openSession,
  type SessionPorts,
  useTerminal,
} from '../../lib/terminal/sessions.ts';
import { STREAM_ERRORS } from '../../lib/ui-messages/error-parts.ts';

const route = routeFor<HttpPorts & SessionPorts>();
const path = '/api/terminal/sessions/{sessionId}';

export const sessionRoutes = [
  route({
    method: 'POST',
    path: '/api/terminal/sessions',
    operationId: 'openTerminal',
    summary: 'Start a terminal',
    description:
      'Starts a shell with a terminal in the sandbox of commands. It belongs to you alone, and ends when the shell exits, after an hour without use, after 12 hours, when you lose the right to run commands in the workspace, and with the service. Returns 503 if the service runs as more than one process, as on AWS.',
    access: 'member',
    body: openSessionSchema,
    example: { workspaceId: '0198e1e0-5a52-7f0c-9d5b-3f1b6a1c2d3e', columns: 80, rows: 24 },
    replies: { 201: sessionSchema },
    errors: [
      ...PATH_ERRORS,
      'command_sandbox_missing',
      'commands_not_configured',
      'path_outside_roots',
      'path_outside_workspace',
      'terminal_needs_one_host',
      'terminal_package_missing',
      'too_many_terminals',
    ],
    workspace: ({ body }) => body.workspaceId,
    audit: 'terminal.open',
    auditAbout: ({ body }) => body.cwd,
    async handle({ body, caller, workspace }, ports) {
      return reply(201, await openSession(ports, caller, workspace, body));
    },
  }),
  route({
    method: 'GET',
    path: `${path}/stream`,
    operationId: 'streamTerminal',
    summary: 'Stream the output of a terminal',
    description:
      'Streams the latest output, at most 262,144 characters, starting after event `after` (or the header `Last-Event-ID`), and then new output. A slow reader makes the terminal wait. If a stream ends without `[DONE]`, connect again with the number of the last event.',
    access: 'member',
    params: sessionParams,
    query: sessionStreamQuery,
    requestHeaders: ['Last-Event-ID'],
    replies: {
      200: {
        mediaType: 'text/event-stream',
        description:
          '`data-terminal` parts, each with a `text`, and at the end one `data-terminal-end` with `reason` and `exitCode`.',
        event: eventSchema,
        errors: STREAM_ERRORS,
      },
    },
    errors: [...SESSION_ERRORS],
    async handle({ params, query, headers, caller, timeLeftMs }, ports) {
      const session = await findSession(ports, caller, params.sessionId);
      const after = resumePoint(session, query.after ?? readLastEventId(headers['last-event-id']));
      const left = timeLeftMs();
      const follow = (signal: AbortSignal) =>
        followSession(ports.clock, session, { after, signal, timeLeftMs: left - STREAM_RESERVE_MS });
      return reply(200, eventStream(follow, { timeLeftMs: left, after }), EVENT_STREAM_HEADERS);
    },
  }),
  route({
    method: 'POST',
    path: `${path}/input`,
    operationId: 'sendTerminalInput',
    summary: 'Send input to a terminal',
    description: 'Input that no program reads is dropped once 262,144 characters wait.',
    access: 'member',
    params: sessionParams,
    body: inputSchema,
    example: { text: 'ls\r' },
    replies: { 200: sessionSchema },
    errors: [...SESSION_ERRORS],
    async handle({ params, body, caller }, ports) {
      const write = (terminal: Terminal) => terminal.write(body.text);
      return reply(200, await useTerminal(ports, caller, params.sessionId, write));
    },
  }),
  route({
    method: 'POST',
    path: `${path}/resize`,
    operationId: 'resizeTerminal',
    summary: 'Update the size of a terminal',
    access: 'member',
    params: sessionParams,
    body: resizeSchema,
    example: { columns: 120, rows: 40 },
    replies: { 200: sessionSchema },
    errors: [...SESSION_ERRORS],
    async handle({ params, body, caller }, ports) {
      const resize = (terminal: Terminal) => terminal.resize(body);
      return reply(200, await useTerminal(ports, caller, params.sessionId, resize));
    },
  }),
  route({
    method: 'POST',
    path: `${path}/signal`,
    operationId: 'signalTerminal',
    summary: 'Send a signal to the processes in the foreground',
    description:
      'Signals the process group in the foreground of the terminal. Background jobs of the shell are not signaled.',
    access: 'member',
    params: sessionParams,
    body: signalSchema,
    example: { signal: 'INT', killAfterMs: 400 },
    replies: { 200: sessionSchema },
    errors: [...SESSION_ERRORS],
    async handle({ params, body, caller }, ports) {
      const signal = (terminal: Terminal) => terminal.signal(body.signal, body.killAfterMs);
      return reply(200, await useTerminal(ports, caller, params.sessionId, signal));
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'closeTerminal',
    summary: 'Stop a terminal',
    description: 'Kills the shell and all processes that it started, within a second.',
    access: 'member',
    params: sessionParams,
    replies: { 200: deletedSchema },
    errors: [...SESSION_ERRORS],
    audit: 'terminal.close',
    async handle({ params, caller }, ports) {
      await closeSession(ports, caller, params.sessionId);
      return reply(200, DELETED);
    },
  }),
];
