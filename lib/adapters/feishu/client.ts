import * as z from 'zod';
import { jitteredDelay, retry } from '../../async/retry.ts';
import { ServiceError, TooManyRequests, UpstreamFailed } from '../../errors.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import { parseJson, responseBytes } from '../outbound/response-bytes.ts';
import { type IssuedToken, type TokenSource, tokenSource } from '../outbound/token-source.ts';

/** Feishu's URL in China. For Lark, its international version, set IMA_BASE_URL. */
export const FEISHU_URL = 'https://open.feishu.cn';

export interface FeishuSettings {
  baseUrl: string;
  appId: string;
  appSecret: string;
}

export interface FeishuRequest {
  method: 'GET' | 'POST' | 'PATCH';
  /** The path after `/open-apis`. */
  path: string;
  /** JSON, or a form with files. */
  body?: unknown;
  /** Maximum bytes of the response. */
  maxBytes?: number;
  /** Timeout of one attempt, in milliseconds. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** Feishu rejected the request. The code tells the caller whether another request may succeed. */
export class FeishuRefusal extends UpstreamFailed {
  /** Feishu's error code. */
  readonly feishuCode: number;

  constructor(feishuCode: number) {
    super('chat_platform_refused', MEANINGS[feishuCode] ?? `Feishu refused the request (${feishuCode}).`);
    this.feishuCode = feishuCode;
  }
}

export const CARD_CONTENT_INVALID = 230099;
const MEANINGS: Record<number, string> = {
  230002: 'The bot is not in the Feishu chat (230002). Add it to the chat.',
  230011: 'The Feishu message was recalled (230011).',
  230027: 'The Feishu app lacks a permission (230027).',
  230031: 'The Feishu message is too old to be edited (230031).',
  230110: 'The Feishu message was deleted (230110).',
  [CARD_CONTENT_INVALID]: 'Feishu refused the card (230099).',
  99991672: 'The Feishu app lacks a permission (99991672). An administrator can add im:message:readonly.',
};
const TOKEN_REFUSED = [99991661, 99991663, 99991664, 99991671];
/** Error codes of the gateway's rate limit and of the limit on messages. */
const RATE_LIMITED = [99991400, 230020];
const MAX_ANSWER = 4 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** In milliseconds. A file of 20 MB over a slow connection takes less. */
const FILE_TIMEOUT_MS = 120_000;
/** Milliseconds after which no further attempt starts. */
const PATIENCE_MS = 15_000;
const MAX_TRIES = 5;
const FIRST_WAIT_MS = 200;

const answerSchema = z.looseObject({ code: z.number(), data: z.unknown().optional() });

interface Api {
  settings: FeishuSettings;
  token: TokenSource;
}

/**
 * Calls the platform's API on behalf of the application. Renews a rejected token once, waits for a rate
 * limit, and retries after a broken connection, because all calls of this service are idempotent. Throws
 * FeishuRefusal, TooManyRequests, TooLarge, UpstreamFailed, and the signal's reason.
 */
export function feishuClient(settings: FeishuSettings, clock: Clock = systemClock) {
  const api: Api = { settings, token: tokenSource(() => issueToken(settings), clock) };
  return {
    /** Returns the response's `data`. */
    json: async (request: FeishuRequest): Promise<unknown> => {
      const answer = readAnswer((await callUntilDone(api, request)).bytes);
      if (answer === undefined)
        throw new UpstreamFailed(
          'chat_platform_answer_unusable',
          "Feishu returned an answer that can't be read.",
        );
      return answer.data;
    },
    /** Returns the bytes of a file. */
    bytes: async (request: FeishuRequest): Promise<Uint8Array> =>
      (await callUntilDone(api, { timeoutMs: FILE_TIMEOUT_MS, ...request })).bytes,
  };
}

export type FeishuClient = ReturnType<typeof feishuClient>;

/**
 * The token is next to the code, not in `data`. Newer tokens are JWTs of some KB, so its length isn't
 * limited.
 */
const tokenSchema = z.looseObject({ tenant_access_token: z.string().min(1), expire: z.number() });

/**
 * Requests a token for the application, in one attempt. Throws UpstreamFailed with Feishu's code, and TooManyRequests.
 */
export async function requestFeishuToken(
  settings: FeishuSettings,
  signal: AbortSignal,
): Promise<IssuedToken> {
  try {
    return await issueToken(settings, signal);
  } catch (error) {
    throw error instanceof ServiceError ? error : unreachable(error);
  }
}

function unreachable(cause: unknown): UpstreamFailed {
  return new UpstreamFailed(
    'chat_platform_unreachable',
    "Can't reach Feishu. Check the network and IMA_BASE_URL.",
    { cause },
  );
}

async function issueToken(settings: FeishuSettings, signal?: AbortSignal): Promise<IssuedToken> {
  const { appId: app_id, appSecret: app_secret } = settings;
  const path = '/auth/v3/tenant_access_token/internal';
  const response = await send(settings, { method: 'POST', path, body: { app_id, app_secret }, signal });
  const answer = tokenSchema.safeParse(parseJson(response.bytes));
  if (answer.success) {
    return { value: answer.data.tenant_access_token, expiresInSeconds: answer.data.expire };
  }
  throw whyNoToken(response);
}

function whyNoToken({ status, headers, bytes }: Answer): Error {
  const code = readAnswer(bytes)?.code;
  if (status === 429 || RATE_LIMITED.includes(code ?? 0)) return limited(headers).error;
  if (code === undefined || code === 0)
    return new UpstreamFailed(
      'chat_platform_answer_unusable',
      `Feishu returned an answer that can't be read (${status}).`,
    );
  return new UpstreamFailed(
    'chat_platform_credential_refused',
    `Feishu does not accept IMA_APP_ID and IMA_APP_SECRET (${code}).`,
  );
}

interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** A push must be answered within its function's 29 seconds, so retries end before that. */
async function callUntilDone(api: Api, request: FeishuRequest): Promise<Answer> {
  let outcome: Outcome;
  let renewed = false;
  const call = async () => {
    outcome = await attempt(api, request);
    if (outcome.kind === 'token' && !renewed) {
      renewed = true;
      await api.token.drop(outcome.token);
      outcome = { kind: 'wait', error: outcome.error, waitMs: 0 };
    }
    if (outcome.kind !== 'done') throw outcome.error;
    return outcome.answer;
  };
  return retry(call, {
    maxTries: MAX_TRIES,
    patienceMs: PATIENCE_MS,
    signal: request.signal,
    waitAfter: (_error, tries) =>
      outcome.kind === 'wait' ? (outcome.waitMs ?? jitteredDelay(tries, FIRST_WAIT_MS)) : undefined,
  });
}

type Outcome =
  | { kind: 'done'; answer: Answer }
  | { kind: 'token'; error: Error; token: string }
  | { kind: 'refused'; error: Error }
  | { kind: 'wait'; error: Error; waitMs?: number };

async function attempt({ settings, token: source }: Api, request: FeishuRequest): Promise<Outcome> {
  try {
    const token = await source.get();
    return judge(await send(settings, request, token), token);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (error instanceof ServiceError) return { kind: 'refused', error };
    return { kind: 'wait', error: unreachable(error) };
  }
}

/** The code in the body decides, even with status 200. The response with a file has a name and no code. */
function judge(answer: Answer, token: string): Outcome {
  const { status, headers, bytes } = answer;
  const isFile = status === 200 && headers.has('content-disposition');
  const code = isFile ? 0 : (readAnswer(bytes)?.code ?? 0);
  if (status === 429 || RATE_LIMITED.includes(code)) return limited(headers);
  if (TOKEN_REFUSED.includes(code)) return { kind: 'token', error: new FeishuRefusal(code), token };
  if (code !== 0) return { kind: 'refused', error: new FeishuRefusal(code) };
  if (status >= 200 && status < 300) return { kind: 'done', answer };
  const error = new UpstreamFailed('chat_platform_refused', `Feishu failed with status ${status}.`);
  return status >= 500 ? { kind: 'wait', error } : { kind: 'refused', error };
}

function limited(headers: Headers): Extract<Outcome, { kind: 'wait' }> {
  const seconds = Number(headers.get('x-ogw-ratelimit-reset') ?? headers.get('retry-after') ?? Number.NaN);
  const error = new TooManyRequests(
    'chat_platform_rate_limited',
    'Feishu limits the request rate. Try again later.',
    seconds || 1,
  );
  if (Number.isNaN(seconds)) return { kind: 'wait', error };
  return { kind: 'wait', error, waitMs: Math.max(seconds * 1000, 100) };
}

async function send(settings: FeishuSettings, request: FeishuRequest, token?: string): Promise<Answer> {
  const { method, path, body, maxBytes = MAX_ANSWER, timeoutMs = TIMEOUT_MS, signal } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  const isForm = body instanceof FormData; // fetch sets a form's content type itself
  const response = await fetch(`${settings.baseUrl.replace(/\/$/, '')}/open-apis${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    },
    body: isForm ? body : body === undefined ? null : JSON.stringify(body),
    redirect: 'error',
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  });
  const bytes = await responseBytes(response, maxBytes);
  return { status: response.status, headers: response.headers, bytes };
}

function readAnswer(bytes: Uint8Array): { code: number; data?: unknown } | undefined {
  return answerSchema.safeParse(parseJson(bytes)).data;
}
