import { isLoopbackHost } from '../../api-contract/loopback.ts';
import type { ErrorCode } from '../../error-codes.ts';
import { UpstreamFailed } from '../../errors.ts';
import { reportSeldom } from '../../telemetry/events.ts';
import { cleanMessage } from './clean-message.ts';
import { type Refusal, readRefusal } from './refusal.ts';
import { type Cause, causeOf, secondsToWait } from './refusal-cause.ts';
import { windowRefusal } from './window-refusal.ts';

/** The settings of the request. An error may say what is wrong with the key, but never quotes it. */
export interface AskedWith {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

/** Messages to put after the provider's name. */
const TEXTS: Record<Cause, string> = {
  alternation: 'refused the order of the messages. Start a new conversation, or choose another model.',
  model_content_refused: 'refused the request by its content filter. Ask in other words.',
  model_credential_refused: 'refused the key. An administrator can replace it.',
  model_loading: 'is still loading the model. Try again in a minute.',
  model_not_found: 'does not know the model or the URL. Choose another model, or check the base URL.',
  model_overloaded: 'is overloaded. Try again later.',
  model_quota_used_up: 'has no quota or credit left for this key. An administrator can add credit.',
  model_rate_limited: 'is at its rate limit. Try again later.',
  model_tools_refused: "can't call tools with this model. The agent needs a model with tools.",
  model_unreachable: 'answered with a web page, as a proxy does. Check the base URL and the proxy.',
  model_url_wrong: 'has no model at this URL. Check the base URL.',
  system: 'refused a system message. Choose another model.',
};

const OF_REQUEST = new Set([400, 413, 422]);
/** Causes that concern a single request. */
const REFUSES_ONE: Cause[] = ['alternation', 'model_content_refused', 'model_tools_refused', 'system'];

/**
 * Returns the caller's error for a failure of a model provider. `who` is the provider's name at the start of
 * a sentence, such as `Anthropic`. Omits the original error on purpose, because logs would contain the
 * provider's text unchanged. Counts the failure, unless the request was at fault.
 */
export function providerFailure(who: string, error: unknown, asked: AskedWith = {}): UpstreamFailed {
  const failure = describeFailure(who, error, asked);
  if (!failure.refusedRequest) reportProvider(who, failure);
  return failure;
}

/** Codes of failures that last until an operator changes a setting or adds credit. */
const LASTING = new Set<string>([
  'model_certificate_refused',
  'model_credential_refused',
  'model_not_found',
  'model_quota_used_up',
  'model_url_wrong',
] satisfies ErrorCode[]);

function reportProvider(provider: string, { code }: UpstreamFailed): void {
  const event = LASTING.has(code) ? 'provider_refused' : 'provider_failed';
  reportSeldom(event, `${provider} ${code}`, 'a model provider failed', { provider, code });
}

/** Matches Node's error codes for rejected certificates. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;

function describeFailure(who: string, error: unknown, asked: AskedWith): UpstreamFailed {
  if (error instanceof UpstreamFailed) return error;
  const exceeded = windowRefusal(who, error);
  if (exceeded !== undefined) return exceeded;
  const refusal = readRefusal(error);
  if (refusal !== undefined) return failureOf(who, refusal, asked);
  const { code, message } = error as Error & { code?: unknown };
  if (codesOf(error).some((each) => CERTIFICATE.test(each))) {
    const text = `${who} has a certificate that isn't trusted. Check the URL, or the server's certificate.`;
    return new UpstreamFailed('model_certificate_refused', text);
  }
  if (/timed out/i.test(message))
    return new UpstreamFailed('model_timeout', `${who} did not answer in time. Try again later.`);
  if (/connection error|terminated|fetch failed/i.test(message))
    return new UpstreamFailed(
      'model_unreachable',
      serverThatIsOff(error, asked) ?? `${who} can't be reached, or the connection was cut.`,
    );
  const detail = typeof code === 'string' && /^\w{1,40}$/.test(code) ? ` (${code})` : '';
  return new UpstreamFailed('model_failed', `${who} failed${detail}. Try again later.`);
}

/**
 * Names an unreachable server on the service's own host. The location of a server in its network is only for
 * administrators.
 */
function serverThatIsOff(error: unknown, { baseUrl = '' }: AskedWith): string | undefined {
  const url = URL.parse(baseUrl);
  if (url === null || !isLoopbackHost(url.hostname) || !codesOf(error).includes('ECONNREFUSED')) return;
  return `No model server answers at ${url.host}. Start it, then try again.`;
}

/** Returns the codes of an error and of its causes, because the SDKs wrap connection errors. */
export function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return [...(typeof code === 'string' ? [code] : []), ...codesOf(cause)];
}

