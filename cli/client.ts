import { type Frame, readFrames } from './event-stream.ts';
import { EXIT, Failure } from './failure.ts';

/** The API of a service; `signal` ends what is under way. */
export interface Client {
  readonly url: string;
  call<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Gets an answer that is not JSON. */
  download(path: string): Promise<Buffer>;
  /** Makes one last call to end what was begun, also when the signal has come. Answers whether the service took it. */
  lastCall(method: string, path: string): Promise<boolean>;
  /** The frames of a stream, and `isDone` once its end came. */
  stream(method: string, path: string, body?: unknown): Promise<AnswerStream>;
}

export interface AnswerStream {
  headers: Headers;
  frames: AsyncGenerator<Frame>;
  end: { isDone: boolean };
}

export interface Access {
  url: string;
  token?: string | undefined;
}

/** What to do about an answer that says no, by its status; the service's own words come first. */
const ADVICE: Record<number, { exit: number; text: string }> = {
  401: { exit: EXIT.notAllowed, text: 'log in with `wrs login URL`, or set WRS_TOKEN' },
  403: { exit: EXIT.notAllowed, text: 'the token may not do that' },
  503: { exit: EXIT.noModel, text: 'see `wrs doctor`' },
};

/** The end of a command waits this long for a service. */
const LAST_MS = 5000;

export function createClient({ url, token }: Access, signal: AbortSignal): Client {
  const send = async (method: string, path: string, body?: unknown, until = signal) => {
    const headers: Record<string, string> = {};
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const request = {
      method,
      headers,
      signal: until,
      redirect: 'error',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    } as const;
    const response = await fetch(addressOf(url, path), request).catch((error: Error) => {
      throw until.aborted ? error : unreachable(url, error);
    });
    if (!response.ok) throw await refused(response);
    return response;
  };
  return {
    url,
    async call<Body>(method: string, path: string, body?: unknown) {
      const response = await send(method, path, body);
      return (await response.json()) as Body;
    },
    async download(path) {
      const response = await send('GET', path);
      return Buffer.from(await response.arrayBuffer());
    },
    async lastCall(method, path) {
      const sent = send(method, path, undefined, AbortSignal.timeout(LAST_MS));
      return sent.then(
        () => true,
        () => false,
      );
    },
    async stream(method, path, body) {
      const { headers, body: bytes } = await send(method, path, body);
      const end = { isDone: false };
      return { headers, end, frames: readFrames(bytes as AsyncIterable<Uint8Array>, end) };
    },
  };
}

function unreachable(url: string, error: Error): Failure {
  const cause = (error.cause as { code?: string } | undefined)?.code ?? error.message;
  return new Failure(`${url} does not answer (${cause}): does the service run there?`, {
    exit: EXIT.unreachable,
  });
}

async function refused(response: Response): Promise<Failure> {
  const { status } = response;
  const { error } = ((await response.json().catch(() => ({}))) ?? {}) as { error?: unknown };
  const words = typeof error === 'string' ? error : `the service answered ${status}`;
  const advice = ADVICE[status];
  return new Failure(advice === undefined ? words : `${words}: ${advice.text}`, {
    status,
    exit: advice?.exit ?? EXIT.failed,
  });
}

/** Below the service's own address, which on AWS ends with the stage: https://….amazonaws.com/dev. */
export function addressOf(url: string, path: string): string {
  return `${url.replace(/(?<!\/)\/+$/, '')}${path}`;
}
