import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { UpstreamFailed } from '../../errors.ts';
import { tooLarge } from '../git/bounds.ts';
import { type Remote, remoteAgent, requestHeaders } from '../git/remote.ts';
import { loadUndici } from '../outbound/pinned-agent.ts';

/** Maximum bytes of a pack, of which the library holds several copies in memory. */
const MAX_PACK_BYTES = 256 * 1024 * 1024;

/** Sends git's requests to the one checked host, without following redirects. */
export function remoteHttp(remote: Remote, signal: AbortSignal): HttpClient {
  return { request: (request) => send(remote, request, signal) };
}

async function send(remote: Remote, request: GitHttpRequest, signal: AbortSignal): Promise<GitHttpResponse> {
  const { url, method = 'GET', headers = {}, body } = request;
  if (!url.startsWith(`${remote.url}/`))
    throw new Error('The request is for another URL than the repository.');
  const { fetch } = await loadUndici();
  const agent = await remoteAgent(remote);
  const response = await fetch(url, {
    dispatcher: agent,
    method,
    redirect: 'error',
    headers: { ...headers, ...requestHeaders(remote) },
    body: body && Buffer.concat(await Array.fromAsync(body)),
    signal,
  }).catch((error: unknown) => broken(remote, error));
  return {
    url,
    method,
    statusCode: response.status,
    statusMessage: response.statusText,
    headers: Object.fromEntries(response.headers),
    body: bounded(remote, response.body, () => agent.destroy()),
  };
}

/** undici reports broken connections as TypeErrors, which look like our own bugs. */
function broken({ hostname }: Remote, error: unknown): never {
  if (!(error instanceof TypeError)) throw error;
  throw new UpstreamFailed('git_host_unreachable', `The connection to ${hostname} was cut. Try again.`, {
    cause: error,
  });
}

async function* bounded(remote: Remote, body: AsyncIterable<Uint8Array> | null, end: () => Promise<void>) {
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > MAX_PACK_BYTES) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    broken(remote, error);
  } finally {
    void end().catch(() => undefined);
  }
}
