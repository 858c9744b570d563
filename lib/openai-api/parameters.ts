import * as z from 'zod';
import { InvalidInput } from '../errors.ts';

/**
 * Parameters that a request may have although they change nothing, with their accepted values. Null always
 * means the default. A parameter that is neither in this table nor in the schema of the body is refused.
 */
type Accepted = Record<string, z.ZodType>;

/** Values that don't affect the answer: labels, caching, scheduling, and hints about speed. */
const ANY = z.unknown();
const NOTHING = z.union([z.literal(0), z.literal(false), z.literal(''), z.tuple([]), z.strictObject({})]);
const TEXT = z.looseObject({ type: z.literal('text') });

/** The documented defaults of OpenAI's API, which the service also uses. */
const SAMPLING: Accepted = { temperature: z.literal(1), top_p: z.literal(1), top_logprobs: NOTHING };

const LABELS: Accepted = {
  ...{ user: ANY, safety_identifier: ANY, metadata: ANY, prompt_cache_key: ANY },
  ...{ prompt_cache_retention: ANY, prompt_cache_options: ANY, service_tier: ANY },
};

/** Functions that a client offers. A model needn't call them, and a notice says that none was called. */
const TOOLS: Accepted = {
  tools: z.array(z.looseObject({ type: z.literal('function') })),
  tool_choice: z.enum(['none', 'auto']),
  parallel_tool_calls: ANY,
};

export const COMPLETION_PARAMETERS: Accepted = {
  ...{ ...SAMPLING, ...LABELS, ...TOOLS },
  n: z.literal(1),
  store: z.literal(false),
  ...{ presence_penalty: NOTHING, frequency_penalty: NOTHING, logit_bias: NOTHING, logprobs: NOTHING },
  ...{ stop: NOTHING, functions: NOTHING, function_call: z.enum(['none', 'auto']) },
  response_format: TEXT,
  modalities: z.tuple([z.literal('text')]),
  prediction: ANY,
  verbosity: z.literal('medium'),
};

/** Optional parts of the output that these answers never have, so that nothing is missing. */
const ABSENT = z.array(z.enum(['reasoning.encrypted_content', 'file_search_call.results']));

export const RESPONSE_PARAMETERS: Accepted = {
  ...{ ...SAMPLING, ...LABELS, ...TOOLS },
  max_tool_calls: ANY,
  include: ABSENT,
  background: z.literal(false),
  truncation: z.literal('auto'),
  text: z.looseObject({ format: TEXT.nullish(), verbosity: z.literal('medium').nullish() }),
  reasoning: NOTHING,
};

/** Returns whether a request offers tools, of which an answer calls none. */
export function offersTools(body: Record<string, unknown>): boolean {
  return Array.isArray(body.tools) && body.tools.length > 0;
}

/** Throws InvalidInput for a parameter, or a value, that should change the answer but isn't supported. */
export function requireSupported(
  body: Record<string, unknown>,
  known: z.ZodObject,
  accepted: Accepted,
): void {
  for (const [name, value] of Object.entries(body)) {
    if (Object.hasOwn(known.shape, name) || value === null || value === undefined) continue;
    const schema = Object.hasOwn(accepted, name) ? accepted[name] : undefined;
    if (schema?.safeParse(value).success) continue;
    const what = schema === undefined ? 'this parameter' : 'this value';
    throw unsupported(name, `doesn't support ${what}`);
  }
}

/** Maximum characters of a name that an error message repeats. */
const MAX_NAME = 200;

/** Returns the refusal of a field of the request. */
export function unsupported(name: string, why: string): InvalidInput {
  const field = name.slice(0, MAX_NAME).toWellFormed();
  return new InvalidInput('unsupported_parameter', `${field}: the service ${why}. Remove it.`, { field });
}
