import type { Config } from '../../lib/config.ts';
import { withHubTokens } from '../../lib/settings/stored-keys.ts';
import { HUGGING_FACE_URL, MODELSCOPE_URL } from '../../lib/wiring/hubs.ts';
import { openSecrets } from '../../lib/wiring/secrets.ts';
import { ask, type Finding, note, ok, wrong } from './finding.ts';

export function hubAddresses({ hubs }: Pick<Config, 'hubs'>): string[] {
  return [hubs.huggingFace.baseUrl ?? HUGGING_FACE_URL, hubs.modelScope.baseUrl ?? MODELSCOPE_URL];
}

/**
 * Checks both hubs, and asks Hugging Face who owns the token; ModelScope has no public route for this. An
 * unconfigured hub that doesn't respond is only a note, because the service works without it.
 */
export async function checkHubs(config: Config): Promise<Finding[]> {
  const { hubs } = await withHubTokens(config, await openSecrets(config));
  const [urlA = '', urlB = ''] = hubAddresses({ hubs });
  return Promise.all([
    checkHub({ name: 'HUB_A', url: urlA, set: hubs.huggingFace, route: '/api/whoami-v2' }),
    checkHub({ name: 'HUB_B', url: urlB, set: hubs.modelScope }),
  ]);
}

interface HubCheck {
  name: 'HUB_A' | 'HUB_B';
  url: string;
  set: Config['hubs']['huggingFace'];
  /** A route that returns 401 for a token that the hub doesn't know. */
  route?: string;
}

async function checkHub({ name, url, set: { token, baseUrl }, route }: HubCheck): Promise<Finding> {
  const proves = token !== undefined && route !== undefined;
  const base = url.replace(/\/$/, '');
  try {
    const { host } = new URL(url);
    const { status } = await (proves
      ? ask(`${base}${route}`, { headers: { authorization: `Bearer ${token}` } })
      : ask(base, { method: 'HEAD' }));
    if (status >= 500) return note(`${host} failed with status ${status}. Try again later.`);
    if (!proves) return ok(`${host} answers${token === undefined ? '' : ` (${name}_TOKEN is not checked)`}`);
    if (status === 200) return ok(`${host} accepts ${name}_TOKEN`);
    return wrong(`${host} does not accept ${name}_TOKEN (${status}). Create a new token there.`);
  } catch (error) {
    const isSet = token !== undefined || baseUrl !== undefined;
    const text = `${(error as Error).message} Check the network, HTTPS_PROXY, and ${name}_BASE_URL.`;
    return isSet ? wrong(text) : note(text);
  }
}

const SETTINGS = 'OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, and the network';

/**
 * Sends the collector an empty batch. The start doesn't notice a missing collector, because spans are sent in the
 * background.
 */
export async function checkTraces({ traces }: Config): Promise<Finding> {
  if (traces === undefined) return note('none. Set OTEL_EXPORTER_OTLP_ENDPOINT to send them to a collector.');
  const { endpoint, headers } = traces;
  const { host } = new URL(endpoint);
  try {
    const { ok: isTaken, status } = await ask(`${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
    });
    return isTaken
      ? ok(`${host} accepts traces`)
      : wrong(`${host} does not accept traces (${status}). Check ${SETTINGS}.`);
  } catch (error) {
    return wrong(`${(error as Error).message} Check ${SETTINGS}.`);
  }
}
