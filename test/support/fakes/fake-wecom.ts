import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { readForm } from '../read-form.ts';
import { whenDone } from '../temp-folder.ts';

export interface FakeWecom {
  url: string;
  corpSecret: string;
  /** Everything that users see, in order: truncated like WeCom does. */
  shown: { to: string; text: string }[];
  /** Files that users see. */
  files: { to: string; name: string; text: string }[];
  /** Calls by path, including those for tokens and failed ones. */
  calls: { path: string; body: Record<string, unknown> }[];
  /** Requests with `enable_duplicate_check` that repeat an earlier one. */
  duplicates: number;
  /** Files that people sent, by media ID. */
  media: Map<string, { name: string; bytes: Buffer }>;
  /** The next responses to calls other than gettoken, before anything else is done; 0 accepts one. */
  failWith: number[];
  /** Lifetime in milliseconds of tokens issued from now on. */
  tokenMs: number;
  /** All tokens expire now. */
  expireTokens(): void;
  /** Shows the next message, and closes the connection instead of responding. */
  cutNextAnswer: boolean;
}

const MAX_BYTES = 2048;

/**
 * WeCom's documented API (https://developer.work.weixin.qq.com/document/path/90236: gettoken, message/send,
 * media/get, media/upload); ended after the test file. A text of over 2,048 bytes is silently truncated;
 * 40014 and 42001 report an expired token.
 */
export async function startFakeWecom({
  corpId = 'wx5823bf96d3bd56c7',
  agentId = 218,
} = {}): Promise<FakeWecom> {
  const tokens = new Map<string, number>();
  const sent: { to: string; text: string; at: number }[] = [];
  const fake: FakeWecom = {
    url: '',
    corpSecret: 'corp-secret',
    shown: [],
    files: [],
    calls: [],
    duplicates: 0,
    media: new Map(),
    failWith: [],
    tokenMs: 7_200_000,
    expireTokens: () => tokens.clear(),
    cutNextAnswer: false,
  };

  function giveToken(url: URL) {
    if (url.searchParams.get('corpid') !== corpId) return { errcode: 40013, errmsg: 'invalid corpid' };
    if (url.searchParams.get('corpsecret') !== fake.corpSecret)
      return { errcode: 40001, errmsg: `invalid credential ${url.searchParams.get('corpsecret')}` };
    const token = randomUUID();
    tokens.set(token, Date.now() + fake.tokenMs);
    return { errcode: 0, errmsg: 'ok', access_token: token, expires_in: fake.tokenMs / 1000 };
  }

  function refusal(url: URL): number {
    const until = tokens.get(url.searchParams.get('access_token') ?? '');
    if (until === undefined) return 40014;
    if (until < Date.now()) return 42001;
    return fake.failWith.shift() ?? 0;
  }

  function showMessage(body: Record<string, unknown>) {
    const { touser, msgtype, text: said, enable_duplicate_check, duplicate_check_interval } = body;
    const content = (said as { content?: unknown } | undefined)?.content;
    if (msgtype !== 'text' || typeof content !== 'string' || content === '' || typeof touser !== 'string')
      return { errcode: 44004, errmsg: 'empty content' };
    if (touser.startsWith('nobody')) return { errcode: 81013, errmsg: 'all invalid', invaliduser: touser };
    const since = Date.now() - Number(duplicate_check_interval ?? 1800) * 1000;
    const before = sent.some((one) => one.to === touser && one.text === content && one.at >= since);
    if (enable_duplicate_check === 1 && before) fake.duplicates += 1;
    else fake.shown.push({ to: touser, text: cut(content) });
    sent.push({ to: touser, text: content, at: Date.now() });
    return { errcode: 0, errmsg: 'ok', msgid: randomUUID() };
  }

  function show(body: Record<string, unknown>) {
    if (body.agentid !== agentId) return { errcode: 40056, errmsg: 'invalid agentid' };
    return body.msgtype === 'file' ? showFile(fake, body) : showMessage(body);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://fake');
    const path = url.pathname.replace('/cgi-bin/', '');
    const { form, body } = await readRequest(request);
    fake.calls.push({ path, body });
    if (path === 'gettoken') return void json(response, giveToken(url));
    const errcode = refusal(url);
    // WeCom's own texts repeat the request: they aren't for users.
    if (errcode !== 0) json(response, { errcode, errmsg: `no, ${url.search}` });
    else if (form) json(response, await keepMedia(fake, form));
    else if (path === 'media/get') sendMedia(fake, url, response);
    else answerMessage(response, show(body));
  }

  function answerMessage(response: ServerResponse, shown: unknown): void {
    if (!fake.cutNextAnswer) return void json(response, shown);
    fake.cutNextAnswer = false;
    response.destroy();
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  whenDone(async () => void server.close().closeAllConnections());
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

async function readRequest(
  request: IncomingMessage,
): Promise<{ form: FormData | undefined; body: Record<string, unknown> }> {
  const bytes = await buffer(request);
  const form = await readForm(request, bytes);
  return { form, body: form ? {} : JSON.parse(bytes.toString() || '{}') };
}

function showFile(fake: FakeWecom, { touser, file }: Record<string, unknown>) {
  const media = fake.media.get((file as { media_id?: string } | undefined)?.media_id ?? '');
  if (media === undefined) return { errcode: 40007, errmsg: 'invalid media_id' };
  fake.files.push({ to: String(touser), name: media.name, text: media.bytes.toString() });
  return { errcode: 0, errmsg: 'ok', msgid: randomUUID() };
}

/** Accepts a file of more than 5 bytes, with a name and a length, as WeCom documents it. */
async function keepMedia(fake: FakeWecom, form: FormData) {
  const media = form.get('media');
  if (!(media instanceof File) || media.size <= 5) return { errcode: 40006, errmsg: 'invalid size' };
  const media_id = randomUUID();
  fake.media.set(media_id, { name: media.name, bytes: Buffer.from(await media.arrayBuffer()) });
  return { errcode: 0, errmsg: 'ok', type: 'file', media_id, created_at: '1380000000' };
}

/** Failures are JSON with status 200. */
function sendMedia(fake: FakeWecom, url: URL, response: ServerResponse): void {
  const file = fake.media.get(url.searchParams.get('media_id') ?? '');
  if (file === undefined) return void json(response, { errcode: 40007, errmsg: 'invalid media_id' });
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${file.name}"`,
    'content-length': file.bytes.length,
  });
  response.end(file.bytes);
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
}

/** Text over the limit is lost, without an error. */
function cut(content: string): string {
  const bytes = Buffer.from(content);
  return bytes.length <= MAX_BYTES ? content : bytes.subarray(0, MAX_BYTES).toString();
}