function failureOf(who: string, refusal: Refusal, asked: AskedWith): UpstreamFailed {
  const { status } = refusal;
  if (status !== undefined && status >= 300 && status < 400)
    return new UpstreamFailed(
      'model_unreachable',
      // A redirect may lead anywhere, and following it would send the key there.
      `${who} redirects to another address, which is not followed. Use the final URL.`,
    );
  const cause = causeOf(refusal);
  if (cause === undefined) return failureOfUnknown(who, refusal, asked);
  const code = cause === 'system' || cause === 'alternation' ? 'model_roles_refused' : cause;
  const seconds = cause === 'model_rate_limited' ? secondsToWait(refusal) : undefined;
  const text = [`${who} ${TEXTS[cause]}`, hintAt(cause, asked), saidIf(cause, refusal, asked)];
  return new UpstreamFailed(code, text.filter(Boolean).join(' '), {
    ...(seconds !== undefined && { headers: { 'retry-after': String(Math.ceil(seconds)) } }),
    refusedRequest: REFUSES_ONE.includes(cause),
  });
}

/** Returns the error for an unknown cause. The provider's own message is the only information. */
function failureOfUnknown(who: string, refusal: Refusal, asked: AskedWith): UpstreamFailed {
  const { status } = refusal;
  const refusedRequest = status !== undefined && OF_REQUEST.has(status);
  const said = quoteOf(refusal, asked);
  const words = said === undefined ? '.' : `: “${said}”`;
  if (refusedRequest)
    return new UpstreamFailed('model_request_refused', `${who} refused the request (${status})${words}`, {
      refusedRequest,
    });
  if (status === undefined)
    return new UpstreamFailed('model_interrupted', `${who} stopped with an error${words} Try again.`);
  return new UpstreamFailed('model_failed', `${who} failed (${status})${words} Try again later.`);
}

/** Causes whose text is incomplete without the provider's message. */
const QUOTED: Cause[] = [
  'alternation',
  'model_not_found',
  'model_quota_used_up',
  'model_tools_refused',
  'system',
];

function saidIf(cause: Cause, refusal: Refusal, asked: AskedWith): string | undefined {
  const isQuoted = QUOTED.includes(cause) || (cause === 'model_credential_refused' && refusal.status === 403);
  const said = isQuoted ? quoteOf(refusal, asked) : undefined;
  return said && `It says: “${said}”${/[.!?。！？…]$/.test(said) ? '' : '.'}`;
}

function quoteOf({ texts }: Refusal, { apiKey }: AskedWith): string | undefined {
  return texts.map((text) => cleanMessage(text, [apiKey])).find((text) => text !== undefined);
}

/** Keys that show their provider by a prefix. */
const KEYS = [
  ['sk-ant-', 'Anthropic', 'anthropic'],
  ['sk-or-', 'OpenRouter', 'openrouter'],
  ['sk-proj-', 'OpenAI', 'openai'],
  ['AIza', 'Gemini', 'google'],
  ['gsk_', 'Groq', 'groq'],
  ['hf_', 'Hugging Face', 'huggingface'],
  ['xai-', 'xAI', 'x.ai'],
  ['nvapi-', 'NVIDIA', 'nvidia'],
  ['pplx-', 'Perplexity', 'perplexity'],
] as const;

function hintAt(cause: Cause, asked: AskedWith): string | undefined {
  if (cause === 'model_credential_refused') return hintAtKey(asked);
  const { baseUrl } = asked;
  if (cause !== 'model_url_wrong' || baseUrl === undefined) return undefined;
  const path = URL.parse(baseUrl)?.pathname ?? '';
  return /\/v\d/.test(path) ? undefined : 'Most need /v1 at its end.';
}

/** Returns what is wrong with a key's format, without revealing the key. */
function hintAtKey({ apiKey, baseUrl }: AskedWith): string | undefined {
  if (apiKey === undefined) return 'No key is set.';
  if (/\s/.test(apiKey)) return 'The key contains a space or a line break.';
  const [, name, host = ''] = KEYS.find(([start]) => apiKey.startsWith(start)) ?? [];
  const isElsewhere = name !== undefined && baseUrl !== undefined && !baseUrl.includes(host);
  return isElsewhere ? `The key looks like one of ${name}.` : undefined;
}
