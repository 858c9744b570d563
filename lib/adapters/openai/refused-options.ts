import { LRUCache } from 'lru-cache';

/** The parts of a request that can be omitted if the server refuses them. */
export type Option =
  | 'limit'
  | 'usage'
  | 'no-thoughts'
  | 'no-effort'
  | 'schema'
  | 'json'
  | 'temperature'
  | 'tools'
  | 'system';

/** The options for a JSON answer. */
export const OF_FORM = ['schema', 'json', 'temperature'] as const satisfies Option[];

/** The options that disable reasoning. */
export const OF_THOUGHTS = ['no-thoughts', 'no-effort'] as const satisfies Option[];

/** Matches how a refusal names each option. They are dropped in this order. */
const NAMED: [Option, RegExp][] = [
  ['limit', /un(?:supported|recognized|known|expected)\b.*max_(?:completion_)?tokens/i],
  ['usage', /stream_options/],
  ['no-thoughts', /chat_?template|enable_?thinking/i],
  ['no-effort', /reasoning|thinking/i],
  ['schema', /json_?schema|response_?format|grammar|guided|structured/i],
  ['json', /json|response_?format/i],
  ['temperature', /temperature/i],
  ['tools', /\btools?\b|tool_|function.?call/i],
  ['system', /\bsystem\b/i],
];
/** Matches refusals because of length, which persist without the options. */
const OF_LENGTH = /context.?(?:length|window|size)|too (?:long|large)|max\w* .*tokens|exceed/i;
const MAX_KNOWN = 200;
/** Milliseconds for which a refusal counts, because a server may be restarted with other options. */
const KNOWN_MS = 3_600_000;

/** Keyed by base URL and model. */
const known = new LRUCache<string, ReadonlySet<Option>>({ max: MAX_KNOWN, ttl: KNOWN_MS });

/** Returns the options that a model's server has refused within the last hour. */
export function refusedOptions(key: string): ReadonlySet<Option> {
  return known.get(key) ?? new Set();
}

export function rememberRefused(key: string, without: ReadonlySet<Option>): void {
  known.set(key, without);
}

/**
 * Returns which of the `sent` options to omit after a refusal. Empty if the refusal is about something else.
 * If it names no option, the next attempts drop the reasoning options, then the answer format, then the
 * tools.
 */
export function optionsToDrop(error: unknown, sent: ReadonlySet<Option>): Option[] {
  const { status, message } = error as { status?: unknown; message: string };
  if (typeof status !== 'number' || [401, 403, 429].includes(status) || OF_LENGTH.test(message)) return [];
  const named = NAMED.find(([option, name]) => sent.has(option) && name.test(message));
  if (named !== undefined) return [named[0]];
  if (status !== 400 && status !== 422) return [];
  for (const group of [OF_THOUGHTS, OF_FORM]) {
    const together = group.filter((option) => sent.has(option));
    if (together.length > 0) return together;
  }
  return sent.has('tools') ? ['tools'] : [];
}
