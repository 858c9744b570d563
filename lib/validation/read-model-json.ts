import * as z from 'zod';
import { endOfJson, isBoundedJson } from './bounded-json.ts';

export type ReadJson<Data> = { success: true; data: Data } | { success: false; error: string };

/** Maximum braces to try as the object's start, because the words before it may contain some. */
const MAX_BEGINNINGS = 10;

/**
 * Reads the JSON object in a model's answer, whatever text surrounds it: a fence, words before and after,
 * reasoning. Of several objects, returns the first that matches the schema.
 */
export function readModelJson<Schema extends z.ZodType>(
  schema: Schema,
  answer: string,
): ReadJson<z.output<Schema>> {
  const text = answer.replace(/^\s*<(think|thought|thinking)>[\s\S]*?<\/\1>/, '');
  const last = text.lastIndexOf('}') + 1;
  let failed: ReadJson<never> | undefined;
  let start = text.indexOf('{');
  for (let tried = 0; tried < MAX_BEGINNINGS && start !== -1 && start < last; tried++) {
    const end = endOfJson(text, start);
    const read = readObject(schema, text.slice(start, end === -1 ? last : end));
    if (read.success) return read;
    failed ??= read;
    start = text.indexOf('{', start + 1);
  }
  return failed ?? { success: false, error: 'it contains no JSON object' };
}

/** More spaces than the indentation of any JSON's last line. */
const MAX_BLANKS = 50;

/**
 * Returns whether an answer's object is complete and followed by many spaces. Some models then write line
 * breaks until their limit.
 */
export function isOnlyBlankNow(answer: string): boolean {
  if (answer.length < MAX_BLANKS || answer.slice(-MAX_BLANKS).trim() !== '') return false;
  const start = answer.indexOf('{');
  return start !== -1 && endOfJson(answer, start) !== -1;
}

/**
 * Constraints that are checked only when an answer is read, because the grammars of model servers are slow
 * with them or reject them.
 */
const FIGURES = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'format'];

/**
 * Returns the schema to request from a model, for a server that can enforce it. It also requires fields that
 * have a default.
 */
export function modelJsonForm(name: string, schema: z.ZodType) {
  const { $schema: _, ...form } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      for (const figure of FIGURES) Reflect.deleteProperty(jsonSchema, figure);
      if (jsonSchema.properties === undefined) return;
      const defaults = Object.entries(jsonSchema.properties).filter(([, field]) => isDefault(field));
      jsonSchema.required = [...(jsonSchema.required ?? []), ...defaults.map(([key]) => key)];
      jsonSchema.additionalProperties = false;
    },
  });
  return { name: name.replace(/[^\w-]/g, '_'), schema: form };
}

function isDefault(field: unknown): boolean {
  return typeof field === 'object' && field !== null && 'default' in field;
}

function readObject<Schema extends z.ZodType>(schema: Schema, json: string): ReadJson<z.output<Schema>> {
  if (!isBoundedJson(json)) return { success: false, error: 'it is too complex' };
  try {
    const parsed = schema.safeParse(JSON.parse(json));
    if (parsed.success) return { success: true, data: parsed.data };
    const [issue] = parsed.error.issues;
    return { success: false, error: `${issue?.path.join('.')}: ${issue?.message}` };
  } catch (error) {
    return { success: false, error: withoutQuote(String(error)) };
  }
}

/**
 * Removes the text that the parser quotes, because people and logs get the message, and the text may be a
 * secret from the files.
 */
function withoutQuote(message: string): string {
  return message.replace(/, (?:\.{3})?"[\s\S]*"(?:\.{3})? is not valid JSON$/, ' in JSON').slice(0, 200);
}
