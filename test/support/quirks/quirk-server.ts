import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatRequest } from '../fakes/fake-openai.ts';
import { serveUntilDone } from '../processes/serve-until-done.ts';
import type { Quirk } from './quirk.ts';
import type { Reply } from './replies.ts';

export interface QuirkServer {
  /** Without a path. Models are at `/v1`, and below any other path. */
  origin: string;
  /** Requests for an answer, by model. */
  asked: Map<string, ChatRequest[]>;
  /** The latest value of the header Authorization, by model. */
  keys: Map<string, string | undefined>;
}

/** An OpenAI-compatible server on loopback, where the model's name chooses the quirk. Ends with the test file. */
export async function startQuirkServer(quirks: readonly Quirk[]): Promise<QuirkServer> {
  const server = createServer((request, response) => {
    serveRequest(own, quirks, request, response).catch(() => response.destroy());
  });
  const own: QuirkServer = { origin: await serveUntilDone(server), asked: new Map(), keys: new Map() };
  return own;
}

async function serveRequest(
  { asked, keys }: QuirkServer,
  quirks: readonly Quirk[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJson(request);
  const path = request.url ?? '';
  if (path.startsWith('/gateway/') && !path.startsWith('/gateway/v1/'))
    return void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
  const quirk = quirks.find(({ name }) => name === body.model);
  if (!path.endsWith('/chat/completions')) return describeModels(quirks, path, quirk, response);
  const earlier = asked.get(body.model) ?? [];
  asked.set(body.model, [...earlier, body]);
  keys.set(body.model, request.headers.authorization);
  const reply = quirk?.reply({ request: body, prompt: promptOf(body), turn: earlier.length });
  await sendReply(reply ?? missing(body.model), response);
}

async function readJson(request: IncomingMessage): Promise<ChatRequest> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text || '{}') as ChatRequest;
}

function promptOf({ messages }: ChatRequest): string {
  const texts = messages.map(({ content }) => (Array.isArray(content) ? content : [{ text: content }]));
  return texts
    .flatMap((parts: { text?: unknown }[]) => parts.map(({ text }) => String(text ?? '')))
    .join('\n');
}

function missing(model: string): Reply {
  const message = `model "${model}" not found, try pulling it first`;
  return { status: 404, body: { error: { message, type: 'api_error', param: null, code: null } } };
}

/** Model descriptions of servers. Each of these lists is from another kind of server. */
function describeModels(
  quirks: readonly Quirk[],
  path: string,
  one: Quirk | undefined,
  response: ServerResponse,
): void {
  const told = quirks.map(({ name, tells }) => ({ name, tells }));
  const lists: Record<string, unknown> = {
    '/v1/models': { object: 'list', data: told.map(({ name, tells }) => ({ id: name, ...tells?.openai })) },
    '/api/v0/models': {
      data: told.flatMap(({ name, tells }) => (tells?.lmStudio ? { id: name, ...tells.lmStudio } : [])),
    },
    '/api/ps': {
      models: told.flatMap(({ name, tells }) =>
        tells?.ollama ? { name, model: name, ...tells.ollama } : [],
      ),
    },
  };
  const body = path === '/api/show' ? one?.tells?.show : lists[path];
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? { error: 'not found' }));
}

async function sendReply(reply: Reply, response: ServerResponse): Promise<void> {
  if ('lines' in reply) return sendLines(reply, response);
  const isText = typeof reply.body === 'string';
  const headers = { 'content-type': isText ? 'text/html' : 'application/json', ...reply.headers };
  response.writeHead(reply.status, headers).end(isText ? reply.body : JSON.stringify(reply.body));
}

async function sendLines(
  { lines, headersAfterMs = 0, end = 'close' }: Extract<Reply, { lines: unknown }>,
  response: ServerResponse,
): Promise<void> {
  await sleep(headersAfterMs, undefined, { ref: false });
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  for (const line of lines) {
    if (response.destroyed) return;
    if (typeof line === 'number') await sleep(line, undefined, { ref: false });
    else if (!response.write(line)) await sleep(5);
  }
  if (end === 'cut') response.destroy();
  if (end === 'close') response.end();
}
