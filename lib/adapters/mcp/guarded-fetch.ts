import type { Dispatcher } from 'undici';
import { UpstreamFailed } from '../../errors.ts';
import { boundedAnswer } from '../outbound/bounded-answer.ts';
import { loadUndici, pinnedAgent } from '../outbound/pinned-agent.ts';
import type { ProxySettings } from '../outbound/proxy.ts';
import { type HostRules, invalidUrl, publicAddresses } from '../outbound/public-host.ts';

export interface GuardedOptions extends HostRules {
  proxy?: ProxySettings;
  /** Allows plain http and other ports, for test servers. No setting of the service enables it. */
  allowAnyPort?: boolean;
}

/** Maximum decompressed bytes of all responses of one connection. */
const MAX_BYTES = 2 * 1024 * 1024;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * A fetch for one server: only its own URL, at public addresses that were resolved once, without redirects,
 * and with a limit on all bytes. Beyond the limit, it aborts `spent`. Refuses GET requests for a stream of
 * the server's own messages, or for the rest of a response whose stream the server ended early.
 */
export function guardedFetch(
  address: URL,
  signal: AbortSignal,
  options: GuardedOptions,
): { fetch: Fetch; spent: AbortSignal; close(): void } {
  requireHttps(address, options);
  let agent: Promise<Dispatcher> | undefined;
  const spent = new AbortController();
  const failure = (message: string) => {
    const error = new UpstreamFailed('mcp_server_failed', message);
    spent.abort(error); // otherwise the client would continue with an incomplete response
    return error;
  };
  const room = {
    bytes: MAX_BYTES,
    giveUp: () => void failure(`${address.hostname} returned more than ${MAX_BYTES} bytes.`),
  };
  return {
    async fetch(url, init = {}) {
      if (String(url) !== address.href)
        throw invalidUrl("url can't change: the MCP server asked for another URL.");
      if (init.method !== 'POST' && !goesOn(init)) return new Response(null, { status: 405 });
      agent ??= connect(address, options);
      const dispatcher = await agent;
      const { fetch } = await loadUndici();
      const both = init.signal ? AbortSignal.any([signal, init.signal]) : signal;
      const request = { ...init, dispatcher, redirect: 'manual', signal: both } as Parameters<
        typeof fetch
      >[1];
      const response = await fetch(address, request);
      if (response.status >= 300 && response.status < 400)
        throw new UpstreamFailed(
          'mcp_server_failed',
          `${address.hostname} redirects, which is not allowed. Use the final URL.`,
        );
      const counted = bounded(response as unknown as Response, room);
      return boundedAnswer(counted, { who: address.hostname, failure });
    },
    spent: spent.signal,
    close: () => void agent?.then((each) => each.destroy()).catch(() => undefined),
  };
}

function goesOn({ method, headers }: RequestInit): boolean {
  return method === 'GET' && new Headers(headers).has('last-event-id');
}

/** Throws InvalidInput. */
export function requireHttps(
  address: URL,
  { allowAnyPort }: Pick<GuardedOptions, 'allowAnyPort'> = {},
): void {
  if (allowAnyPort) return;
  if (address.protocol !== 'https:') throw invalidUrl('url must be an HTTPS URL.');
  if (address.port !== '') throw invalidUrl('url must use the default port.');
}

async function connect(address: URL, options: GuardedOptions): Promise<Dispatcher> {
  const addresses = await publicAddresses(address.hostname, options);
  return pinnedAgent(address.hostname, addresses, { proxy: options.proxy });
}

/** Counts bytes as they arrive, so that bytes beyond the limit are never read. */
function bounded(response: Response, room: { bytes: number; giveUp(): void }): Response {
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      room.bytes -= piece.length;
      if (room.bytes >= 0) return controller.enqueue(piece);
      room.giveUp();
      controller.terminate();
    },
  });
  const body = response.body?.pipeThrough(counting) ?? null;
  const { status, headers } = response;
  return new Response(status === 202 || status === 204 ? null : body, { status, headers });
}
