import type * as z from 'zod';

export type ReadJson<Data> = { success: true; data: Data } | { success: false; error: string };

/** Reads the JSON object of a model's answer, whatever text surrounds it. */
export function readModelJson<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): ReadJson<z.output<Schema>> {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return { success: false, error: 'it contains no JSON object' };
  try {
    const parsed = schema.safeParse(JSON.parse(text.slice(start, end + 1)));
    if (parsed.success) return { success: true, data: parsed.data };
    const [issue] = parsed.error.issues;
    return { success: false, error: `${issue?.path.join('.')}: ${issue?.message}` };
  } catch (error) {
    return { success: false, error: String(error).slice(0, 200) };
  }
}
