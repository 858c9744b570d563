import type { CodeOf } from '../../error-codes.ts';
import { UpstreamFailed } from '../../errors.ts';
import { count } from '../../telemetry/metrics.ts';
import { PROVIDER_NAMES } from '../../text/vendor-names.ts';

interface Meaning {
  code: CodeOf<502>;
  /** Follows the provider's name. */
  text: string;
}

const KEY_REFUSED = { code: 'model_credential_refused' } as const;

/**
 * Maps a provider's refusal to an error for the caller, by its status; never the provider's own text, which may contain keys.
 */
const MEANINGS: Record<number, Meaning> = {
  400: {
    code: 'model_request_refused',
    text: 'refused the request (400). The conversation may be too long for the model. Start a new one.',
  },
  401: { ...KEY_REFUSED, text: 'refused its API key (401). Ask an administrator to check the key.' },
  403: { ...KEY_REFUSED, text: 'refused its API key (403). Ask an administrator to check the key.' },
  404: {
    code: 'model_not_found',
    text: 'does not know the model or the URL (404). Choose another model, or check the base URL.',
  },
  413: { code: 'model_request_refused', text: 'refused the request as too large (413). Send less text.' },
  429: { code: 'model_rate_limited', text: 'is at its rate limit (429). Try again later.' },
  529: { code: 'model_overloaded', text: 'is overloaded (529). Try again later.' },
};

const OF_REQUEST = new Set([400, 413, 422]);

/**
 * The error for the caller when a model provider fails. `who` is its name at the start of a sentence: `Anthropic`. It omits the
 * cause on purpose: that would log the provider's text. Counted, unless the request was at fault.
 */
export function providerFailure(who: string, error: unknown): UpstreamFailed {
  const failure = describeFailure(who, error);
  if (!failure.refusedRequest) count('ProviderFailures', { provider: metricName(who) });
  return failure;
}

/** The log field that earlier releases wrote, so that saved queries still find it: `provider b`. */
function metricName(who: string): string {
  const letter = Object.entries(PROVIDER_NAMES).find(([, name]) => name === who)?.[0];
  return letter === undefined ? who.charAt(0).toLowerCase() + who.slice(1) : `provider ${letter}`;
}

function describeFailure(who: string, error: unknown): UpstreamFailed {
  if (error instanceof UpstreamFailed) return error;
  const { status, code, message } = error as Error & { status?: unknown; code?: unknown };
  if (typeof status === 'number') return failureOfStatus(who, status);
  if (/timed out/i.test(message))
    return new UpstreamFailed('model_timeout', `${who} did not answer in time. Try again later.`);
  if (/connection error|terminated|fetch failed/i.test(message)) {
    return new UpstreamFailed('model_unreachable', `${who} can't be reached, or the connection was cut.`);
  }
  const detail = typeof code === 'string' && /^\w{1,40}$/.test(code) ? ` (${code})` : '';
  return new UpstreamFailed('model_failed', `${who} failed${detail}. Try again later.`);
}

function failureOfStatus(who: string, status: number): UpstreamFailed {
  const { code, text } = MEANINGS[status] ?? {
    code: 'model_failed',
    text: `failed (${status}). Try again later.`,
  };
  return new UpstreamFailed(code, `${who} ${text}`, { refusedRequest: OF_REQUEST.has(status) });
}
