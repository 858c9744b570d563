import createApi, { type Client as OpenApiClient } from 'openapi-fetch';
import { readLateError } from '../lib/api-contract/late-answer.ts';
import type { paths } from '../lib/api-contract/schema.ts';
import { readBytes, readJson, readLate, readRefusal } from './answer-body.ts';
import { type NumberedPart, readParts, type StreamUse } from './event-stream.ts';
import { EXIT, Failure } from './failure.ts';
import { withTranslation } from './message-of-code.ts';
import { refusalTexts } from './refusal-texts.ts';
import { shortLine } from './terminal.ts';

type Api = OpenApiClient<paths>;
/** One API call, typed by the OpenAPI document. */
type Ask<Data = unknown> = (api: Api) => Promise<{ data?: Data }>;

/** A service's API; the client's signal aborts calls in progress. */
export interface Client {
  readonly url: string;
  call<Data>(ask: Ask<Data>): Promise<Data>;
  /** Returns the bytes of a response that isn't JSON. */
  download(ask: Ask): Promise<Buffer>;
  /** Makes one last call, even after the signal, to stop what was started. Returns whether the service accepted it. */
  lastCall(ask: Ask): Promise<boolean>;
  /** Returns the parts of a stream; `isDone` is set at its end. */
  stream(ask: Ask): Promise<AnswerStream>;
}

export interface AnswerStream {
  headers: Headers;
  parts: AsyncGenerator<NumberedPart>;
  end: { isDone: boolean };
}

export interface Access {
  url: string;
  token?: string | undefined;
  /**
   * How the service was found. A service that runs only for this call (`own`) can't show its documentation
   * afterward.
   */
  kind?: 'named' | 'found' | 'own';
}

/** The advice per error status, printed after the service's own message. */
const ADVICE: Record<number, { exit: number; text: 'signIn' | 'notAllowed' | 'askDoctor' }> = {
  401: { exit: EXIT.notAllowed, text: 'signIn' },
  403: { exit: EXIT.notAllowed, text: 'notAllowed' },
  503: { exit: EXIT.noModel, text: 'askDoctor' },
};

/** Milliseconds that the end of a command waits for a service. */
const LAST_MS = 5000;
/** Maximum milliseconds for a whole response or, for a stream, for its start. */
const CALL_MS = 300_000;
const MAX_REFUSAL_SHOWN = 2000;
const ERRORS_PAGE = '/api/docs/pages/reference/errors';
/** A placeholder for openapi-fetch, which would read the real response without limits. */
const UNREAD = new Response(null, { status: 204 });
/**
 * Matches a token that a header can contain (RFC 6750). For any other token, fetch throws an error that
 * repeats it.
 */
const TOKEN = /^[\x21-\x7e]+$/;

/** Creates the client of a service. Throws Failure for an invalid URL or token. */
export function createClient({ url, token, kind }: Access, signal: AbortSignal, callMs = CALL_MS): Client {
  requireUrl(url);
  const errorsPage = kind === 'own' ? undefined : `${baseOf(url)}${ERRORS_PAGE}`;
  if (token !== undefined && !TOKEN.test(token))
    throw new Failure('The token contains a space or another invalid character. Check WRS_TOKEN.', {
      exit: EXIT.usage,
    });
  const use: StreamUse = { bytes: 0 };
  const options = {
    baseUrl: baseOf(url),
    redirect: 'error',
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  } as const;
  const send = async (ask: Ask, until: AbortSignal) => {
    let response = new Response();
    await ask(
      createApi<paths>({
        ...options,
        fetch: async (request) => {
          response = await fetch(request, { signal: until }).catch((error: Error) => {
            throw until.aborted ? error : unreachable(url, error);
          });
          return UNREAD;
        },
      }),
    );
    if (!response.ok) throw await refused(response, errorsPage);
    return response;
  };
  const within = async <Result>(work: (until: AbortSignal) => Promise<Result>) => {
    const late = AbortSignal.timeout(callMs);
    return work(AbortSignal.any([signal, late])).catch((error: unknown) => {
      throw late.aborted && !signal.aborted ? tooLate(url, callMs) : error;
    });
  };
  return {
    url,
    call: <Data>(ask: Ask<Data>) =>
      within(async (until) => (await readResult(await send(ask, until), errorsPage)) as Data),
    download: (ask) => within(async (until) => readBytes(await send(ask, until))),
    lastCall: (ask) =>
      send(ask, AbortSignal.timeout(LAST_MS)).then(
        () => true,
        () => false,
      ),
    async stream(ask) {
      const { headers, body } = await beginsInTime(callMs, signal, url, (until) => send(ask, until));
      const end = { isDone: false };
      return { headers, end, parts: readParts((body ?? []) as AsyncIterable<Uint8Array>, end, use) };
    },
  };
}

