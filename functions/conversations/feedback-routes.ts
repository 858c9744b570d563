import { Readable } from 'node:stream';
import * as z from 'zod';
import { CONVERSATION_ERRORS } from '../../lib/conversations/find.ts';
import { conversationParams } from '../../lib/conversations/schema.ts';
import { toCollection } from '../../lib/feedback/export.ts';
import {
  FEEDBACK_ERRORS,
  giveFeedback,
  readOwnFeedback,
  withdrawFeedback,
} from '../../lib/feedback/feedback.ts';
import { listFeedback } from '../../lib/feedback/list.ts';
import {
  feedbackBody,
  feedbackExportQuery,
  feedbackParams,
  feedbackQuery,
  ownFeedbackSchema,
  shownFeedbackSchema,
} from '../../lib/feedback/schema.ts';
import { contentDisposition } from '../../lib/http/content-disposition.ts';
import { DELETED, deletedSchema, pageHeaders, reply, replyPage } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';

const route = routeFor<HttpPorts>();
const path = '/api/conversations/{conversationId}/messages/{messageId}/feedback';

const SEEN =
  'Only for administrators whose credential is not bound to workspaces. Question, answer, and passages are included if the conversation is shared, or if its owner gave the feedback.';

export const feedbackRoutes = [
  route({
    method: 'GET',
    path: '/api/conversations/{conversationId}/feedback',
    operationId: 'listOwnFeedback',
    summary: 'List your feedback in a conversation',
    access: 'viewer',
    params: conversationParams,
    replies: { 200: z.array(ownFeedbackSchema) },
    errors: [...CONVERSATION_ERRORS],
    handle: async ({ params, caller }, { records }) =>
      reply(200, await readOwnFeedback(records, caller, params.conversationId)),
  }),
  route({
    method: 'PUT',
    path,
    operationId: 'replaceFeedback',
    summary: 'Replace your feedback on an answer',
    description:
      'Replaces your earlier feedback on the answer of a chat, a run, or a report. Administrators see the rating, the reasons, the comment, the model, and who gave it. If the conversation is yours, they also see the question, the answer, and the passages that it cites, but nothing else of the conversation. The feedback is deleted with the conversation.',
    access: 'viewer',
    params: feedbackParams,
    body: feedbackBody,
    example: { rating: 'down', reasons: ['wrong_passages'], comment: 'It quotes the old version.' },
    replies: { 200: ownFeedbackSchema },
    errors: [...FEEDBACK_ERRORS],
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await giveFeedback(ports, caller, params, body)),
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteFeedback',
    summary: 'Delete your feedback on an answer',
    access: 'viewer',
    params: feedbackParams,
    audit: 'feedback.delete',
    replies: { 200: deletedSchema },
    errors: [...FEEDBACK_ERRORS],
    async handle({ params, caller }, { records }) {
      await withdrawFeedback(records, caller, params);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'GET',
    path: '/api/feedback',
    operationId: 'listFeedback',
    summary: 'List feedback',
    description: `Returns everyone's feedback on answers, newest first. ${SEEN} A page may contain fewer items than its \`limit\`, or none; continue with \`x-next-cursor\`.`,
    access: 'admin',
    query: feedbackQuery,
    replies: { 200: z.array(shownFeedbackSchema) },
    errors: ['workspace_scoped_token'],
    handle: async ({ query, caller }, { records }) => replyPage(await listFeedback(records, caller, query)),
  }),
  route({
    method: 'GET',
    path: '/api/feedback/export',
    operationId: 'exportFeedback',
    summary: 'Export feedback as a collection',
    description: `Returns a ZIP file with a collection in BEIR's form, which \`npm run eval -- --beir\` measures: questions, cited passages, and which of them good answers cited. ${SEEN} Other feedback is left out. Continue with \`x-next-cursor\`.`,
    access: 'admin',
    query: feedbackExportQuery,
    audit: 'feedback.export',
    replyHeaders: ['content-disposition'],
    replies: { 200: { mediaType: 'application/zip', description: 'Collection as a ZIP file.' } },
    errors: ['workspace_scoped_token'],
    async handle({ query, caller }, { records }) {
      const page = await listFeedback(records, caller, query);
      return reply(200, Readable.from([toCollection(page.items)]), {
        'content-type': 'application/zip',
        'content-disposition': contentDisposition('feedback.zip'),
        ...pageHeaders(page),
      });
    },
  }),
];
