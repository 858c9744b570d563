import type { Config } from '../../lib/config.ts';
import { ask, type Finding, note, ok, wrong } from './finding.ts';

const SETTINGS = 'OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, and the network';

/** Sends the collector an empty batch. A start doesn't notice one that is gone, because spans are sent in the background. */
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
