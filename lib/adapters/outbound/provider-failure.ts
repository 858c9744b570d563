import type { CodeOf } from '../../error-codes.ts';
import { UpstreamFailed } from '../../errors.ts';
import { count } from '../../telemetry/metrics.ts';
import { OPENAI_NAME, PROVIDER_NAMES } from '../../text/vendor-names.ts';

interface Meaning {
  code: CodeOf<502>;
  /** Follows the provider's name. */
  text: string;
}

const KEY_REFUSED = {
  code: 'model_credential_refused',
  text: 'refused the key. An administrator can replace it.',
} as const;
/** A redirect may lead anywhere, and would take the key along. */
const REDIRECTED = {
  code: 'model_unreachable',
  text: 'redirects to another address, which is not followed. Use the final URL.',
} as const;

/**
 * Maps a provider's refusal to an error for the caller, by its status; never the provider's own text, which may contain keys.
 */
const MEANINGS: Record<number, Meaning> = {
  400: {
    code: 'model_request_refused',
    text: 'refused the request (400). The conversation may be too long for the model. Start a new one.',
  },
  401: KEY_REFUSED,
  403: KEY_REFUSED,
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

/** Codes of Node for certificates that it does not accept. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;

/** The log field that earlier releases wrote, so that saved queries still find it: `provider b`. */
function metricName(who: string): string {
  const names = [...Object.entries(PROVIDER_NAMES), ['a', OPENAI_NAME] as const];
  const letter = names.find(([, name]) => name === who)?.[0];
  return letter === undefined ? who.charAt(0).toLowerCase() + who.slice(1) : `provider ${letter}`;
}

function describeFailure(who: string, error: unknown): UpstreamFailed {
  if (error instanceof UpstreamFailed) return error;
  const { status, code, message } = error as Error & { status?: unknown; code?: unknown };
  if (typeof status === 'number') return failureOfStatus(who, status);
  if (codesOf(error).some((each) => CERTIFICATE.test(each))) {
    const text = `${who} has a certificate that isn't trusted. Check the URL, or the server's certificate.`;
    return new UpstreamFailed('model_certificate_refused', text);
  }
  if (/timed out/i.test(message))
    return new UpstreamFailed('model_timeout', `${who} did not answer in time. Try again later.`);
  if (/connection error|terminated|fetch failed/i.test(message)) {
    return new UpstreamFailed('model_unreachable', `${who} can't be reached, or the connection was cut.`);
  }
  const detail = typeof code === 'string' && /^\w{1,40}$/.test(code) ? ` (${code})` : '';
  return new UpstreamFailed('model_failed', `${who} failed${detail}. Try again later.`);
}

/** The codes of an error and of its causes: the SDKs wrap those of a connection. */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(cause)];
}

function failureOfStatus(who: string, status: number): UpstreamFailed {
  const { code, text } = meaningOf(status);
  return new UpstreamFailed(code, `${who} ${text}`, { refusedRequest: OF_REQUEST.has(status) });
}

function meaningOf(status: number): Meaning {
  if (status >= 300 && status < 400) return REDIRECTED;
  return MEANINGS[status] ?? { code: 'model_failed', text: `failed (${status}). Try again later.` };
}
