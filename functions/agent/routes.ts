import * as z from 'zod';
import { requireRole } from '../../lib/access/caller.ts';
import { forgetConversation } from '../../lib/agent/loop/agent-work.ts';
import type { AgentPorts } from '../../lib/agent/ports.ts';
import { agentBody, summarizeBody } from '../../lib/agent/request-schema.ts';
import { answerOverApi } from '../../lib/agent/start/answer.ts';
import { BEGIN_RUN_ERRORS } from '../../lib/agent/start/begin.ts';
import { startAgent, workspaceToBeginIn } from '../../lib/agent/start/start.ts';
import { saveSummary, summarize } from '../../lib/agent/summarize.ts';
import { runChangesSchema, undoBody } from '../../lib/agent/undo/schema.ts';
import { runChanges, UNDO_ERRORS, undoRun } from '../../lib/agent/undo/undo.ts';
import type { StreamPart } from '../../lib/api-contract/stream-part.ts';
import { findConversationIfThere } from '../../lib/conversations/find.ts';
import { conversationParams } from '../../lib/conversations/schema.ts';
import { readLastEventId } from '../../lib/http/event-id.ts';
import {
  EVENT_STREAM_HEADERS,
  eventSchema,
  eventStream,
  STREAM_RESERVE_MS,
} from '../../lib/http/event-stream.ts';
import {
  DELETED,
  deletedSchema,
  NOTHING_IN_PROGRESS,
  nothingInProgress,
  reply,
  replyPage,
} from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import { signedNoteSchema } from '../../lib/notes/schema.ts';
import { PATH_ERRORS } from '../../lib/paths/file-errors.ts';
import { ALWAYS_ERRORS } from '../../lib/permissions/store.ts';
import { MODEL_ERRORS } from '../../lib/ports/language-model.ts';
import { APPROVAL_ERRORS, isApprovalOpen } from '../../lib/runs/approvals.ts';
import { describeOneRun, describeRun, describeRunAgain } from '../../lib/runs/describe-run.ts';
import { type FollowRunOptions, followRun } from '../../lib/runs/follow-run.ts';
import { listRuns } from '../../lib/runs/list.ts';
import { runUsage } from '../../lib/runs/run-usage.ts';
import { findRun, findRunToControl, RUN_ERRORS, runInConversation } from '../../lib/runs/runs.ts';
import {
  answerBody,
  approvalParams,
  callParams,
  isRunOver,
  type Run,
  runParams,
  runSchema,
  runsQuery,
  streamQuery,
} from '../../lib/runs/schema.ts';
import {
  describeMessage,
  messagesToRun,
  STEERING_ERRORS,
  sendToRun,
  steeringBody,
  steeringParams,
  steeringSchema,
  withdrawMessage,
} from '../../lib/runs/steer.ts';
import { stopCall, stopRun } from '../../lib/runs/stop.ts';
import { checkAlive } from '../../lib/runs/sweep.ts';
import { RUN_STREAM_ERRORS } from '../../lib/runs/work-on-run.ts';
import {
  partsFor,
  readSdkVersion,
  SDK_VERSION_HEADER,
  type SdkVersion,
} from '../../lib/ui-messages/for-version.ts';
import { WORKSPACE_ERRORS } from '../../lib/workspaces/access.ts';

/** In milliseconds: less than the route's limit, and less than `wrs` waits. */
const SUMMARY_MS = 280_000;

const route = routeFor<AgentPorts>();
const events = {
  mediaType: 'text/event-stream',
  description:
    'UI message stream protocol, version 1, with `data-citation`, `data-citation-support`, `data-notice`, and `data-error` parts.',
  event: eventSchema,
  errors: RUN_STREAM_ERRORS,
};

