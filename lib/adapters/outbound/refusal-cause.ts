import type { Refusal } from './refusal.ts';

/** The reason for a refusal: one of our codes, or the roles that the model's template rejects. */
export type Cause =
  | 'alternation'
  | 'model_content_refused'
  | 'model_credential_refused'
  | 'model_loading'
  | 'model_not_found'
  | 'model_overloaded'
  | 'model_quota_used_up'
  | 'model_rate_limited'
  | 'model_tools_refused'
  | 'model_unreachable'
  | 'model_url_wrong'
  | 'system';

interface Sign {
  cause: Cause;
  /** Matches a whole value of `code`, `type`, or `status`, in lower case. */
  code?: RegExp;
  /** Matches part of the text, where the provider has no code. */
  text?: RegExp;
  /** The statuses for which the text counts; all if absent. */
  statuses?: number[];
}

/**
 * The most certain come first, because a provider may call a rate limit a quota, or a wrong URL a missing
 * model.
 */
const SIGNS: Sign[] = [
  {
    cause: 'system',
    text: /system[ _](?:role|message|prompt|instruction)s?\b.{0,60}\b(?:not|un)[ -]?(?:supported|allowed|enabled)|(?:does ?n[o']t|not) support.{0,30}\bsystem\b|developer instruction is not enabled|(?:unexpected|invalid|unknown|unsupported) (?:message )?role:? .{0,3}system/i,
  },
  {
    cause: 'alternation',
    text: /\broles? (?:must|should|need to) (?:strictly )?alternate|must alternate|alternating (?:user|roles)|consecutive (?:user|assistant|messages)/i,
  },
  {
    cause: 'model_tools_refused',
    text: /(?:does ?n[o']t|not|no endpoints found that) support (?:the )?(?:tools?|function|parallel tool)\b|enable-auto-tool-choice|tools? (?:param )?requires?\b.{0,20}jinja|\b(?:tools?|functions?|tool[_ ](?:choice|calls?|calling|use)|function[_ ]call(?:s|ing)?)['"]?\b.{0,60}\b(?:is|are)? ?not (?:supported|enabled|allowed)|unsupported.{0,20}\btools?\b/i,
  },
  {
    cause: 'model_quota_used_up',
    code: /insufficient_(?:quota|credits?|balance|funds)|billing\w*|exceeded_current_quota\w*|arrearage|accountoverdue\w*|payment_required|1113|.*perday.*/,
    text: /exceeded your current quota|(?:credit|account) balance|insufficient (?:account )?(?:balance|credits?|funds|quota)|out of (?:credits|funds)|余额不足|欠费|can only afford/i,
  },
  {
    cause: 'model_rate_limited',
    code: /rate_?limit\w*|too_?many_?requests\w*|throttling\w*|resource_exhausted|.*perminute.*/,
    text: /rate.?limit|too many requests|请求(?:过于频繁|频率)/i,
  },
  {
    cause: 'model_credential_refused',
    statuses: [400, 401, 403],
    code: /invalid_?api_?key|api_?key_?invalid|authentication_?error|unauthorized/,
    text: /(?:incorrect|invalid|expired|missing|no) api[ _-]?key|api[ _-]?key (?:is |was )?(?:not valid|not found|invalid|expired|missing)/i,
  },
  {
    cause: 'model_content_refused',
    code: /content_(?:filter|policy\w*)|data_?inspection_?failed|responsibleaipolicyviolation|prohibited_content/,
    text: /content (?:management )?policy|data may contain inappropriate content/i,
  },
  {
    cause: 'model_loading',
    text: /\bloading model\b|\bmodel\b.{0,120}\b(?:is|still)\b.{0,20}\bloading\b|模型.{0,20}加载中/i,
  },
  {
    cause: 'model_overloaded',
    code: /(?:engine_|server_)?overloaded\w*/,
    text: /\boverloaded\b|model (?:is )?too busy|server busy|at capacity|负载过高/i,
  },
  {
    cause: 'model_url_wrong',
    text: /unexpected endpoint|unknown (?:url|endpoint|path)|unrecognized request url|no route matched|method not allowed|^(?:404 )?(?:page |resource |url |path |route )?not found\.?$|cannot post|no such path/i,
  },
  {
    cause: 'model_not_found',
    code: /model_?not_?found|deploymentnotfound|modelnot(?:open|found)\w*|unknown_model|model_not_available|invalid_model/,
    text: /\bmodels?\b.{0,200}?\b(?:not found|(?:does ?n[o']t|not) exist|not a valid model|not (?:available|loaded))|not a valid model|\bno models? loaded|(?:unknown|invalid) model\b|模型.{0,40}不存在/i,
  },
];

/** Matches a short-term quota, which counts as a rate limit. */
const FOR_NOW = /\bconcurren|\bper[ _]?(?:second|minute)\b/i;

/**
 * Returns the cause of a refusal. The provider's message takes precedence over the status, because one status
 * has many causes, and some providers send 200, 400, or 500 for everything.
 */
export function causeOf({ status, codes, texts, isPage }: Refusal): Cause | undefined {
  if (isPage) return causeOfPage(status);
  const byCode = SIGNS.find(({ code }) => code !== undefined && codes.some((each) => isWhole(code, each)));
  const sign = byCode ?? SIGNS.find((each) => isSaid(each, texts, status));
  const cause = sign?.cause ?? causeOfStatus(status);
  const isForNow = cause === 'model_quota_used_up' && texts.some((each) => FOR_NOW.test(each));
  return isForNow ? 'model_rate_limited' : cause;
}

function isSaid({ text, statuses }: Sign, texts: string[], status = 400): boolean {
  if (text === undefined || statuses?.includes(status) === false) return false;
  return texts.some((each) => text.test(each));
}

function isWhole(pattern: RegExp, text: string): boolean {
  return pattern.exec(text)?.[0] === text;
}

/**
 * Returns the cause of a web page instead of a response. A proxy sends it, or a web server that doesn't have
 * the path.
 */
function causeOfPage(status = 200): Cause {
  return status < 300 || status === 404 || status === 405 ? 'model_url_wrong' : 'model_unreachable';
}

function causeOfStatus(status: number | undefined): Cause | undefined {
  if (status === 401 || status === 403) return 'model_credential_refused';
  if (status === 402) return 'model_quota_used_up';
  if (status === 404 || status === 405) return 'model_not_found';
  if (status === 407) return 'model_unreachable';
  if (status === 429) return 'model_rate_limited';
  return status === 503 || status === 529 ? 'model_overloaded' : undefined;
}

/** Causes that a retry doesn't change. */
const LASTING: Cause[] = [
  'alternation',
  'model_content_refused',
  'model_credential_refused',
  'model_not_found',
  'model_quota_used_up',
  'model_tools_refused',
  'model_url_wrong',
  'system',
];

export function isLasting(refusal: Refusal): boolean {
  const cause = causeOf(refusal);
  return cause !== undefined && LASTING.includes(cause);
}

/**
 * Returns whether an SDK must not retry the request. The SDK would also wait silently for a rate limit, which
 * openWithinLimit handles for answers.
 */
export function isFinalForAnswer(refusal: Refusal): boolean {
  return isLasting(refusal) || causeOf(refusal) === 'model_rate_limited';
}

const MAX_WAIT_SECONDS = 24 * 3600;

/**
 * Returns the seconds until the provider accepts requests again, from a header or the text; undefined if
 * neither states them.
 */
export function secondsToWait({ headers, texts }: Refusal, now = Date.now()): number | undefined {
  const said = [
    milliseconds(headers?.get('retry-after-ms')),
    secondsOrDate(headers?.get('retry-after'), now),
    ...texts.map(secondsInText),
    ...usedUp(headers).map((reset) => secondsOrDate(reset, now)),
  ].find((each) => each !== undefined && each >= 0);
  return said === undefined || said > MAX_WAIT_SECONDS ? undefined : said;
}

/**
 * Returns the reset times of exhausted limits. OpenAI and Groq have two limits, Anthropic more, OpenRouter
 * one.
 */
function usedUp(headers: Headers | undefined): string[] {
  return [...(headers ?? [])].flatMap(([name, value]) => {
    if (!/ratelimit.*reset/.test(name)) return [];
    const left = headers?.get(name.replace('reset', 'remaining'));
    return left === '0' || left === null ? [value] : [];
  });
}

function milliseconds(value: string | null | undefined): number | undefined {
  const number = Number.parseFloat(value ?? '');
  return Number.isFinite(number) ? number / 1000 : undefined;
}

/** Reads seconds, `6m0s`, a date, or seconds or milliseconds since the epoch. */
function secondsOrDate(value: string | null | undefined, now: number): number | undefined {
  if (!value) return undefined;
  const number = Number(value);
  if (Number.isFinite(number)) {
    if (number < 1e8) return number;
    return (number < 1e11 ? number * 1000 : number) / 1000 - now / 1000;
  }
  const span = secondsOfSpan(value);
  const date = Date.parse(value);
  return span ?? (Number.isNaN(date) ? undefined : (date - now) / 1000);
}

const UNITS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** Reads `7.66s`, `20ms`, or `6m0s`. */
function secondsOfSpan(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

function secondsInText(text: string): number | undefined {
  const [, count, unit] =
    /(?:try again in|retry (?:after|in)|wait)\s+((?:\d+(?:\.\d+)?(?:ms|s|m|h))+|\d+(?:\.\d+)?)\s*(seconds?|minutes?)?/i.exec(
      text,
    ) ?? [];
  if (count === undefined) return secondsOfSpan(text.trim());
  const span = secondsOfSpan(count.toLowerCase());
  return span ?? Number(count) * (/^minute/i.test(unit ?? '') ? 60 : 1);
}
