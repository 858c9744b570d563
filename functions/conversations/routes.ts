import { Readable } from 'node:stream';
import * as z from 'zod';
import type { Caller } from '../../lib/access/caller.ts';
import { exportName } from '../../lib/api-contract/export-name.ts';
import { exportConversation } from '../../lib/chat/export-conversation.ts';
import { findAttachment } from '../../lib/conversations/attachments/keep.ts';
import { attachmentParams, isPictureType } from '../../lib/conversations/attachments/schema.ts';
import { readBranches, readMessages } from '../../lib/conversations/branches.ts';
import { changeConversation, deleteConversation } from '../../lib/conversations/change.ts';
import {
  CHANGE_CONVERSATION_ERRORS,
  CONVERSATION_ERRORS,
  findConversation,
} from '../../lib/conversations/find.ts';
import { followConversation } from '../../lib/conversations/follow-conversation.ts';
import { describeConversation, listConversations } from '../../lib/conversations/list.ts';
import { toMessage } from '../../lib/conversations/messages.ts';
import {
  changeBody,
  conversationParams,
  conversationQuery,
  conversationSchema,
  conversationsQuery,
  conversationWithMessagesSchema,
} from '../../lib/conversations/schema.ts';
import { endIfDead } from '../../lib/conversations/turn/stop-turn.ts';
import { NotFound } from '../../lib/errors.ts';
import { sentAs } from '../../lib/files/raw.ts';
import { contentDisposition } from '../../lib/http/content-disposition.ts';
import {
  EVENT_STREAM_HEADERS,
  eventSchema,
  eventStream,
  STREAM_RESERVE_MS,
} from '../../lib/http/event-stream.ts';
import { DELETED, deletedSchema, pageHeaders, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { exportPerson } from '../../lib/offboarding/export.ts';
import { exportQuery } from '../../lib/offboarding/schema.ts';
import { withNames } from '../../lib/people/names.ts';
import type { Objects } from '../../lib/ports/objects.ts';
import type { Records } from '../../lib/ports/records.ts';
import { describeRun } from '../../lib/runs/describe-run.ts';
import { runInConversation } from '../../lib/runs/runs.ts';
import { runSchema } from '../../lib/runs/schema.ts';
import { STREAM_ERRORS } from '../../lib/ui-messages/error-parts.ts';
import { dropDraftsIn } from '../../lib/verify/draft-checks.ts';
import { feedbackRoutes } from './feedback-routes.ts';

interface ConversationPorts extends HttpPorts {
  objects: Objects;
  /** Milliseconds after which a stream ends, on a host that is billed for as long as the stream lasts. */
  readerMs: number | undefined;
}

const route = routeFor<ConversationPorts>();
const path = '/api/conversations/{conversationId}';
const shownSchema = conversationWithMessagesSchema
  .extend({ run: runSchema.nullable().describe('Run in progress. Null if there is none.') })
  .meta({ id: 'ConversationWithMessages' });

export const conversationRoutes = [
  route({
    method: 'GET',
    path: '/api/conversations',
    operationId: 'listConversations',
    summary: 'List conversations',
    description:
      'Returns your conversations in a workspace and the shared ones: pinned first, then newest first. With `q`, returns only conversations that contain all its words. A page may contain fewer items than its `limit`; continue with `x-next-cursor`.',
    access: 'viewer',
    query: conversationsQuery,
    replies: { 200: z.array(conversationSchema) },
    workspace: ({ query }) => query.workspaceId,
    async handle({ query, caller }, ports) {
      const page = await listConversations(ports.records, caller, query);
      const items = page.items.map((found) => describeConversation(ports, found));
      return reply(200, await withOwners(ports.records, caller, items), pageHeaders(page));
    },
  }),
  route({
    method: 'GET',
    path,
    operationId: 'getConversation',
    summary: 'Get a conversation',
    description:
      'Returns the conversation with the messages of its chosen branch in the format of the AI SDK. A message is included once it is complete. Stream an answer in progress with `GET /api/chat/{conversationId}/stream`, and a run with `GET /api/agent/{conversationId}/stream`. `run` includes the approvals that the run waits for.',
    access: 'viewer',
    params: conversationParams,
    query: conversationQuery,
    replies: { 200: shownSchema },
    errors: [...CONVERSATION_ERRORS, 'disk_full'],
    async handle({ params, query, caller }, ports) {
      const found = await findConversation(ports.records, caller, params.conversationId);
      const now = await endIfDead(ports, found);
      const read = await readBranches(ports.records, now, query.branches);
      const run = await runInConversation(ports.records, now);
      const shown = run === undefined ? null : await describeRun(ports.records, caller, run);
      const [described] = await withOwners(ports.records, caller, [describeConversation(ports, now)]);
      return reply(200, { ...describeConversation(ports, now), ...described, ...read, run: shown });
    },
  }),
  route({
    method: 'GET',
    path: `${path}/stream`,
    operationId: 'streamConversation',
    summary: 'Stream the changes of a conversation',
    description:
      'Streams the conversation without its messages, at once and after each change, so that a page can show what another tab or person does. Then get the conversation and, if it has an answer in progress, stream that with `GET /api/chat/{conversationId}/stream`. Ends when the conversation is deleted, or you may no longer read it. On AWS, a quiet stream ends early and says when to resume it.',
    access: 'viewer',
    params: conversationParams,
    replies: {
      200: {
        mediaType: 'text/event-stream',
        description: '`data-conversation` parts, each with a conversation and the number of its changes.',
        event: eventSchema,
        errors: STREAM_ERRORS,
      },
    },
    errors: [...CONVERSATION_ERRORS],
    async handle({ params: { conversationId }, caller, timeLeftMs }, ports) {
      await findConversation(ports.records, caller, conversationId);
      const { readerMs } = ports;
      const left = Math.min(timeLeftMs(), readerMs ?? Number.POSITIVE_INFINITY);
      const options = { timeLeftMs: left - STREAM_RESERVE_MS, isPaidByTime: readerMs !== undefined };
      const follow = (signal: AbortSignal) =>
        followConversation(ports, caller, conversationId, { ...options, signal });
      return reply(200, eventStream(follow, { timeLeftMs: left }), EVENT_STREAM_HEADERS);
    },
  }),
  route({
    method: 'PUT',
    path,
    operationId: 'updateConversation',
    summary: 'Update a conversation',
    description:
      'Renames, pins, or shares a conversation, or chooses one of its branches. Only the caller who started it can do this.',
    access: 'viewer',
    params: conversationParams,
    body: changeBody,
    example: { title: 'Birds of the night', pinned: true },
    replies: { 200: conversationSchema },
    errors: [
      ...CHANGE_CONVERSATION_ERRORS,
      'answer_in_progress',
      'concurrent_changes',
      'conversation_id_shared',
      'message_unknown',
    ],
    async handle({ params, body, caller }, ports) {
      const changed = await changeConversation(ports.records, caller, params.conversationId, body);
      return reply(200, describeConversation(ports, changed));
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteConversation',
    summary: 'Delete a conversation',
    description: 'Also stops an answer in progress.',
    access: 'viewer',
    params: conversationParams,
    audit: 'conversations.delete',
    replies: { 200: deletedSchema },
    errors: [...CHANGE_CONVERSATION_ERRORS],
    async handle({ params, caller }, ports) {
      await deleteConversation({ ...ports, dropWith: dropDraftsIn }, caller, params.conversationId);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/attachments/{hash}`,
    operationId: 'downloadAttachment',
    summary: 'Download an attachment',
    description:
      'The `url` of a file part points to this operation. Images (PNG, JPEG, GIF, and WebP) are displayed inline. Other files are sent as a download, whatever media type they declare.',
    access: 'viewer',
    params: attachmentParams,
    replies: {
      200: {
        mediaType: 'application/octet-stream',
        description: 'Bytes of the attachment. Images have their own media type.',
      },
    },
    errors: [...CONVERSATION_ERRORS, 'attachment_not_found'],
    async handle({ params, caller }, ports) {
      const found = await findConversation(ports.records, caller, params.conversationId);
      const attached = await findAttachment(ports, found, params.hash);
      if (attached === undefined)
        throw new NotFound('attachment_not_found', 'This attachment does not exist.');
      const { name, mediaType } = attached.stored;
      const isShown = isPictureType(mediaType);
      const type = isShown ? mediaType : 'application/octet-stream';
      return reply(200, Readable.from([attached.bytes]), sentAs({ type, name, isShown }));
    },
  }),
  route({
    method: 'GET',
    path: `${path}/export`,
    operationId: 'exportConversation',
    summary: 'Export a conversation as Markdown',
    description: 'Citations become footnotes.',
    access: 'viewer',
    params: conversationParams,
    replyHeaders: ['content-disposition'],
    replies: { 200: { mediaType: 'text/markdown', description: 'Conversation as Markdown.' } },
    errors: [...CONVERSATION_ERRORS],
    async handle({ params, caller }, ports) {
      const found = await findConversation(ports.records, caller, params.conversationId);
      const messages = (await readMessages(ports.records, found)).map(toMessage);
      return reply(200, await exportConversation(found, messages), {
        'content-type': 'text/markdown; charset=utf-8',
        'content-disposition': contentDisposition(exportName(found.title, 'md', 'conversation')),
      });
    },
  }),
  route({
    method: 'GET',
    path: '/api/people/export',
    operationId: 'exportPerson',
    summary: 'Export what a person owns',
    description:
      'Returns JSON Lines: the person, their tasks, their feedback on answers, their entries in member lists, and their conversations with all messages. Attachments are named, but not included. The last line is `end`, or `more` with the cursor for the rest. Only for administrators whose credential is not bound to workspaces.',
    access: 'admin',
    query: exportQuery,
    audit: 'people.export',
    auditAbout: ({ query: { personId } }) => personId,
    replyHeaders: ['content-disposition'],
    replies: {
      200: { mediaType: 'application/x-ndjson', description: 'One JSON object per line, each with `type`.' },
    },
    errors: ['workspace_scoped_token'],
    async handle({ query, caller }, ports) {
      return reply(200, exportPerson(ports, caller, query), {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': contentDisposition('person.jsonl'),
      });
    },
  }),
  ...feedbackRoutes,
];

/** Adds the owners' names to other people's conversations. */
function withOwners<Described extends { ownerId: string; kind: string }>(
  records: Records,
  caller: Caller,
  conversations: Described[],
) {
  return withNames(records, conversations, 'ownerName', ({ ownerId, kind }) =>
    ownerId === caller.id || kind === 'bot' ? undefined : ownerId,
  );
}