export const agentRoutes = [
  route({
    method: 'POST',
    path: '/api/agent',
    operationId: 'runAgent',
    summary: 'Run the agent',
    description:
      'Streams text, tool calls, and their results, then the citations of the text, and what a model judged of them. The run continues if the client disconnects; `x-run-id` identifies it. A message that ends with answered approvals continues the run that requested them. The stream ends with `[DONE]` when the run ends or waits for an approval.',
    access: 'viewer',
    body: agentBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      cwd: '',
      mode: 'plan',
      messages: [{ role: 'user', content: 'Which files are about owls?' }],
    },
    requestHeaders: ['x-ai-sdk-version'],
    replyHeaders: ['x-run-id'],
    replies: { 200: events },
    errors: [
      ...PATH_ERRORS,
      ...APPROVAL_ERRORS,
      ...BEGIN_RUN_ERRORS,
      ...RUN_ERRORS,
      'ai_sdk_version_unsupported',
    ],
    workspace: ({ body, caller }) => workspaceToBeginIn(caller, body),
    async handle({ workspace, body, caller, headers, timeLeftMs }, ports) {
      const version = readSdkVersion(headers[SDK_VERSION_HEADER]) ?? 6;
      const { run, after, working } = await startAgent(ports, caller, workspace, body, timeLeftMs());
      return streamReply(ports, run, {
        after,
        untilSuspended: 'asked',
        timeLeftMs: timeLeftMs(),
        working,
        version,
      });
    },
  }),
  route({
    method: 'GET',
    path: '/api/agent/runs',
    operationId: 'listRuns',
    summary: 'List runs',
    description:
      'Returns the runs of a workspace, newest first. A waiting run includes its approvals. Checks of one sentence (`partOf`) and deleted checks are left out.',
    access: 'viewer',
    query: runsQuery,
    replies: { 200: z.array(runSchema) },
    errors: ['disk_full'],
    workspace: ({ query }) => query.workspaceId,
    handle: async ({ workspace, query, caller }, ports) =>
      replyPage(await listRuns(ports, caller, workspace.id, query)),
  }),
  route({
    method: 'GET',
    path: '/api/agent/runs/{runId}',
    operationId: 'getRun',
    summary: 'Get a run',
    description: "Returns the run's status and its pending approvals.",
    access: 'viewer',
    params: runParams,
    replies: { 200: runSchema },
    errors: [...RUN_ERRORS, 'disk_full'],
    async handle({ params, caller }, ports) {
      const run = await findRun(ports.records, caller, params.runId);
      return reply(200, await describeOneRun(ports.records, caller, await checkAlive(ports, run)));
    },
  }),
  route({
    method: 'GET',
    path: '/api/agent/runs/{runId}/stream',
    operationId: 'streamRun',
    summary: 'Stream a run',
    description:
      "Streams the run's events, starting after event `after` (or the header `Last-Event-ID`), until the run ends. If a stream ends without `[DONE]`, connect again with the number of the last event: after the milliseconds of its `retry:` line, which it has while the run waits for a person, or else immediately, because it reached its time limit.",
    access: 'viewer',
    params: runParams,
    query: streamQuery,
    requestHeaders: ['Last-Event-ID', 'x-ai-sdk-version'],
    replyHeaders: ['x-run-id'],
    replies: { 200: events },
    errors: [...RUN_ERRORS, 'ai_sdk_version_unsupported', 'disk_full'],
    async handle({ params, query, headers, caller, timeLeftMs }, ports) {
      const run = await findRun(ports.records, caller, params.runId);
      await checkAlive(ports, run);
      const after = query.after ?? readLastEventId(headers['last-event-id']);
      const version = readSdkVersion(headers[SDK_VERSION_HEADER]);
      const { readerMs } = ports;
      const untilSuspended = readerMs === undefined ? false : 'cut';
      const left = Math.min(timeLeftMs(), readerMs ?? Number.POSITIVE_INFINITY);
      return streamReply(ports, run, { after, untilSuspended, timeLeftMs: left, version });
    },
  }),
  route({
    method: 'GET',
    path: '/api/agent/{conversationId}/stream',
    operationId: 'streamConversationRun',
    summary: 'Stream the current run of a conversation',
    description:
      'Resumes the stream from its first event, as the AI SDK does with `resume: true`. The stream starts with the first part of the run that works or waits in the conversation, and ends when the run ends or waits for an approval. Returns 204 if there is no such run, or if the conversation does not exist yet. `x-run-id` identifies the run. The header `x-ai-sdk-version` (5, 6, or 7) selects the parts for approvals; 6 is the default.',
    access: 'viewer',
    params: conversationParams,
    requestHeaders: ['x-ai-sdk-version'],
    replyHeaders: ['x-run-id'],
    replies: { 200: events, 204: NOTHING_IN_PROGRESS },
    errors: [...WORKSPACE_ERRORS, 'ai_sdk_version_unsupported', 'disk_full'],
    async handle({ params, headers, caller, timeLeftMs }, ports) {
      const version = readSdkVersion(headers[SDK_VERSION_HEADER]) ?? 6;
      const found = await findConversationIfThere(ports.records, caller, params.conversationId);
      const run = found && (await runInConversation(ports.records, found));
      if (run === undefined || isRunOver((await checkAlive(ports, run)).status)) return nothingInProgress();
      return streamReply(ports, run, {
        after: 0,
        untilSuspended: 'asked',
        timeLeftMs: timeLeftMs(),
        version,
      });
    },
  }),
  route({
    method: 'POST',
    path: '/api/agent/runs/{runId}/stop',
    operationId: 'stopRun',
    summary: 'Stop a run',
    description: 'The model call and the running tools end within a second.',
    access: 'viewer',
    params: runParams,
    replies: { 200: runSchema },
    errors: [...RUN_ERRORS, 'owner_only', 'run_over'],
    async handle({ params, caller }, ports) {
      const run = await findRunToControl(ports.records, caller, params.runId);
      const stopped = await stopRun(ports, await checkAlive(ports, run));
      if (isRunOver(stopped.status)) await forgetConversation(ports, run.id);
      return reply(200, await describeRun(ports.records, caller, stopped));
    },
  }),
  route({
    method: 'POST',
    path: '/api/agent/runs/{runId}/calls/{toolCallId}/stop',
    operationId: 'stopRunCall',
    summary: 'Stop a running call',
    description:
      'The tool ends within a second, with all processes of a command. The model reads that a person stopped it, and the run continues.',
    access: 'viewer',
    params: callParams,
    replies: { 200: runSchema },
    errors: [...RUN_ERRORS, 'owner_only', 'run_over'],
    async handle({ params, caller }, ports) {
      const run = await findRunToControl(ports.records, caller, params.runId);
      const stopping = await stopCall(ports, await checkAlive(ports, run), params.toolCallId);
      return reply(200, await describeRun(ports.records, caller, stopping));
    },
  }),
  route({
    method: 'GET',
    path: '/api/agent/runs/{runId}/messages',
    operationId: 'listRunMessages',
    summary: 'List the messages to a run',
    description: 'Returns the messages that were sent to the run while it worked, oldest first.',
    access: 'viewer',
    params: runParams,
    replies: { 200: z.array(steeringSchema) },
    errors: [...RUN_ERRORS],
    async handle({ params, caller }, ports) {
      const run = await findRun(ports.records, caller, params.runId);
      return reply(200, (await messagesToRun(ports.records, run)).map(describeMessage));
    },
  }),
  route({
    method: 'POST',
    path: '/api/agent/runs/{runId}/messages',
    operationId: 'sendRunMessage',
    summary: 'Send a message to a run',
    description:
      'The model gets the message before its next step, so it can correct or extend what the run does. Only the caller who started the run can send one, while it works or waits. The stream shows a delivered message as `data-user-message`.',
    access: 'viewer',
    params: runParams,
    body: steeringBody,
    example: { text: 'Use the tests in the folder spec.' },
    replies: { 202: steeringSchema },
    errors: [...STEERING_ERRORS, ...RUN_ERRORS],
    async handle({ params, body, caller }, ports) {
      const run = await findRun(ports.records, caller, params.runId);
      const sent = await sendToRun(ports, caller, await checkAlive(ports, run), body.text);
      return reply(202, describeMessage(sent));
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/agent/runs/{runId}/messages/{messageId}',
    operationId: 'deleteRunMessage',
    summary: 'Delete a message to a run',
    description: 'Removes a message that the model has not got yet.',
    access: 'viewer',
    params: steeringParams,
    replies: { 200: deletedSchema },
    errors: [...STEERING_ERRORS, ...RUN_ERRORS],
    async handle({ params, caller }, ports) {
      const run = await findRun(ports.records, caller, params.runId);
      await withdrawMessage(ports.records, caller, run, params.messageId);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/agent/runs/{runId}/changes',
    operationId: 'listRunChanges',
    summary: 'List the changes of a run',
    description:
      'Returns the files that the run created, changed, deleted, or moved in its workspace, with its commands too, and whether each change can be undone. They are kept for 30 days.',
    access: 'viewer',
    params: runParams,
    replies: { 200: runChangesSchema },
    errors: [...RUN_ERRORS],
    handle: async ({ params, caller }, ports) => reply(200, await runChanges(ports, caller, params.runId)),
  }),
  route({
    method: 'POST',
    path: '/api/agent/runs/{runId}/undo',
    operationId: 'undoRun',
    summary: 'Undo a run',
    description:
      'Gives the paths that the run changed back what they had before. Paths that were changed after the run stay as they are, unless `force` is true. It can be repeated: after an undo that was interrupted, or one that ran out of time, the next call does the rest.',
    access: 'member',
    params: runParams,
    body: undoBody,
    example: { paths: ['notes/ideas.md'] },
    replies: { 200: runChangesSchema },
    errors: [...UNDO_ERRORS],
    audit: 'runs.undo',
    handle: async ({ params, body, caller, timeLeftMs }, ports) =>
      reply(200, await undoRun(ports, caller, params.runId, body, timeLeftMs() / 2)),
  }),
  route({
    method: 'POST',
    path: '/api/agent/runs/{runId}/approvals/{approvalId}',
    operationId: 'answerApproval',
    summary: 'Approve or deny a pending action',
    description: 'Only the caller who started the run can answer, and only once.',
    access: 'member',
    params: approvalParams,
    body: answerBody,
    example: { approved: true, always: 'git pull *' },
    replies: { 200: runSchema },
    errors: [...ALWAYS_ERRORS, ...APPROVAL_ERRORS, ...RUN_ERRORS],
    async handle({ params, body, caller }, ports) {
      const run = await findRun(ports.records, caller, params.runId);
      await answerOverApi(ports, caller, run, params.approvalId, body);
      return reply(200, await describeRunAgain(ports.records, caller, run));
    },
  }),
  route({
    method: 'POST',
    path: '/api/agent/summarize',
    operationId: 'summarizeConversation',
    summary: 'Summarize a conversation',
    description: 'Saves the summary as a note, or only returns it if `preview` is true.',
    access: 'viewer',
    body: summarizeBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      messages: [{ role: 'user', content: 'Owls hunt at night.' }],
      preview: true,
    },
    mayBeLate: true,
    replies: {
      200: z
        .strictObject({
          title: z.string().describe('Title of the summary.'),
          content: z.string().describe('Text of the summary, as Markdown.'),
        })
        .meta({ id: 'Summary' }),
      201: signedNoteSchema,
    },
    errors: [...MODEL_ERRORS, 'note_too_large'],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, body, caller }, ports) {
      if (!body.preview) requireRole(caller, 'member');
      const model = ports.openModel(runUsage({ caller, workspaceId: workspace.id }));
      const summary = await summarize(model, body, ports.clock, AbortSignal.timeout(SUMMARY_MS));
      if (body.preview) return reply(200, summary);
      return reply(201, await saveSummary(ports, caller.id, workspace.id, summary));
    },
  }),
];

