import type { HttpInstance, Logger } from '@larksuiteoapi/node-sdk';
import { log } from '../../log.ts';
import { type ProxySettings, proxyHttpAgents } from '../outbound/proxy.ts';
import type { FeishuSettings } from './client.ts';

/**
 * Milliseconds before a retry after an error at which Feishu's own client gives up, such as a wrong secret or
 * too many connections.
 */
const AGAIN_MS = 60_000;
const HANDSHAKE_MS = 15_000;
/** Seconds without an answer to a ping after which the connection counts as dead. */
const PONG_SECONDS = 20;

/** An event as Feishu's client passes it on, with the header merged into it. */
type FlatEvent = Record<string, unknown>;

/**
 * Handles an event in the form of the HTTP callback; the result is sent back to Feishu. If the handler
 * throws, Feishu resends the event.
 */
export type EventTaker = (event: { header: FlatEvent; event: FlatEvent }) => Promise<object>;

/**
 * Opens a connection over which Feishu sends its events, for hosts without a public URL. Reconnects when the connection
 * breaks, and uses the proxy if there is one. Returns a function that closes it. Throws if IMA_APP_ID can't be valid.
 */
export async function openFeishuConnection(
  settings: FeishuSettings & { proxy?: ProxySettings },
  take: EventTaker,
): Promise<() => void> {
  const { appId, appSecret, baseUrl: domain } = settings;
  // Feishu's client wouldn't report an invalid ID.
  if (!/^cli_[0-9a-fA-F]{16}$/.test(appId))
    throw new Error('IMA_APP_ID must have the form cli_ and 16 hexadecimal digits.');
  const { EventDispatcher, LoggerLevel, WSClient, defaultHttpInstance } = await import(
    '@larksuiteoapi/node-sdk'
  );
  const logging = { logger: quietLogger(), loggerLevel: LoggerLevel.warn };
  const handle = (event: FlatEvent) => take({ header: event, event });
  const eventDispatcher = new EventDispatcher(logging).register({
    'im.message.receive_v1': handle,
    'card.action.trigger': handle,
  });
  let again: NodeJS.Timeout | undefined;
  const client = new WSClient({
    ...logging,
    appId,
    appSecret,
    domain,
    // Despite its type, defaultHttpInstance returns bodies.
    ...throughProxy(settings, defaultHttpInstance as unknown as HttpInstance),
    handshakeTimeoutMs: HANDSHAKE_MS,
    wsConfig: { pingTimeout: PONG_SECONDS },
    onReady: () => log.info('connected to Feishu'),
    onReconnected: () => log.info('connected to Feishu again'),
    onError: (error) => {
      log.warn('failed to connect to Feishu; trying again in a minute', {}, error);
      again = setTimeout(start, AGAIN_MS);
    },
  });
  const start = () => void client.start({ eventDispatcher });
  start();
  return () => {
    clearTimeout(again);
    client.close({ force: true });
  };
}

/**
 * Uses the proxy for both of the client's connections: the request for the socket's URL, and the socket
 * itself. The socket's URL isn't known in advance; it's `wss:` if Feishu's own URL is `https:`.
 */
function throughProxy({ baseUrl, proxy }: { baseUrl: string; proxy?: ProxySettings }, http: HttpInstance) {
  const agents = proxy && proxyHttpAgents(proxy);
  // Axios itself would read the environment, and differently from the rest of the service.
  const options = agents ?? { proxy: false };
  const request: HttpInstance['request'] = (asked) => http.request({ ...asked, ...options });
  const httpInstance: HttpInstance = { ...http, request };
  const agent = baseUrl.startsWith('https:') ? agents?.httpsAgent : agents?.httpAgent;
  return { httpInstance, ...(agent && { agent }) };
}

/**
 * Returns a logger for the client's important messages only, because less important ones contain tickets and
 * users' messages.
 */
function quietLogger(): Logger {
  const nothing = () => {};
  const tell = (...words: unknown[]) => {
    const reason = words
      .flat(2)
      .filter((word) => typeof word === 'string')
      .join(' ');
    log.warn('problem with the connection to Feishu', { reason: reason.slice(0, 300) });
  };
  return { error: tell, warn: tell, info: nothing, debug: nothing, trace: nothing };
}
