import * as z from 'zod';
import { jitteredDelay, retry } from '../../async/retry.ts';
import { TooLarge, TooManyRequests, UpstreamFailed } from '../../errors.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import { parseJson, responseBytes } from '../outbound/response-bytes.ts';
import { type IssuedToken, tokenSource } from '../outbound/token-source.ts';

export interface WecomSettings {
  baseUrl: string;
  corpId: string;
  corpSecret: string;
  agentId: string;
}

export interface WecomRequest {
  method: 'GET' | 'POST';
  /** The path after `/cgi-bin`. */
  path: string;
  query?: Record<string, string>;
  /** JSON, or a form with files. */
  body?: unknown;
  /** Maximum bytes of the response. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

/** WeCom refused the request. WeCom's text is omitted, because it repeats the request. */
export class WecomRefusal extends UpstreamFailed {
  readonly errcode: number;

  constructor(errcode: number) {
    super('chat_platform_refused', MEANINGS[errcode] ?? `WeCom refused the request (${errcode}).`);
    this.errcode = errcode;
  }
}

const MEANINGS: Record<number, string> = {
  40001: 'WeCom does not accept IMB_CORP_SECRET (40001).',
  40007: 'WeCom does not have the file, or no longer has it (40007).',
  40013: 'WeCom does not know IMB_CORP_ID (40013).',
  40056: 'WeCom does not know IMB_AGENT_ID (40056).',
  60020: 'WeCom does not trust the IP address of the service (60020). Add it to the trusted IPs of the app.',
  81013:
    'WeCom does not know this person, or they may not use the app (81013). Add them to its visible range.',
};
const TOKEN_REFUSED = [40014, 41001, 42001];
/** Error codes for too many calls per minute, or at the same time. */
const RATE_LIMITED = [45009, 45033];
const BUSY = -1;
const MAX_ANSWER = 64 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_TRIES = 4;
const FIRST_WAIT_MS = 500;

const answerSchema = z.looseObject({ errcode: z.int() });
const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/**
 * Calls WeCom's API on behalf of the application. Renews a rejected token once, and retries if WeCom is busy.
 * Doesn't repeat a request that may have arrived, because WeCom has no idempotency keys. Throws WecomRefusal,
 * TooManyRequests, TooLarge, UpstreamFailed, and the signal's reason.
 */
export function wecomClient(settings: WecomSettings, clock: Clock = systemClock) {
  const tokens = tokenSource(() => requestWecomToken(settings), clock);

  async function call(request: WecomRequest): Promise<Uint8Array> {
    const token = await tokens.get();
    try {
      return await callPatiently(settings, request, token);
    } catch (error) {
      if (!(error instanceof WecomRefusal) || !TOKEN_REFUSED.includes(error.errcode)) throw error;
      await tokens.drop(token);
      return callPatiently(settings, request, await tokens.get());
    }
  }
  return {
    json: async (request: WecomRequest): Promise<unknown> => parseJson(await call(request)),
    /** Returns the bytes of a file. */
    bytes: call,
  };
}

export type WecomClient = ReturnType<typeof wecomClient>;

/** Requests a token for the application. Throws the same errors as a call. */
export async function requestWecomToken(settings: WecomSettings, signal?: AbortSignal): Promise<IssuedToken> {
  const query = { corpid: settings.corpId, corpsecret: settings.corpSecret };
  const answer = tokenSchema.safeParse(
    parseJson(await callPatiently(settings, { method: 'GET', path: '/gettoken', query, signal })),
  );
  if (!answer.success)
    throw new UpstreamFailed('chat_platform_answer_unusable', 'WeCom did not return an access token.');
  const { access_token: value, expires_in } = answer.data;
  return { value, expiresInSeconds: expires_in };
}

function callPatiently(settings: WecomSettings, request: WecomRequest, token?: string): Promise<Uint8Array> {
  return retry(() => callOnce(settings, request, token), {
    maxTries: MAX_TRIES,
    signal: request.signal,
    waitAfter: (error, tries) =>
      error instanceof WecomRefusal && error.errcode === BUSY
        ? jitteredDelay(tries, FIRST_WAIT_MS)
        : undefined,
  });
}

async function callOnce(settings: WecomSettings, request: WecomRequest, token?: string): Promise<Uint8Array> {
  const { errcode, bytes } = await send(settings, request, token);
  if (errcode === 0) return bytes;
  if (RATE_LIMITED.includes(errcode))
    throw new TooManyRequests(
      'chat_platform_rate_limited',
      'WeCom limits the request rate. Try again in a minute.',
      60,
    );
  throw new WecomRefusal(errcode);
}

async function send(
  settings: WecomSettings,
  request: WecomRequest,
  token: string | undefined,
): Promise<{ errcode: number; bytes: Uint8Array }> {
  try {
    const response = await fetchAnswer(settings, request, token);
    const bytes = await responseBytes(response, request.maxBytes ?? MAX_ANSWER);
    return { errcode: errcodeOf(response, bytes), bytes };
  } catch (error) {
    request.signal?.throwIfAborted();
    if (error instanceof TooLarge || error instanceof UpstreamFailed) throw error;
    // The cause is omitted, because it may contain the URL with the token.
    throw new UpstreamFailed(
      'chat_platform_unreachable',
      "Can't reach WeCom. Check the network and IMB_BASE_URL.",
    );
  }
}

function fetchAnswer(settings: WecomSettings, request: WecomRequest, token?: string): Promise<Response> {
  const { method, path, query, body, signal } = request;
  const url = new URL(`${settings.baseUrl.replace(/\/$/, '')}/cgi-bin${path}`);
  const access = token === undefined ? {} : { access_token: token };
  for (const [name, value] of Object.entries({ ...access, ...query })) url.searchParams.set(name, value);
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const isForm = body instanceof FormData; // sets its own content type
  return fetch(url, {
    method,
    headers: body === undefined || isForm ? {} : { 'content-type': 'application/json' },
    body: isForm ? body : body === undefined ? null : JSON.stringify(body),
    redirect: 'error',
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
  });
}

/**
 * Returns WeCom's error code; 0 means success. A failure also has status 200, even in place of a file, but a
 * file has a name.
 */
function errcodeOf(response: Response, bytes: Uint8Array): number {
  if (response.status === 200 && response.headers.has('content-disposition')) return 0;
  const answer = answerSchema.safeParse(parseJson(bytes));
  if (answer.success) return answer.data.errcode;
  throw new UpstreamFailed(
    'chat_platform_answer_unusable',
    `WeCom returned an answer that can't be read (${response.status}).`,
  );
}
