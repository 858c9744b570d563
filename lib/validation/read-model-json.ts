import type * as z from 'zod';

export type ReadJson<Data> = { success: true; data: Data } | { success: false; error: string };

/** A brace in the words before the object begins none. */
const MAX_BEGINNINGS = 10;

/** Reads the JSON object of a model's answer, whatever text surrounds it. */
export function readModelJson<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): ReadJson<z.output<Schema>> {
  const end = text.lastIndexOf('}') + 1;
  let failed: ReadJson<never> | undefined;
  let start = text.indexOf('{');
  for (let tried = 0; tried < MAX_BEGINNINGS && start !== -1 && start < end; tried++) {
    const read = readObject(schema, text.slice(start, end));
    if (read.success) return read;
    failed ??= read;
    start = text.indexOf('{', start + 1);
  }
  return failed ?? { success: false, error: 'it contains no JSON object' };
}

function readObject<Schema extends z.ZodType>(schema: Schema, json: string): ReadJson<z.output<Schema>> {
  try {
    const parsed = schema.safeParse(JSON.parse(json));
    if (parsed.success) return { success: true, data: parsed.data };
    const [issue] = parsed.error.issues;
    return { success: false, error: `${issue?.path.join('.')}: ${issue?.message}` };
  } catch (error) {
    return { success: false, error: withoutQuote(String(error)) };
  }
}

/** The parser quotes the text around its place, which may be a secret of the files: the message reaches people and logs. */
function withoutQuote(message: string): string {
  return message.replace(/, (?:\.{3})?"[\s\S]*"(?:\.{3})? is not valid JSON$/, ' in JSON').slice(0, 200);
}
