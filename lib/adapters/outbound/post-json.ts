import { providerFailure } from './provider-failure.ts';
import { parseJson, responseBytes } from './response-bytes.ts';

const MAX_ANSWER_BYTES = 1_000_000;

/** The endpoint of a model that scores pairs of texts. */
export interface PairEndpoint {
  apiKey?: string | undefined;
  /** The URL without a trailing slash. */
  url: string;
  /** The service's name at the start of a sentence, such as `The reranker`. */
  who: string;
}

/**
 * Returns the response's JSON; undefined if the response isn't JSON. Throws UpstreamFailed, and the signal's
 * reason.
 */
export async function postJson(
  { apiKey, url, who }: PairEndpoint,
  body: object,
  signal: AbortSignal,
): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  try {
    const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
    const response = await fetch(url, { ...request, redirect: 'error' });
    if (response.ok) return parseJson(await responseBytes(response, MAX_ANSWER_BYTES));
    await response.body?.cancel();
    throw Object.assign(new Error('refused'), { status: response.status });
  } catch (error) {
    signal.throwIfAborted();
    throw providerFailure(who, error);
  }
}