interface Followed {
  after: number;
  untilSuspended: FollowRunOptions['untilSuspended'];
  timeLeftMs: number;
  working?: Promise<void>;
  /** If absent, the events are sent as stored. */
  version: SdkVersion | undefined;
}

function streamReply(
  ports: AgentPorts,
  run: Run,
  { after, untilSuspended, timeLeftMs, working, version }: Followed,
) {
  const left = timeLeftMs - STREAM_RESERVE_MS;
  const isOpen = (approvalId: string) => isApprovalOpen(ports, run.id, approvalId);
  const follow = (signal: AbortSignal) => {
    const parts = followRun(ports, run.id, { after, untilSuspended, signal, timeLeftMs: left });
    return outlast(version === undefined ? parts : partsFor(version, parts, isOpen), working);
  };
  const stream = eventStream(follow, { timeLeftMs, after });
  return reply(200, stream, { ...EVENT_STREAM_HEADERS, 'x-run-id': run.id });
}

/**
 * Ends the stream only after the work that started with it, because Lambda freezes a function when its
 * response has ended.
 */
async function* outlast(
  parts: AsyncGenerator<StreamPart>,
  working: Promise<void> | undefined,
): AsyncGenerator<StreamPart> {
  try {
    yield* parts;
  } finally {
    await working;
  }
}
