import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface ChatRequest {
  model: string;
  messages: { role: string; content: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  tools?: unknown[];
  [key: string]: unknown;
}

export type ProviderFailure =
  | 'unauthorized'
  | 'rate-limited'
  | 'server-error'
  | 'cut'
  | 'silent-end'
  | 'stall'
  | 'error-frame';

/** One text, the chunks in which it is sent, or tool calls (with a text before them). */
export type FakeAnswer = string | string[] | { text?: string; calls: FakeCall[] };

interface FakeCall {
  name: string;
  /** Text is sent unchanged, and needn't be JSON. */
  input: unknown;
}

/** Failures before and in the middle of an answer, with the caller's message for each. */
export const FAILURES_TOLD = [
  ['unauthorized', /refused the key/],
  ['rate-limited', /rate limit/],
  ['server-error', /failed \(500\)/],
  ['cut', /the connection was cut/],
  ['silent-end', /stopped in the middle/],
  ['error-frame', /is overloaded/],
] as const;

export interface FakeOpenaiOptions {
  /** Default: sentences of passages 1 and 2, cited. */
  answer?: (request: ChatRequest) => FakeAnswer;
  /** Default: hashedWords. */
  vectorOf?: (text: string) => Float32Array;
  /** The delay before the first chunk of an answer, and before the vectors. */
  delayMs?: number;
  /** The delay between the chunks of an answer. */
  paceMs?: number;
}

export interface FakeOpenai {
  /** Ends in /v1. */
  readonly url: string;
  chatRequests: number;
  /** Number of chats whose answer is in progress. */
  openChats: number;
  embeddingRequests: number;
  embeddedTexts: number;
  lastChat: ChatRequest | undefined;
  /** Headers of the latest request, names in lower case. */
  lastHeaders: IncomingMessage['headers'];
  /** The text of every recording; undefined if there is no such service. */
  transcript: string | undefined;
  /** Bodies of the requests that have one. */
  recordings: Buffer[];
  failure: ProviderFailure | undefined;
  /** The seconds that a rejection states; undefined for 5 ms. */
  retryAfter: string | undefined;
  embeddingFailure: ProviderFailure | undefined;
  /** Changes the list of vectors before it is sent. */
  scaleVectors: (data: EmbeddingData[]) => unknown[];
  /** Sends these chunks unchanged instead of an answer; `[DONE]` follows only if it is one of them. */
  rawChunks: unknown[] | undefined;
  /** The rejection of a chat; undefined if the chat is answered. */
  refuses: ((request: ChatRequest) => [status: number, message: string] | undefined) | undefined;
  answer: (request: ChatRequest) => FakeAnswer;
  vectorOf: (text: string) => Float32Array;
  delayMs: number;
  paceMs: number;
  /** Awaited before each chunk of an answer, by its number from 0. */
  beforePiece: ((number: number) => Promise<unknown>) | undefined;
  /** Awaited before the vectors. */
  beforeVectors: ((texts: string[]) => Promise<unknown>) | undefined;
  /** The number of comments before the first chunk of an answer, one every 20 ms; Infinity means forever. */
  comments: number;
  commentsSent: number;
  stop(): Promise<void>;
}

/** Gives one answer per model call, and repeats the last one. */
export function inTurn(...answers: FakeAnswer[]): () => FakeAnswer {
  let asked = 0;
  return () => answers[Math.min(asked++, answers.length - 1)] ?? '';
}

interface EmbeddingData {
  object: 'embedding';
  index: number;
  embedding: number[] | string;
}

const DIMENSIONS = 384;

/** An OpenAI-compatible provider on loopback: chat as a stream, vectors of hashed words, failures on demand. */
export async function startFakeOpenai(options: FakeOpenaiOptions = {}): Promise<FakeOpenai> {
  const server = createServer((request, response) => {
    serveRequest(provider, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider: FakeOpenai = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    chatRequests: 0,
    openChats: 0,
    embeddingRequests: 0,
    embeddedTexts: 0,
    lastChat: undefined,
    lastHeaders: {},
    transcript: undefined,
    recordings: [],
    failure: undefined,
    retryAfter: undefined,
    embeddingFailure: undefined,
    scaleVectors: (data) => data,
    rawChunks: undefined,
    refuses: undefined,
    answer: options.answer ?? citePassages,
    vectorOf: options.vectorOf ?? hashedWords,
    delayMs: options.delayMs ?? 0,
    paceMs: options.paceMs ?? 0,
    beforePiece: undefined,
    beforeVectors: undefined,
    comments: 0,
    commentsSent: 0,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return provider;
}

async function serveRequest(provider: FakeOpenai, request: IncomingMessage, response: ServerResponse) {
  provider.lastHeaders = request.headers;
  const bytes = await readBytes(request);
  if (request.url === '/v1/audio/transcriptions') return transcribe(provider, bytes, response);
  const body: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
  if (request.url === '/v1/models')
    return provider.failure === 'unauthorized'
      ? sendError(response, 401, 'Incorrect API key provided: sk-secret.')
      : sendModels(response);
  if (request.url === '/v1/chat/completions') return serveChat(provider, body as ChatRequest, response);
  if (request.url === '/v1/embeddings') {
    return serveEmbeddings(provider, body as EmbeddingRequest, response);
  }
  return sendError(response, 404, `no such path ${request.url}`);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function transcribe(provider: FakeOpenai, body: Buffer, response: ServerResponse) {
  if (refuse(provider.failure, response)) return;
  if (provider.transcript === undefined) return sendError(response, 404, 'no such path');
  provider.recordings.push(body);
  sendJson(response, 200, { text: provider.transcript });
}

function sendModels(response: ServerResponse) {
  const data = ['fake-chat', 'fake-chat-large', 'fake-embedding'].map((id) => ({
    id,
    object: 'model',
    created: 0,
    owned_by: 'fake',
  }));
  sendJson(response, 200, { object: 'list', data });
}

async function serveChat(provider: FakeOpenai, request: ChatRequest, response: ServerResponse) {
  provider.chatRequests += 1;
  provider.lastChat = request;
  provider.openChats += 1;
  response.once('close', () => {
    provider.openChats -= 1;
  });
  if (provider.delayMs > 0) await pause(provider.delayMs);
  const { failure } = provider;
  if (refuse(failure, response, provider.retryAfter)) return;
  const refusal = provider.refuses?.(request);
  if (refusal !== undefined) return sendError(response, ...refusal);
  if (provider.rawChunks !== undefined) return sendRaw(provider.rawChunks, response);
  const { pieces, calls } = normalize(provider.answer(request));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let count = 0; count < provider.comments && !response.destroyed; count++) {
    response.write(': PROCESSING\n\n');
    provider.commentsSent += 1;
    await pause(20);
  }
  const frames = pieces.map((content) => frame(request.model, { choices: [choice({ content }, null)] }));
  for (const [index, call] of calls.entries()) frames.push(...callFrames(request.model, index, call));
  if (failure !== undefined) return breakOff(failure, frames, response);
  const end = calls.length > 0 ? 'tool_calls' : 'stop';
  frames.push(frame(request.model, { choices: [choice({}, end)] }));
  if (request.stream_options?.include_usage) {
    const usage = { prompt_tokens: 100, completion_tokens: pieces.length, total_tokens: 100 + pieces.length };
    frames.push(frame(request.model, { choices: [], usage }));
  }
  await sendFrames(frames, provider, response);
}

function normalize(answer: FakeAnswer): { pieces: string[]; calls: FakeCall[] } {
  if (Array.isArray(answer)) return { pieces: answer, calls: [] };
  const { text = '', calls } = typeof answer === 'string' ? { text: answer, calls: [] } : answer;
  return { pieces: text.match(/[\s\S]{1,24}/gu) ?? [], calls };
}

/** A call as OpenAI sends it: its name first, then its arguments in chunks. */
function callFrames(model: string, index: number, { name, input }: FakeCall): string[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const id = `call_${randomUUID().slice(0, 12)}`;
  const deltas = [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...(text.match(/[\s\S]{1,40}/gu) ?? []).map((piece) => ({ index, function: { arguments: piece } })),
  ];
  return deltas.map((delta) => frame(model, { choices: [choice({ tool_calls: [delta] }, null)] }));
}

/** Sends the frames all at once, or one by one. */
async function sendFrames(frames: string[], provider: FakeOpenai, response: ServerResponse) {
  const { paceMs, beforePiece } = provider;
  if (paceMs > 0 || beforePiece !== undefined) {
    for (const [number, frame] of frames.splice(0).entries()) {
      await beforePiece?.(number);
      if (response.destroyed) return;
      response.write(frame);
      await pause(paceMs);
    }
  }
  response.end(`${frames.join('')}data: [DONE]\n\n`);
}

function sendRaw(chunks: unknown[], response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const text = chunks.map(
    (chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`,
  );
  response.end(text.join(''));
}

function choice(delta: Record<string, unknown>, finishReason: string | null) {
  return { index: 0, delta: { role: 'assistant', ...delta }, finish_reason: finishReason };
}

function frame(model: string, fields: Record<string, unknown>): string {
  const chunk = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 0, model, ...fields };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** Fails before the first byte. The key in the text tests that it is never passed on. */
function refuse(
  failure: ProviderFailure | undefined,
  response: ServerResponse,
  retryAfter?: string,
): boolean {
  const statuses: Partial<Record<ProviderFailure, number>> = {
    unauthorized: 401,
    'rate-limited': 429,
    'server-error': 500,
  };
  const status = failure === undefined ? undefined : statuses[failure];
  if (status === undefined) return false;
  if (retryAfter === undefined) response.setHeader('retry-after-ms', '5');
  else response.setHeader('retry-after', retryAfter);
  sendError(response, status, 'Incorrect API key provided: sk-very-secret');
  return true;
}

/** Fails in the middle of an answer. */
function breakOff(failure: ProviderFailure, frames: string[], response: ServerResponse) {
  response.write(frames[0] ?? '');
  if (failure === 'silent-end') response.end();
  if (failure === 'cut') setTimeout(() => response.destroy(), 20);
  if (failure === 'error-frame') {
    response.end(
      `data: ${JSON.stringify({ error: { message: 'overloaded sk-very-secret', code: 503 } })}\n\n`,
    );
  }
}

interface EmbeddingRequest {
  model: string;
  input: string | string[];
  encoding_format?: 'float' | 'base64';
}

async function serveEmbeddings(provider: FakeOpenai, request: EmbeddingRequest, response: ServerResponse) {
  provider.embeddingRequests += 1;
  if (provider.delayMs > 0) await pause(provider.delayMs);
  if (provider.embeddingFailure === 'stall') return;
  if (provider.embeddingFailure === 'cut') return response.destroy();
  if (refuse(provider.embeddingFailure, response)) return;
  const texts = Array.isArray(request.input) ? request.input : [request.input];
  if (texts.some((text) => text === '')) return sendError(response, 400, 'input cannot be an empty string');
  await provider.beforeVectors?.(texts);
  provider.embeddedTexts += texts.length;
  const encode = request.encoding_format === 'base64' ? toBase64 : (vector: Float32Array) => [...vector];
  const vectors = texts.map((text, index) => ({
    object: 'embedding' as const,
    index,
    embedding: encode(provider.vectorOf(text)),
  }));
  const data = provider.scaleVectors(vectors);
  const usage = { prompt_tokens: texts.length, total_tokens: texts.length };
  sendJson(response, 200, { object: 'list', model: request.model, data, usage });
}

function toBase64(vector: Float32Array): string {
  return Buffer.from(vector.buffer).toString('base64');
}

/**
 * Returns a bag of words (of characters for Chinese, Japanese, Korean), hashed into 384 dimensions, of length
 * 1.
 */
export function hashedWords(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const words = text
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu);
  for (const word of words ?? ['\0']) {
    const place = hashWord(word) % DIMENSIONS;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** FNV-1a. */
export function hashWord(word: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Behaves as a good model does: repeats the passages, and cites them. */
function citePassages(request: ChatRequest): string {
  const offered = offeredPassages(request).slice(0, 2);
  if (offered.length === 0) return 'The files say nothing about it.';
  return offered.map(({ number, text }) => `${firstSentence(text)} [${number}].`).join(' ');
}

/** Returns the numbered passages of a prompt (lib/chat/prompt.ts). */
export function offeredPassages({ messages }: ChatRequest): { number: number; text: string }[] {
  const prompt = messages.map(({ content }) => textIn(content)).join('\n');
  const passages = prompt.matchAll(/<passage-(\w+) number="(\d+)"[^>]*>\n([\s\S]*?)\n<\/passage-\1>/g);
  return [...passages].map(([, , number, text]) => ({ number: Number(number), text: text ?? '' }));
}

/** Returns the text of a message, also of one with images. */
function textIn(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.map(({ text }: { text?: string }) => text ?? '').join('\n');
}

function firstSentence(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const line =
    lines.find((candidate) => candidate.length > 20 && !candidate.startsWith('#')) ?? lines[0] ?? '';
  return line.split(/(?<=[.!?。])\s*/u)[0]?.replace(/[.。]$/u, '') ?? line;
}

function sendError(response: ServerResponse, status: number, message: string) {
  sendJson(response, status, { error: { message, type: 'fake', code: null } });
}

function sendJson(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
