import * as z from 'zod';
import { type AnswerPorts, answerChat } from '../../lib/chat/answer.ts';
import { chatBody, foundSchema, searchQuery } from '../../lib/chat/schema.ts';
import { EVENT_STREAM_HEADERS, eventSchema, eventStream } from '../../lib/http/event-stream.ts';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import type { LanguageModel, ProviderId } from '../../lib/ports/language-model.ts';
import { searchPassages } from '../../lib/retrieval/search.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { workspaceParams } from '../../lib/workspaces/schema.ts';

interface ChatPorts extends HttpPorts {
  searchFor(use: Use): AnswerPorts;
  /** Throws NotConfigured when that provider, or any, is not. */
  openModel(use: Use, choice?: { provider: ProviderId; model: string }): LanguageModel;
}

const route = routeFor<ChatPorts>();
const events = {
  mediaType: 'text/event-stream',
  description: 'UI message stream protocol, version 1, with `data-citation` and `data-notice` parts',
  event: eventSchema,
};

export const chatRoutes = [
  route({
    method: 'POST',
    path: '/api/chat',
    summary: 'Ask a question; the answer is a stream that cites the files of the workspace',
    description: 'Failures after the first byte come as an `error` part; the last frame is `[DONE]`.',
    access: 'viewer',
    body: chatBody,
    replies: { 200: events },
    refusals: [404, 503],
    workspace: ({ body }) => body.workspaceId,
    async handle({ workspace, body, caller, timeLeftMs }, ports) {
      const { provider, model: name, messages } = body;
      const choice = provider && name ? { provider, model: name } : undefined;
      const use: Use = { callerId: caller.id, workspaceId: workspace.id, kind: 'chat' };
      const model = ports.openModel(use, choice);
      await model.admit?.(); // here it can still be refused by a status
      const asked = { workspace, actor: caller.id, messages, model };
      const stream = eventStream((signal) => answerChat(ports.searchFor(use), { ...asked, signal }), {
        timeLeftMs: timeLeftMs(),
      });
      return reply(200, stream, EVENT_STREAM_HEADERS);
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/search',
    summary: 'The passages that answer a question best, without a model',
    access: 'viewer',
    params: workspaceParams,
    query: searchQuery,
    replies: { 200: z.array(foundSchema) },
    refusals: [404],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, query, caller }, ports) {
      const use: Use = { callerId: caller.id, workspaceId: workspace.id, kind: 'search' };
      const { passages } = await searchPassages(ports.searchFor(use), workspace.id, query.q);
      const found = passages
        .slice(0, query.k)
        .map(({ path, startLine, endLine, part, context, text, score, fileHash }) => {
          return { path, startLine, endLine, ...part, context, text, score, fileHash };
        });
      return reply(200, found);
    },
  }),
];
