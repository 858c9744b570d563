import { WindowExceeded } from '../../errors.ts';

/** Maximum characters of an error's text to read. */
const MAX_READ = 4000;

/**
 * Recognizes a refusal because of length, and what was too long. Servers and gateways word this in dozens of
 * ways.
 */
const SUBJECT =
  /context[ _](?:size|length|window|limit)|(?:maximum|max) (?:model|prompt|input|sequence) length|(?:prompt|input) (?:is |was )?too (?:long|large)|input (?:token count|length)|too many tokens|`?inputs`? (?:tokens|must)|tokens to keep|ContextWindowExceeded/i;
const EXCESS =
  /exceed|too (?:long|large|many)|long(?:er)? than|(?:great|larg)er than|maximum|at most|must (?:be|have)|overflow|reduce the length|not enough/i;

/**
 * Matches the window in such a text, the most certain pattern first. "exceeded by 1200 tokens" doesn't state
 * it.
 */
const FIGURES = [
  /n_ctx"?\W{1,4}(\d[\d,_]*)/i,
  /(?<![-=])>=? ?(\d[\d,_]*)/,
  /(?:<=|less than) ?(\d[\d,_]*)/,
  /(\d[\d,_]*) maximum (?:context|model|prompt)/i,
  /(?:context|model|prompt|input|sequence)(?:'s)? (?:length|window|size|limit)(?! by\b)[^\d.]{0,40}?(\d[\d,_]*)/i,
  /(?:maximum|allowed|cannot exceed|at most|limit)(?! by\b)[^\d.]{0,40}?(\d[\d,_]*)/i,
];

/**
 * Returns the error for a provider's refusal of a prompt that is too long, with the window if the refusal
 * states it; undefined for any other failure. `told` is the SDK's error, or one inside a stream. Passes on
 * none of its text.
 */
export function windowRefusal(who: string, told: unknown): WindowExceeded | undefined {
  const text = textOf(told);
  if (!/exceed_context_size|context_length_exceeded/.test(text) && !(SUBJECT.test(text) && EXCESS.test(text)))
    return undefined;
  const figure = FIGURES.map((each) => Number(each.exec(text)?.[1]?.replaceAll(/[,_]/g, ''))).find(isWindow);
  const size = figure === undefined ? '' : ` of ${figure.toLocaleString('en')} tokens`;
  const message = `${who} refused the request, because it doesn't fit the model's context window${size}. Enlarge the window on the model server, or send less text.`;
  return new WindowExceeded(message, figure);
}

/** Returns the error's fields. An SDK's text repeats them, so the text counts only for an error without fields. */
function textOf(told: unknown): string {
  if (typeof told === 'string') return told.slice(0, MAX_READ);
  const { error = told instanceof Error ? told.message : told } = (told ?? {}) as { error?: unknown };
  return (JSON.stringify(error, withoutCodes) ?? '').slice(0, MAX_READ);
}

/**
 * Removes a number in a field of its own, such as a status or a count, unless the field's name shows that it
 * is the window.
 */
function withoutCodes(name: string, value: unknown): unknown {
  return typeof value === 'number' && name !== 'n_ctx' ? undefined : value;
}

/** Returns whether a number is within the range of windows. Other numbers count something else. */
function isWindow(tokens: number): boolean {
  return tokens >= 256 && tokens <= 100_000_000;
}