/** Limits the time to the first byte only, because a stream may take hours. */
async function beginsInTime(
  callMs: number,
  signal: AbortSignal,
  url: string,
  begin: (until: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), callMs);
  try {
    return await begin(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    throw late.signal.aborted && !signal.aborted ? tooLate(url, callMs) : error;
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(url: string, callMs: number): Failure {
  return new Failure(`${url} took longer than ${Math.round(callMs / 1000)} s. Try again.`, {
    exit: EXIT.unreachable,
  });
}

/** Throws Failure for an invalid service URL. */
export function requireUrl(url: string): void {
  const { protocol = '', username, password } = URL.parse(url) ?? {};
  if (!/^https?:$/.test(protocol)) throw new Failure(`${url} isn't an HTTP URL.`, { exit: EXIT.usage });
  if (username || password)
    throw new Failure("The URL of a service can't contain a user name or password. Set WRS_TOKEN instead.", {
      exit: EXIT.usage,
    });
}

function unreachable(url: string, error: Error): Failure {
  const { code, message } = (error.cause ?? error) as { code?: string; message: string };
  if (/CERT|ERR_TLS|ERR_SSL|SIGNATURE/.test(code ?? ''))
    return new Failure(
      `The certificate of ${url} can't be trusted (${code}). For your own certificate authority, set NODE_EXTRA_CA_CERTS.`,
      { exit: EXIT.unreachable },
    );
  if (message.includes('redirect'))
    return new Failure(
      `${url} redirects. To protect your token, wrs doesn't follow redirects. Use the URL that it leads to.`,
      {
        exit: EXIT.unreachable,
      },
    );
  const cause = code ?? message;
  return new Failure(`Can't reach ${url} (${cause}). Is the service running?`, {
    exit: EXIT.unreachable,
  });
}

/** Reads the result, or the failure, of a slow request whose response started before its outcome was known. */
async function readResult(response: Response, errorsPage?: string): Promise<unknown> {
  if (response.status !== 202) return readJson(response);
  const result = await readLate(response);
  const failure = readLateError(result);
  if (failure !== undefined) {
    const { status, code, error } = failure;
    throw failureOf({ status, code, said: error, errorsPage });
  }
  return result;
}

async function refused(response: Response, errorsPage?: string): Promise<Failure> {
  const { status, headers } = response;
  return failureOf({
    status,
    code: headers.get('x-error-code'),
    said: await readRefusal(response),
    errorsPage,
  });
}

interface Refusal {
  status: number;
  code: string | null;
  /** The service's own message. */
  said: string | undefined;
  errorsPage: string | undefined;
}

/** Returns the error in the user's language, by its code, with the service's own message as detail. */
function failureOf({ status, code, said = refusalTexts().answered(status), errorsPage }: Refusal): Failure {
  const words = shortLine(withTranslation(code, said), MAX_REFUSAL_SHOWN);
  const known = knownForm(code);
  const advice = ADVICE[status];
  return new Failure(advice === undefined ? words : `${words} ${refusalTexts()[advice.text]()}`, {
    status,
    code: known,
    help: errorsPage && known && `${errorsPage}#${known}`,
    exit: advice?.exit ?? EXIT.failed,
  });
}

/**
 * Returns a valid code, even one that this release doesn't know, because a newer service may have more codes;
 * undefined for other text.
 */
function knownForm(code: string | null): string | undefined {
  return /^[a-z][a-z_]{0,63}$/.exec(code ?? '')?.[0];
}

/** Returns the base URL for paths, which on AWS ends with the stage: https://….amazonaws.com/dev. */
export function baseOf(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
