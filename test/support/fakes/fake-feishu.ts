import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FeishuCard } from '../../../lib/adapters/feishu/card.ts';
import { readForm } from '../read-form.ts';
import { type FeishuSockets, feishuSockets } from './fake-feishu-socket.ts';
import { feishuId } from './feishu-events.ts';

/** A message of the bot, as the chat shows it. */
export interface ShownMessage {
  id: string;
  chatId: string;
  receiverType: string;
  text: string | undefined;
  card: FeishuCard | undefined;
  file?: { name: string; text: string };
  /** Every state of a card, including the first. */
  states: FeishuCard[];
  uuid: string | undefined;
}

/** The platform's error response, before anything is done. */
interface FeishuFailure {
  status: number;
  code: number;
  headers?: Record<string, string>;
}

export interface FakeFeishu {
  url: string;
  appId: string;
  appSecret: string;
  messages: ShownMessage[];
  /** Files and recordings, by message and key: `om_1/file_1`. */
  resources: Map<string, Uint8Array>;
  /** Messages of people, by ID, as the API returns them. */
  said: Map<string, object>;
  /** The bot's uploads, by key, whether they are in a chat or not. */
  uploads: Map<string, { name: string; text: string }>;
  /** The speech in the recordings that reach the speech service. */
  spoken: string;
  /** The PCM data that it received. */
  heard: Buffer[];
  tokensIssued: number;
  /** Responses to the next requests, in order. */
  failures: FeishuFailure[];
  /** Rejects every card with Markdown in it, as Feishu does for unreadable cards. */
  refuseMarkdown: boolean;
  /** The `calls` over a limit of the platform: 5 per second for each card, and for each chat. */
  limited: string[];
  /** Requests of the API, the latest last: `PATCH /im/v1/messages/om_1`. */
  calls: string[];
  /** The delay of its responses. */
  delayMs: number;
  /**
   * The long connections to it, and how often clients requested their URL: the same host, with this scheme.
   */
  sockets: FeishuSockets;
  socketScheme: 'ws' | 'wss';
  socketRequests: number;
  /** Rejects every token that was issued earlier. */
  expireTokens(): void;
  stop(): Promise<void>;
}

const LIMIT_A_SECOND = 5;
const MAX_CARD_BYTES = 30 * 1024;
const MAX_TEXT_BYTES = 150 * 1024;

interface State {
  fake: FakeFeishu;
  token: string | undefined;
  recent: Map<string, number[]>;
}

interface Call {
  method: string;
  url: URL;
  body: Buffer<ArrayBuffer>;
  headers: IncomingMessage['headers'];
  response: ServerResponse;
  request: IncomingMessage;
}

/** Returns the environment that enables the service's bot on Feishu. */
export function feishuEnvironment(feishu: FakeFeishu, token: string): Record<string, string> {
  return {
    IMA_BOT_ENABLED: 'true',
    IMA_BASE_URL: feishu.url,
    IMA_APP_ID: feishu.appId,
    IMA_APP_SECRET: feishu.appSecret,
    IMA_VERIFICATION_TOKEN: token,
  };
}

/**
 * Feishu's API on loopback, by its documented contract (open.feishu.cn, server API: tenant_access_token/internal,
 * im/v1/messages, speech_to_text): errors are a `code` that is not 0, also under status 200; 99991400 is its rate
 * limit.
 */
