import type * as z from 'zod';
import { Forbidden, NotFound, UpstreamFailed } from '../../errors.ts';
import { type HubRequest, type HubSettings, hubRequests } from './hub-request.ts';

export type CatalogSettings = Omit<HubSettings, 'name'>;

interface CatalogRequest extends Pick<HubRequest, 'credentials'> {
  path: string;
  /** Undefined values are omitted. */
  query: Record<string, string | undefined>;
  signal: AbortSignal;
}

/** Sends requests to one source of papers by the rules for hubs, except that by default it follows no redirects. */
export function catalogRequests(settings: HubSettings) {
  const requests = hubRequests({ maxRedirects: 0, ...settings });
  const prepare = ({ path, query, credentials, signal }: CatalogRequest): HubRequest => {
    const url = new URL(settings.baseUrl.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    return { url, credentials, signal };
  };
  return {
    async json<Schema extends z.ZodType>(
      request: CatalogRequest & { schema: Schema },
    ): Promise<z.infer<Schema>> {
      const { body } = await told(settings, () => requests.json(prepare(request)));
      const answer = request.schema.safeParse(body);
      if (!answer.success) throw unreadableAnswer(settings.name);
      return answer.data;
    },
    /** Undefined if the source has nothing at this path. */
    async jsonIfFound<Schema extends z.ZodType>(
      request: CatalogRequest & { schema: Schema },
    ): Promise<z.infer<Schema> | undefined> {
      try {
        return await this.json(request);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    text: (request: CatalogRequest, maxBytes: number) =>
      told(settings, () => requests.text(prepare(request), maxBytes)),
  };
}

export function unreadableAnswer(name: string): UpstreamFailed {
  return new UpstreamFailed(
    'paper_source_failed',
    `${name} returned an answer that can't be read. Try again later.`,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof UpstreamFailed && error.cause instanceof NotFound && error.cause.cause === 404;
}

/** Converts a hub's errors: 401, 403, and 404 concern a repository, which a catalog doesn't have. */
async function told<Answer>({ name }: HubSettings, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof NotFound || error instanceof Forbidden)) throw error;
    throw new UpstreamFailed('paper_source_failed', `${name} refused the request. Check its API key.`, {
      cause: error,
    });
  }
}
