import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatRequest } from './fake-openai.ts';

/** A model server that counts tokens, and rejects or truncates prompts that don't fit its window. */
export interface FakeWindowServer {
  /** Ends in /v1. */
  readonly url: string;
  /** Counts tokens: real tokenizers can replace it. */
  count: (text: string) => number;
  /** The window of each model, by its name. */
  windows: Record<string, number>;
  /**
   * Its response to a prompt that is too long: like llama.cpp, like a server that states no number, or like
   * Ollama.
   */
  manner: 'refuse' | 'refuse-unnamed' | 'cut';
  /** True if it reports its windows. */
  tells: boolean;
  answer: (request: ChatRequest) => string;
  /** The prompt of each chat, and the part that the model read. */
  chats: { request: ChatRequest; text: string; tokens: number; read: number }[];
  /** The requests for chats and others. */
  requests: string[];
  stop(): Promise<void>;
}

/** Splits a text like GPT-2's pre-tokenizer, with a token for each four bytes of a part. */
function countPieces(text: string): number {
  const pieces = text.match(/ ?\p{L}+| ?\p{N}| ?[^\s\p{L}\p{N}]+|\s+/gu) ?? [];
  return pieces.reduce((sum, piece) => sum + Math.ceil(Buffer.byteLength(piece) / 4), 0);
}

export async function startFakeWindowServer(windows: Record<string, number>): Promise<FakeWindowServer> {
  const server = createServer((request, response) => {
    serveRequest(fake, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeWindowServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    ...{ windows, count: countPieces, manner: 'refuse', tells: true, chats: [], requests: [] },
    answer: () => 'It is said in the passage [1].',
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return fake;
}

async function serveRequest(fake: FakeWindowServer, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = await Array.fromAsync(request);
  fake.requests.push(`${request.method} ${request.url}`);
  if (request.url === '/v1/chat/completions')
    return serveChat(fake, JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest, response);
  if (request.url !== '/v1/models') return send(response, 404, { error: { message: 'no such path' } });
  const data = Object.entries(fake.windows).map(([id, window]) => ({
    ...{ id, object: 'model' },
    ...(fake.tells && { max_model_len: window }),
  }));
  send(response, 200, { object: 'list', data });
}

function serveChat(fake: FakeWindowServer, request: ChatRequest, response: ServerResponse) {
  const window = fake.windows[request.model] ?? Number.POSITIVE_INFINITY;
  const tools = request.tools === undefined ? [] : [JSON.stringify(request.tools)];
  const text = [...tools, ...request.messages.map(({ content }) => String(content ?? ''))].join('\n');
  // Eight tokens around each message, as in most templates.
  const tokens = fake.count(text) + 8 * request.messages.length;
  const read = Math.min(tokens, window);
  fake.chats.push({ request, text, tokens, read });
  if (tokens > window && fake.manner !== 'cut') return refuse(fake, { tokens, window }, response);
  const pieces = fake.answer(request).match(/[\s\S]{1,24}/gu) ?? [];
  const frames = pieces.map((content) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const usage = { choices: [], usage: { prompt_tokens: read, completion_tokens: pieces.length } };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const lines = [...frames, end, usage].map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
  response.end(`${lines.join('')}data: [DONE]\n\n`);
}

function refuse(
  { manner }: FakeWindowServer,
  { tokens, window }: { tokens: number; window: number },
  response: ServerResponse,
) {
  const named = {
    message: `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
    ...{ type: 'exceed_context_size_error', n_prompt_tokens: tokens, n_ctx: window },
  };
  const unnamed = { message: 'the input length exceeds the context length' };
  send(response, 400, { error: { code: 400, ...(manner === 'refuse' ? named : unnamed) } });
}

function send(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