export async function startFakeFeishu(): Promise<FakeFeishu> {
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeFeishu = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    appId: 'cli_0123456789abcdef',
    appSecret: 'app-secret-of-the-fake',
    messages: [],
    resources: new Map(),
    said: new Map(),
    uploads: new Map(),
    spoken: 'what is in the notes',
    heard: [],
    tokensIssued: 0,
    failures: [],
    refuseMarkdown: false,
    limited: [],
    calls: [],
    delayMs: 0,
    sockets: feishuSockets(server),
    socketScheme: 'ws',
    socketRequests: 0,
    expireTokens: () => {
      state.token = undefined;
    },
    stop: () =>
      new Promise<void>((done) => {
        fake.sockets.drop();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  const state: State = { fake, token: undefined, recent: new Map() };
  return fake;
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { fake } = state;
  if (fake.delayMs > 0) await new Promise((done) => setTimeout(done, fake.delayMs));
  const url = new URL(request.url ?? '/', fake.url);
  const method = request.method ?? 'GET';
  const body = Buffer.concat(pieces);
  const call = { method, url, body, headers: request.headers, response, request };
  if (url.pathname === '/callback/ws/endpoint') return nameSocket(state, call);
  if (url.pathname === '/open-apis/auth/v3/tenant_access_token/internal') return issueToken(state, call);
  fake.calls.push(`${method} ${url.pathname.replace('/open-apis', '')}`);
  const failure = fake.failures.shift();
  if (failure !== undefined) return refuse(response, failure.status, failure.code, failure.headers);
  if (state.token === undefined || request.headers.authorization !== `Bearer ${state.token}`) {
    return refuse(response, 400, 99991663);
  }
  return route(state, call);
}

function issueToken(state: State, { body, response }: Call) {
  const { fake } = state;
  const { app_id, app_secret } = JSON.parse(body.toString()) as Record<string, string>;
  if (app_id !== fake.appId || app_secret !== fake.appSecret)
    return answer(response, 200, { code: 10014, msg: 'no' });
  fake.tokensIssued += 1;
  state.token = `t-${randomUUID()}${'x'.repeat(3000)}`; // as long as the newer ones
  answer(response, 200, { code: 0, msg: 'ok', tenant_access_token: state.token, expire: 7200 });
}

/** Returns the URL of the long connection. A wrong secret is a permanent error. */
function nameSocket({ fake }: State, { body, headers, response }: Call) {
  fake.socketRequests += 1;
  const { AppID, AppSecret } = JSON.parse(body.toString()) as Record<string, string>;
  if (AppID !== fake.appId || AppSecret !== fake.appSecret)
    return answer(response, 200, { code: 514, msg: 'auth failed', data: {} });
  const ClientConfig = { PingInterval: 120, ReconnectCount: -1, ReconnectInterval: 1, ReconnectNonce: 0 };
  const URL = `${fake.socketScheme}://${headers.host}/?device_id=1&service_id=7`;
  answer(response, 200, { code: 0, msg: '', data: { URL, ClientConfig } });
}

function route(state: State, call: Call) {
  const path = call.url.pathname.replace('/open-apis', '');
  const [, messageId, key] = /^\/im\/v1\/messages\/([^/]+)(?:\/resources\/([^/]+))?$/.exec(path) ?? [];
  if (call.method === 'POST' && path === '/im/v1/messages') return sendMessage(state, call);
  if (call.method === 'POST' && path === '/im/v1/files') return keepUpload(state, call);
  if (call.method === 'PATCH' && messageId !== undefined) return changeCard(state, call, messageId);
  if (call.method === 'GET' && messageId !== undefined) return sendKept(state, call, messageId, key);
  if (call.method === 'POST' && path === '/speech_to_text/v1/speech/file_recognize')
    return recognize(state, call);
  refuse(call.response, 404, 99991672);
}

/** Sends a file of a message, or the message. */
function sendKept(state: State, call: Call, messageId: string, key?: string) {
  if (key !== undefined) return sendFile(state, call, `${messageId}/${key}`);
  const { fake } = state;
  const { response } = call;
  const said = fake.said.get(messageId);
  if (said === undefined) return refuse(response, 400, 230110);
  answer(response, 200, { code: 0, msg: 'success', data: { items: [said, { msg_type: 'text' }] } });
}

function sendMessage(state: State, { url, body, response }: Call) {
  const request = JSON.parse(body.toString()) as Record<string, string>;
  const { receive_id: chatId = '', uuid } = request;
  const { messages } = state.fake;
  const known = uuid === undefined ? undefined : messages.find((message) => message.uuid === uuid);
  if (known !== undefined) return answer(response, 200, { code: 0, data: { message_id: known.id } });
  if (isOverLimit(state, chatId)) return refuseLimited(state.fake, response);
  if (chatId === 'oc_foreign') return refuse(response, 400, 230002);
  const content = readContent(state.fake, body, request);
  if (typeof content === 'number') return refuse(response, 400, content);
  const receiverType = url.searchParams.get('receive_id_type') ?? 'open_id';
  const id = feishuId('om');
  messages.push({ id, chatId, receiverType, uuid, ...content });
  answer(response, 200, { code: 0, msg: 'success', data: { message_id: id } });
}

type ShownContent = Pick<ShownMessage, 'text' | 'card' | 'states' | 'file'>;

/** Returns the content, or the error code. */
function readContent(fake: FakeFeishu, body: Buffer, request: Record<string, string>): ShownContent | number {
  const { receive_id, msg_type, content, uuid = '' } = request;
  if (receive_id === undefined || content === undefined || uuid.length > 50) return 230001;
  if (msg_type === 'text') {
    const { text } = JSON.parse(content) as { text: string };
    return body.length > MAX_TEXT_BYTES ? 230025 : { text, card: undefined, states: [] };
  }
  if (msg_type === 'file') {
    const file = fake.uploads.get((JSON.parse(content) as { file_key: string }).file_key);
    return file === undefined ? 230001 : { text: undefined, card: undefined, states: [], file };
  }
  const card = readCard(fake, body, content);
  return typeof card === 'number' ? card : { text: undefined, card, states: [card] };
}

/** Accepts an upload of a type that Feishu knows, unless it is empty. */
async function keepUpload({ fake }: State, { request, body, response }: Call) {
  const form = await readForm(request, body);
  const file = form?.get('file');
  const name = form?.get('file_name');
  if (
    form?.get('file_type') !== 'stream' ||
    typeof name !== 'string' ||
    !(file instanceof File) ||
    file.size === 0
  )
    return refuse(response, 400, 234001);
  const file_key = `file_${randomUUID()}`;
  fake.uploads.set(file_key, { name, text: await file.text() });
  answer(response, 200, { code: 0, msg: 'success', data: { file_key } });
}

function changeCard(state: State, { body, response }: Call, messageId: string) {
  const message = state.fake.messages.find(({ id }) => id === messageId);
  if (message?.card === undefined) return refuse(response, 400, 230001);
  if (isOverLimit(state, messageId)) return refuseLimited(state.fake, response);
  const { content = '' } = JSON.parse(body.toString()) as Record<string, string>;
  const card = readCard(state.fake, body, content);
  if (typeof card === 'number') return refuse(response, 400, card);
  if (!message.card.config.update_multi || !card.config.update_multi) return refuse(response, 400, 230099);
  message.card = card;
  message.states.push(card);
  answer(response, 200, { code: 0, msg: 'success', data: {} });
}

/** Returns the card, or the error code. */
function readCard(fake: FakeFeishu, body: Buffer, content: string): FeishuCard | number {
  if (body.length > MAX_CARD_BYTES) return 230025;
  const card = JSON.parse(content) as FeishuCard;
  const broken = card.elements.some(
    (element) => element.tag === 'markdown' && (element.content === '' || /!\[/.test(element.content)),
  );
  const refused = fake.refuseMarkdown && card.elements.some(({ tag }) => tag === 'markdown');
  return broken || refused ? 230099 : card;
}

/** Feishu also sends the name, but only in a signed-in chat. */
function sendFile({ fake }: State, { url, response }: Call, key: string) {
  const bytes = fake.resources.get(key);
  if (bytes === undefined || url.searchParams.get('type') !== 'file') return refuse(response, 400, 234003);
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="f"',
  });
  response.end(bytes);
}

/** Returns whether the audio meets the documented contract: 16 characters, PCM, at most a minute. */
function recognize({ fake }: State, { body, response }: Call) {
  const { speech, config } = JSON.parse(body.toString()) as {
    speech: { speech: string };
    config: { file_id: string; format: string; engine_type: string };
  };
  const pcm = Buffer.from(speech.speech, 'base64');
  const fits =
    /^[A-Za-z0-9_]{16}$/.test(config.file_id) &&
    config.format === 'pcm' &&
    config.engine_type === '16k_auto' &&
    pcm.length > 0 &&
    pcm.length % 2 === 0 &&
    pcm.length <= 60 * 16_000 * 2;
  if (!fits) return refuse(response, 400, 40003);
  fake.heard.push(pcm);
  answer(response, 200, { code: 0, data: { recognition_text: fake.spoken } });
}

function isOverLimit({ recent }: State, key: string): boolean {
  const now = Date.now();
  const times = (recent.get(key) ?? []).filter((time) => now - time < 1000);
  const over = times.length >= LIMIT_A_SECOND;
  recent.set(key, over ? times : [...times, now]);
  return over;
}

function refuseLimited(fake: FakeFeishu, response: ServerResponse): void {
  fake.limited.push(fake.calls.at(-1) ?? '');
  refuse(response, 400, 99991400, { 'x-ogw-ratelimit-limit': '5', 'x-ogw-ratelimit-reset': '1' });
}

function refuse(response: ServerResponse, status: number, code: number, headers = {}): void {
  answer(response, status, { code, msg: 'refused: token t-secret' }, headers);
}

function answer(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}
