import type { StreamPart } from '../../lib/api-contract/stream-part.ts';
import { ANSWER_STREAM_ERRORS } from '../../lib/chat/answer-in-conversation.ts';
import { SEND_ERRORS, type StartChatPorts, startChat } from '../../lib/chat/start-chat.ts';
import { EVENT_HEADERS, type EventForm, eventStreamIn } from '../../lib/http/event-stream.ts';
import { reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import { replyWhole } from '../../lib/http/whole-answer.ts';
import { completionContext, completionEvents, completionOf } from '../../lib/openai-api/completions.ts';
import { chatFieldsOf, describeModel, workspaceOfModel } from '../../lib/openai-api/model-id.ts';
import {
  COMPLETION_PARAMETERS,
  RESPONSE_PARAMETERS,
  requireSupported,
} from '../../lib/openai-api/parameters.ts';
import {
  completionSchema,
  modelListSchema,
  openaiErrorSchema,
  openaiEventSchema,
  responseSchema,
} from '../../lib/openai-api/reply-schema.ts';
import { openaiCompletionBody, openaiResponseBody } from '../../lib/openai-api/request-schema.ts';
import { storedFor } from '../../lib/openai-api/response-id.ts';
import { responseContext, responseEvents, responseOf } from '../../lib/openai-api/responses.ts';
import { askedInCompletion, askedInResponse } from '../../lib/openai-api/to-chat.ts';
import { placesOf } from '../../lib/retrieval/places.ts';
import { openaiError } from '../../lib/ui-messages/openai-error.ts';
import { listWorkspaces } from '../../lib/workspaces/registry.ts';

interface OpenaiPorts extends HttpPorts, StartChatPorts {
  /** The URL at which people reach the console, for links to quotes. */
  publicUrl: string | undefined;
}

const route = routeFor<OpenaiPorts>();

/** The maximum number of models, because OpenAI's list has no pages. */
const MAX_MODELS = 1000;
const ANSWERS = {
  mediaType: 'text/event-stream',
  description: "Events of OpenAI's API, with `stream`.",
  event: openaiEventSchema,
  errors: ANSWER_STREAM_ERRORS,
} as const;
const failed = (error: unknown) => ({ error: openaiError(error) });

export const openaiRoutes = [
  route({
    method: 'GET',
    path: '/api/openai/v1/models',
    operationId: 'listOpenaiModels',
    summary: 'List workspaces as models',
    description:
      "Returns a model for each workspace that you can access, up to 1,000, for clients of OpenAI's API.",
    access: 'viewer',
    replies: { 200: modelListSchema },
    refusal: openaiErrorSchema,
    async handle({ caller }, { records }) {
      const { items } = await listWorkspaces(records, caller, { limit: MAX_MODELS });
      return reply(200, { object: 'list' as const, data: items.map(describeModel) });
    },
  }),
  route({
    method: 'POST',
    path: '/api/openai/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
    description:
      "Answers like `POST /api/chat`, in the form of OpenAI's Chat Completions API. Nothing is stored. Each annotation has its citation in `x_citation`. A slow answer without `stream` starts with spaces, and an error then has the status 200.",
    access: 'viewer',
    body: openaiCompletionBody,
    example: {
      model: 'workspace:019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      messages: [{ role: 'user', content: 'When do owls hunt?' }],
    },
    replies: { 200: { ...ANSWERS, json: completionSchema } },
    refusal: openaiErrorSchema,
    errors: [...SEND_ERRORS, ...ANSWER_STREAM_ERRORS, 'unsupported_parameter'],
    workspace({ body }) {
      requireSupported(body, openaiCompletionBody, COMPLETION_PARAMETERS);
      return workspaceOfModel(body.model);
    },
    async handle({ workspace, body, caller, timeLeftMs }, ports) {
      const { chat, maxOutputTokens } = askedInCompletion(chatFieldsOf(workspace), body);
      const left = { timeLeftMs: timeLeftMs() };
      const start = await startChat(ports, caller, workspace, chat, { ...left, maxOutputTokens });
      const { publicUrl: base = '' } = ports;
      const context = completionContext(body, {
        workspaceId: placesOf(workspace).workspace.id,
        ...createdAt(ports),
        base,
      });
      if (body.stream === true) return replyEvents(completionEvents(context), start, left);
      return replyWhole((signal) => completionOf(context, start(signal)), { failed, timeLeftMs });
    },
  }),
  route({
    method: 'POST',
    path: '/api/openai/v1/responses',
    operationId: 'createOpenaiResponse',
    summary: 'Create a response',
    description:
      "Answers like `POST /api/chat`, in the form of OpenAI's Responses API. With `store`, a conversation is stored, which is listed with your others. Each annotation has its citation in `x_citation`. A slow answer without `stream` starts with spaces, and an error then has the status 200.",
    access: 'viewer',
    body: openaiResponseBody,
    example: {
      model: 'workspace:019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      input: 'When do owls hunt?',
      store: true,
    },
    replies: { 200: { ...ANSWERS, json: responseSchema } },
    refusal: openaiErrorSchema,
    errors: [...SEND_ERRORS, ...ANSWER_STREAM_ERRORS, 'conversation_not_found', 'unsupported_parameter'],
    workspace({ body }) {
      requireSupported(body, openaiResponseBody, RESPONSE_PARAMETERS);
      return workspaceOfModel(body.model);
    },
    async handle({ workspace, body, caller, timeLeftMs }, ports) {
      const stored = await storedFor(ports.records, caller, body);
      const { chat, maxOutputTokens } = askedInResponse(chatFieldsOf(workspace), body, stored);
      const left = { timeLeftMs: timeLeftMs() };
      const start = await startChat(ports, caller, workspace, chat, { ...left, maxOutputTokens });
      const context = responseContext(body, {
        workspaceId: placesOf(workspace).workspace.id,
        ...createdAt(ports),
        stored,
      });
      if (body.stream === true) return replyEvents(responseEvents(context), start, left);
      return replyWhole((signal) => responseOf(context, start(signal)), { failed, timeLeftMs });
    },
  }),
];

/** Replies with an answer as events of OpenAI's API. */
function replyEvents<Event>(
  {
    form,
    events,
  }: { form: EventForm<Event>; events(parts: AsyncIterable<StreamPart>): AsyncIterable<Event> },
  start: Awaited<ReturnType<typeof startChat>>,
  left: { timeLeftMs: number },
) {
  const stream = eventStreamIn(form, (signal) => events(start(signal)), left);
  return reply(200, stream, EVENT_HEADERS);
}

function createdAt({ clock }: HttpPorts): { created: number } {
  return { created: Math.floor(clock.now() / 1000) };
}
