import { UpstreamFailed } from '../../errors.ts';
import { count } from '../../telemetry/metrics.ts';

/** What a provider's refusal means to the caller, by its status; never the provider's own text, which may carry keys. */
const MEANINGS: Record<number, string> = {
  400: 'refused the request (400); the conversation may be too long for the model',
  401: 'refused its key (401)',
  403: 'refused its key (403)',
  404: 'does not know the model or the address (404)',
  413: 'says that the request is too large (413)',
  429: 'is at its rate limit (429); try again later',
  529: 'is overloaded (529); try again later',
};

const OF_REQUEST = new Set([400, 413, 422]);

/**
 * The error for the caller when a model provider fails. `who` is how the service names it: `provider a`. It omits the cause
 * on purpose: that would log the provider's text. Counted, unless the request was at fault.
 */
export function providerFailure(who: string, error: unknown): UpstreamFailed {
  const failure = describeFailure(who, error);
  if (!failure.refusedRequest) count('ProviderFailures', { provider: who });
  return failure;
}

function describeFailure(who: string, error: unknown): UpstreamFailed {
  if (error instanceof UpstreamFailed) return error;
  const { status, code, message } = error as Error & { status?: unknown; code?: unknown };
  if (typeof status === 'number') {
    const refusedRequest = OF_REQUEST.has(status);
    return new UpstreamFailed('upstream_failed', `${who} ${MEANINGS[status] ?? `failed (${status})`}`, {
      refusedRequest,
    });
  }
  if (/timed out/i.test(message))
    return new UpstreamFailed('upstream_failed', `${who} did not answer in time`);
  if (/connection error|terminated|fetch failed/i.test(message)) {
    return new UpstreamFailed('upstream_failed', `${who} cannot be reached, or broke the connection`);
  }
  return new UpstreamFailed(
    'upstream_failed',
    `${who} failed${typeof code === 'string' && /^\w{1,40}$/.test(code) ? ` (${code})` : ''}`,
  );
}
