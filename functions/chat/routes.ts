import * as z from 'zod';
import { ANSWER_STREAM_ERRORS } from '../../lib/chat/answer-in-conversation.ts';
import {
  chatBody,
  foundSchema,
  type SearchQuery,
  searchQuery,
  severalSearchQuery,
} from '../../lib/chat/schema.ts';
import { SEND_ERRORS, type StartChatPorts, startChat } from '../../lib/chat/start-chat.ts';
import {
  CHANGE_CONVERSATION_ERRORS,
  CONVERSATION_ERRORS,
  findConversationIfThere,
  findConversationToChange,
} from '../../lib/conversations/find.ts';
import { describeConversation } from '../../lib/conversations/list.ts';
import { conversationParams, conversationSchema } from '../../lib/conversations/schema.ts';
import { followAnswer } from '../../lib/conversations/turn/follow-answer.ts';
import { stopTurn } from '../../lib/conversations/turn/stop-turn.ts';
import { withDocumentNames } from '../../lib/documents/named.ts';
import {
  EVENT_STREAM_HEADERS,
  eventSchema,
  eventStream,
  STREAM_RESERVE_MS,
} from '../../lib/http/event-stream.ts';
import {
  NOTHING_IN_PROGRESS,
  nothingInProgress,
  pageHeaders,
  reply,
  replyPage,
} from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { checkCitations } from '../../lib/quotations/checks/check-citations.ts';
import { countCitations } from '../../lib/quotations/checks/count.ts';
import { listBrokenCitations } from '../../lib/quotations/checks/list.ts';
import { REPAIR_ERRORS, repairCitation } from '../../lib/quotations/checks/repair.ts';
import {
  brokenCitationParams,
  brokenCitationSchema,
  checkCitationsBody,
  citationCountSchema,
  citationNowSchema,
  citationsQuery,
  repairedSchema,
} from '../../lib/quotations/checks/schema.ts';
import { pageQuery } from '../../lib/records/page.ts';
import { pageOfResults } from '../../lib/retrieval/page-results.ts';
import { isNear } from '../../lib/retrieval/rank/near.ts';
import { type SearchResult, searchPassages } from '../../lib/retrieval/search.ts';
import { searchWorkspaces } from '../../lib/retrieval/search-workspaces.ts';
import type { Use } from '../../lib/usage/schema.ts';
import { type Workspace, workspaceParams } from '../../lib/workspaces/schema.ts';

