import { Readable } from 'node:stream';
import * as z from 'zod';
import { describeRun } from '../../lib/agent/run/describe-run.ts';
import { runInConversation } from '../../lib/agent/run/run-in-conversation.ts';
import { runSchema } from '../../lib/agent/schema.ts';
import { exportConversation } from '../../lib/chat/export-conversation.ts';
import { findAttachment } from '../../lib/conversations/attachments/keep.ts';
import { attachmentParams, isPictureType } from '../../lib/conversations/attachments/schema.ts';
import { changeConversation, deleteConversation } from '../../lib/conversations/change.ts';
import { findConversation } from '../../lib/conversations/find.ts';
import { describeConversation, listConversations } from '../../lib/conversations/list.ts';
import { readMessages, toMessage } from '../../lib/conversations/messages.ts';
import {
  changeBody,
  conversationParams,
  conversationSchema,
  conversationsQuery,
  conversationWithMessagesSchema,
} from '../../lib/conversations/schema.ts';
import { endIfDead } from '../../lib/conversations/turn/stop-turn.ts';
import { NotFound } from '../../lib/errors.ts';
import { sentAs } from '../../lib/files/raw.ts';
import { DELETED, deletedSchema, pageHeaders, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import type { Objects } from '../../lib/ports/objects.ts';

interface ConversationPorts extends HttpPorts {
  objects: Objects;
}

const route = routeFor<ConversationPorts>();
const path = '/api/conversations/{conversationId}';
const shownSchema = conversationWithMessagesSchema
  .extend({ run: runSchema.nullable().describe('The run in progress, or null.') })
  .meta({ id: 'ConversationWithMessages' });

export const conversationRoutes = [
  route({
    method: 'GET',
    path: '/api/conversations',
    summary: 'Your conversations in a workspace, and those that are shared in it',
    description:
      'The pinned ones first, then the newest. With `q`, those in which all its words stand; a page may then end before its `limit`: go on with `x-next-cursor`.',
    access: 'viewer',
    query: conversationsQuery,
    replies: { 200: z.array(conversationSchema) },
    refusals: [404],
    workspace: ({ query }) => query.workspaceId,
    async handle({ query, caller }, ports) {
      const page = await listConversations(ports.records, caller, query);
      const items = page.items.map((found) => describeConversation(ports, found));
      return reply(200, items, pageHeaders(page));
    },
  }),
  route({
    method: 'GET',
    path,
    summary: 'A conversation with its messages, as the AI SDK has them',
    description:
      'A message is there when it is complete. An answer in progress comes by `GET /api/chat/{conversationId}/stream`, a run by `GET /api/agent/{conversationId}/stream`; `run` has the approvals that it waits for.',
    access: 'viewer',
    params: conversationParams,
    replies: { 200: shownSchema },
    refusals: [404],
    async handle({ params, caller }, ports) {
      const found = await findConversation(ports.records, caller, params.conversationId);
      const now = await endIfDead(ports, found);
      const messages = (await readMessages(ports.records, now)).map(toMessage);
      const run = await runInConversation(ports.records, now);
      const shown = run === undefined ? null : await describeRun(ports.records, run);
      return reply(200, { ...describeConversation(ports, now), messages, run: shown });
    },
  }),
  route({
    method: 'PUT',
    path,
    summary: 'Rename, pin or share a conversation; only who began it can',
    access: 'viewer',
    params: conversationParams,
    body: changeBody,
    example: { title: 'Birds of the night', pinned: true },
    replies: { 200: conversationSchema },
    refusals: [404, 409],
    async handle({ params, body, caller }, ports) {
      const changed = await changeConversation(ports.records, caller, params.conversationId, body);
      return reply(200, describeConversation(ports, changed));
    },
  }),
  route({
    method: 'DELETE',
    path,
    summary: 'Remove a conversation; an answer that is under way ends',
    access: 'viewer',
    params: conversationParams,
    audit: 'conversations.delete',
    replies: { 200: deletedSchema },
    refusals: [404],
    async handle({ params, caller }, ports) {
      await deleteConversation(ports, caller, params.conversationId);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/attachments/{hash}`,
    summary: 'What was attached to a message of a conversation',
    description:
      'The `url` of a file part leads here. A picture (PNG, JPEG, GIF, WebP) is shown; anything else is an attachment of bytes, whatever it says it is.',
    access: 'viewer',
    params: attachmentParams,
    replies: {
      200: { mediaType: 'application/octet-stream', description: 'The bytes; of a picture in its own type' },
    },
    refusals: [404],
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
    summary: 'A conversation as Markdown, with its citations as footnotes',
    access: 'viewer',
    params: conversationParams,
    replies: { 200: { mediaType: 'text/markdown', description: 'The conversation' } },
    refusals: [404],
    async handle({ params, caller }, ports) {
      const found = await findConversation(ports.records, caller, params.conversationId);
      const messages = (await readMessages(ports.records, found)).map(toMessage);
      return reply(200, exportConversation(found, messages), {
        'content-type': 'text/markdown; charset=utf-8',
        'content-disposition': 'attachment; filename="conversation.md"',
      });
    },
  }),
];
