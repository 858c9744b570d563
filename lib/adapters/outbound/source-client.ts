import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../../async/retry.ts';
import { ServiceError, UpstreamFailed } from '../../errors.ts';
import { HubBusy } from '../../ports/hub.ts';
import { type HubRequest, type HubSettings, hubApi } from './hub-request.ts';

const MAX_TRIES = 5;
const FIRST_WAIT_MS = 1000;
/** Milliseconds that requests wait in all for a server that asks for it. The next sync continues. */
const PATIENCE_MS = 120_000;

export interface SourceClientSettings extends HubSettings {
  /** The advice if the source refuses the credentials. */
  denied: string;
  /** The advice if the source fails. */
  failed?: string;
  maxTries?: number | undefined;
}

export type SourceClient = ReturnType<typeof sourceClient>;

/** Requests to a source of files, with the errors of lib/ports/file-source.ts. Repeats what the server couldn't answer. */
export function sourceClient(settings: SourceClientSettings, credentials: Record<string, string> = {}) {
  const api = hubApi(settings, credentials);
  const { maxTries = MAX_TRIES } = settings;
  const explain = (error: unknown): never => explainAs(settings, error);
  let requests = 0;
  let pauseUntil = 0;
  async function send<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const waitMs = pauseUntil - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    const once = () => {
      requests++;
      return ask();
    };
    const waitAfter = (error: unknown, failures: number) =>
      error instanceof HubBusy ? (error.pauseMs ?? FIRST_WAIT_MS * 2 ** (failures - 1)) : undefined;
    return retry(once, { waitAfter, signal, maxTries, patienceMs: PATIENCE_MS }).catch(explain);
  }
  return {
    get requests() {
      return requests;
    },
    at: api.at,
    /** Lets the next requests wait, as a response has asked for. */
    pause(ms: number): void {
      pauseUntil = performance.now() + ms;
    },
    json: (url: URL, signal: AbortSignal) =>
      send(() => api.requests.json({ url, credentials, signal }), signal),
    /** Returns a whole body as it arrives. */
    async pieces(
      request: Omit<HubRequest, 'credentials' | 'signal'>,
      signal: AbortSignal,
    ): Promise<AsyncIterable<Uint8Array>> {
      const whole = { statuses: [200], ...request, credentials, signal };
      return withReasons(await send(() => api.requests.pieces(whole), signal), explain);
    },
  };
}

/** The rules for the address of a source that a person chooses. */
export type ChosenSourceRules = Pick<HubSettings, 'proxy' | 'mayBePrivate' | 'isPublic'>;

/**
 * The client for a source at a URL that a person chose: at public addresses only, apart from the hosts that an administrator
 * allows, and without redirects, so that no other host gets the credentials.
 */
export function chosenSourceClient(
  settings: Omit<SourceClientSettings, 'trusted' | 'maxRedirects'>,
  credentials?: Record<string, string>,
): SourceClient {
  const mayBePrivate = settings.mayBePrivate ?? (() => false);
  return sourceClient({ ...settings, mayBePrivate, trusted: false, maxRedirects: 0 }, credentials);
}

async function* withReasons(
  body: AsyncIterable<Uint8Array>,
  explain: (error: unknown) => never,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    explain(error);
  }
}

/** Throws an error of a source for one of a hub. A private address is refused before it is asked. */
function explainAs({ name, denied, failed, mayBePrivate }: SourceClientSettings, error: unknown): never {
  if (error instanceof HubBusy)
    throw new UpstreamFailed('source_unreachable', `${error.message} The next sync continues.`, {
      cause: error,
    });
  if (!(error instanceof ServiceError)) throw error;
  if (error.code === 'hub_repository_not_found' || error.code === 'hub_access_denied')
    throw new UpstreamFailed('source_access_denied', `${name} refused the request. ${denied}`, {
      cause: error,
    });
  if (error.code === 'url_not_public') {
    const how = mayBePrivate ? ' An administrator can allow its host with SOURCE_PRIVATE_HOSTS.' : '';
    throw new UpstreamFailed('source_failed', `${name} leads to a private address.${how}`, { cause: error });
  }
  const hint = failed === undefined ? '' : ` ${failed}`;
  throw new UpstreamFailed('source_failed', `${error.message}${hint}`, { cause: error });
}