const route = routeFor<HttpPorts & StartChatPorts>();
const events = {
  mediaType: 'text/event-stream',
  description:
    'UI message stream protocol, version 1, with `data-citation`, `data-citation-support`, `data-notice`, and `data-error` parts.',
  event: eventSchema,
  errors: ANSWER_STREAM_ERRORS,
};
export const chatRoutes = [
  route({
    method: 'POST',
    path: '/api/chat',
    operationId: 'sendChatMessage',
    summary: 'Send a chat message',
    description:
      "Streams an answer that cites the files of the workspace. Errors after the first byte are sent as an `error` part. The last event is `[DONE]`, unless the conversation is deleted in the meantime. With an `id`, the conversation is stored, and the answer continues if the client disconnects. Earlier messages are then read from the stored conversation, and only the last message is new. A conversation that isn't stored yet takes over up to 50 earlier messages.",
    access: 'viewer',
    body: chatBody,
    example: {
      workspaceId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      id: 'night-birds',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'When do owls hunt?' }] }],
      trigger: 'submit-message',
    },
    mayBeLate: true, // attachments are read before the first part
    replies: { 200: { ...events, errors: [...ANSWER_STREAM_ERRORS, ...SEND_ERRORS] } },
    errors: SEND_ERRORS,
    workspace: ({ body }) => body.workspaceId ?? body.workspaceIds ?? '',
    async handle({ workspace, body, caller, timeLeftMs }, ports) {
      const options = { timeLeftMs: timeLeftMs() };
      const parts = await startChat(ports, caller, workspace, body, options);
      return reply(200, eventStream(parts, options), EVENT_STREAM_HEADERS);
    },
  }),
  route({
    method: 'GET',
    path: '/api/chat/{conversationId}/stream',
    operationId: 'streamAnswer',
    summary: 'Stream an answer in progress',
    description:
      'Streams the current answer of a conversation from its start, then live until it ends. Returns 204 if no answer is in progress, or if the conversation does not exist yet: with `resume: true`, the AI SDK asks for every new conversation.',
    access: 'viewer',
    params: conversationParams,
    replies: { 200: events, 204: NOTHING_IN_PROGRESS },
    errors: [...CONVERSATION_ERRORS, 'disk_full'],
    async handle({ params, caller, timeLeftMs }, ports) {
      const found = await findConversationIfThere(ports.records, caller, params.conversationId);
      const follow = found && (await followAnswer(ports, found));
      if (follow === undefined) return nothingInProgress();
      const left = timeLeftMs();
      const stream = eventStream((signal) => follow({ signal, timeLeftMs: left - STREAM_RESERVE_MS }), {
        timeLeftMs: left,
      });
      return reply(200, stream, EVENT_STREAM_HEADERS);
    },
  }),
  route({
    method: 'POST',
    path: '/api/chat/{conversationId}/stop',
    operationId: 'stopAnswer',
    summary: 'Stop generating',
    description:
      'Stops the current answer and keeps the text generated so far. Returns the conversation once the answer has ended, or after 4 seconds, then with `answering: true`. Does nothing if no answer is in progress.',
    access: 'viewer',
    params: conversationParams,
    replies: { 200: conversationSchema },
    errors: [...CHANGE_CONVERSATION_ERRORS],
    async handle({ params, caller }, ports) {
      const found = await findConversationToChange(ports.records, caller, params.conversationId);
      return reply(200, describeConversation(ports, await stopTurn(ports, found)));
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/search',
    operationId: 'searchWorkspace',
    summary: 'Search a workspace',
    description:
      'Returns the passages that best match a question, without calling a language model. The header `x-search-mode` shows how they were found: `hybrid` (semantic and keyword search), `lexical` (keyword search only), or `none` (the index is empty, or was lost and needs a sync). For `lexical`, the header `x-search-fallback` has the reason. The header `x-search-near` is `false` if even the best passage is not close to the question.',
    access: 'viewer',
    params: workspaceParams,
    query: searchQuery,
    replyHeaders: ['x-search-mode', 'x-search-fallback', 'x-search-near'],
    replies: { 200: z.array(foundSchema) },
    errors: ['unknown_field'], // of the filter
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, query, caller }, ports) {
      const use: Use = { callerId: caller.id, workspaceId: workspace.id, kind: 'search' };
      const options = { scope: { paths: query.paths, extensions: query.types }, filter: query.filter };
      const result = await searchPassages(ports.searchFor(use), workspace.id, query.q, options);
      return replyFound(ports, [workspace], result, query);
    },
  }),
  route({
    method: 'GET',
    path: '/api/search',
    operationId: 'searchWorkspaces',
    summary: 'Search several workspaces',
    description:
      'Returns the passages of up to 20 workspaces that best match a question, like `GET /api/workspaces/{workspaceId}/search`. Each further passage of a workspace counts a tenth less, so that a large workspace leaves room for a small one. A workspace that you may not read is not found, as if it did not exist.',
    access: 'viewer',
    query: severalSearchQuery,
    lists: ['workspaceIds'],
    replyHeaders: ['x-search-mode', 'x-search-fallback', 'x-search-near'],
    replies: { 200: z.array(foundSchema) },
    errors: ['unknown_field'], // of the filter
    workspace: ({ query }) => query.workspaceIds,
    async handle({ workspace: workspaces, query, caller }, ports) {
      const ids = workspaces.map(({ id }) => id);
      const use: Use = { callerId: caller.id, workspaceId: ids[0] ?? null, kind: 'search' };
      const options = { scope: { extensions: query.types }, filter: query.filter };
      const result = await searchWorkspaces(ports.searchFor(use), ids, query.q, options);
      return replyFound(ports, workspaces, result, query);
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/broken-citations',
    operationId: 'listBrokenCitations',
    summary: 'List citations that no longer hold',
    description:
      'Returns the citations of notes, reports, and conversations whose quote is no longer in the cited file, and those of retracted papers, latest first. Conversations of others are included only if they are shared. The first 20 citations of a page have a suggestion if the same quote is found elsewhere in the workspace.',
    access: 'viewer',
    params: workspaceParams,
    query: pageQuery,
    replies: { 200: z.array(brokenCitationSchema) },
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, query, caller }, ports) {
      const use: Use = { callerId: caller.id, workspaceId: workspace.id, kind: 'search' };
      return replyPage(await listBrokenCitations(ports.searchFor(use), caller, workspace, query));
    },
  }),
  route({
    method: 'POST',
    path: '/api/workspaces/{workspaceId}/broken-citations/{brokenCitationId}/repair',
    operationId: 'repairBrokenCitation',
    summary: 'Update a broken citation',
    description:
      'Makes the citation refer to the place elsewhere in the workspace that contains the same quote. The quote is searched again, so the result may differ from the suggestion. The answers of a conversation can be repaired by the person who started it.',
    access: 'member',
    params: brokenCitationParams,
    replies: { 200: repairedSchema },
    errors: [...REPAIR_ERRORS],
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, params, caller }, ports) {
      const use: Use = { callerId: caller.id, workspaceId: workspace.id, kind: 'search' };
      return reply(
        200,
        await repairCitation(ports.searchFor(use), caller, workspace, params.brokenCitationId),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/api/workspaces/{workspaceId}/citations',
    operationId: 'getCitationCount',
    summary: 'Get the number of citations of a file',
    description:
      'Returns how many citations of notes, reports, and answers would break if the file, or the folder with all its files, were deleted. Conversations of others are counted, too.',
    access: 'viewer',
    params: workspaceParams,
    query: citationsQuery,
    replies: { 200: citationCountSchema },
    workspace: ({ params }) => params.workspaceId,
    handle: async ({ workspace, query }, ports) =>
      reply(200, await countCitations(ports.records, workspace.id, query.path)),
  }),
  route({
    method: 'POST',
    path: '/api/workspaces/{workspaceId}/citations/check',
    operationId: 'checkCitations',
    summary: 'Check whether citations still hold',
    description:
      'Returns the state of each citation now, in the same order, and the place of its quote elsewhere in the workspace if its file was moved, deleted, or changed. For citations of texts that stay as they were written, such as reports, checks of drafts, and agent runs. The first 20 quotes whose file lacks them are searched, within 5 seconds.',
    access: 'viewer',
    params: workspaceParams,
    body: checkCitationsBody,
    example: { citations: [{ index: 1, path: 'owls.md', startLine: 3, quote: 'Owls hunt at night.' }] },
    replies: { 200: z.array(citationNowSchema) },
    workspace: ({ params }) => params.workspaceId,
    async handle({ workspace, body, caller }, ports) {
      const use: Use = { callerId: caller.id, workspaceId: workspace.id, kind: 'search' };
      return reply(200, await checkCitations(ports.searchFor(use), workspace, body));
    },
  }),
];

async function replyFound(
  { records }: HttpPorts,
  workspaces: Workspace[],
  result: SearchResult,
  { k, cursor, ...asked }: Partial<SearchQuery> & Pick<SearchQuery, 'k'>,
) {
  const { mode, fellBack } = result;
  const searched = workspaces.map(({ id }) => id);
  const page = pageOfResults(result.passages, { k, cursor, asked: [searched, asked] });
  const found = page.passages.map(({ workspaceId, part, ...passage }) => {
    const { path, startLine, endLine, context, text, score, fileHash } = passage;
    const place = { ...(workspaceId && { workspaceId }), path, startLine, endLine, ...part };
    return { ...place, context, text, score, fileHash };
  });
  const why = mode === 'lexical' && { 'x-search-fallback': fellBack ?? 'not-configured' };
  const near = found.length > 0 && { 'x-search-near': String(isNear(result)) };
  const named = await withDocumentNames(records, workspaces, found);
  return reply(200, named, { 'x-search-mode': mode, ...why, ...near, ...pageHeaders(page) });
}
