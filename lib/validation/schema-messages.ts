import * as z from 'zod';

/** The parts of a JSON Schema that messages use. */
export interface Field {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Field>;
  additionalProperties?: Field | boolean;
  items?: Field | boolean;
  prefixItems?: Field[];
  anyOf?: Field[];
  oneOf?: Field[];
  allOf?: Field[];
  $ref?: string;
  $defs?: Record<string, Field>;
}

type Issue = z.core.$ZodIssue;

const MOST_VALUES = 20;
const MOST_DEPTH = 20;

/** Cached per schema, so that invalid requests cost little. */
const made = new WeakMap<z.ZodType, Field>();

function documentOf(schema: z.ZodType): Field {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Field;
  made.set(schema, document);
  return document;
}

/** Returns every schema allowed at a path of a value; empty if the schema doesn't say. */
export function fieldsAt(schema: z.ZodType, path: PropertyKey[]): Field[] {
  const document = documentOf(schema);
  return path.reduce<Field[]>(
    (fields, key) => fields.flatMap((field) => below(field, key).flatMap((each) => forms(document, each))),
    forms(document, document),
  );
}

function below({ properties, additionalProperties, items, prefixItems }: Field, key: PropertyKey): Field[] {
  const found =
    typeof key === 'number'
      ? (prefixItems?.[key] ?? items)
      : properties !== undefined && Object.hasOwn(properties, key)
        ? properties[String(key)]
        : additionalProperties;
  return typeof found === 'object' ? [found] : [];
}

/** Returns the alternatives of a field that may have several forms. */
function forms(document: Field, field: Field, depth = 0): Field[] {
  if (depth > MOST_DEPTH) return [];
  const open = (each: Field) => forms(document, each, depth + 1);
  if (field.$ref !== undefined) {
    const found = field.$ref === '#' ? document : document.$defs?.[field.$ref.replace('#/$defs/', '')];
    return found === undefined ? [] : open(found);
  }
  const several = field.anyOf ?? field.oneOf;
  // Next to a type, these only add constraints.
  if (several !== undefined && field.type === undefined) return several.flatMap(open);
  if (field.allOf !== undefined && field.type === undefined) return field.allOf.flatMap(open);
  return [field];
}

/** Describes what a value must be: `must be a whole number from 1 to 200`. */
export function messageFor(issue: Issue, fields: Field[]): string {
  if (issue.code === 'invalid_value') return mustBe(valueMessages(issue));
  // The JSON Schema of a field with a pattern of its own has no format.
  const format = issue.code === 'invalid_format' ? FORMATS[NAMES[issue.format] ?? issue.format] : undefined;
  if (format !== undefined) return mustBe([format]);
  const kind = kindOf(issue);
  const ofKind = fields.filter((field) => kind === undefined || isOf(field, kind));
  const meant = ofKind.length > 0 && issue.code === 'invalid_type' ? fields : ofKind;
  const words = [...new Set(meant.flatMap(fieldMessages))];
  return words.length > 0 ? mustBe(words) : issueMessage(issue, kind);
}

function mustBe(words: string[]): string {
  const shown = words.length > MOST_VALUES ? [...words.slice(0, MOST_VALUES), 'others'] : words;
  const last = shown.at(-1) ?? '';
  return `must be ${shown.length === 1 ? last : `${shown.slice(0, -1).join(', ')} or ${last}`}`;
}

function valueMessages({ values, ...issue }: z.core.$ZodIssueInvalidValue): string[] {
  // z.stringbool accepts a dozen words, but naming two is enough.
  return 'expected' in issue && issue.expected === 'stringbool' ? ['true', 'false'] : values.map(String);
}

/** Returns the JSON Schema type that the value should have had. */
function kindOf(issue: Issue): string | undefined {
  const kind = issue.code === 'invalid_type' ? issue.expected : 'origin' in issue ? issue.origin : undefined;
  return kind === 'int' ? 'integer' : kind === 'record' ? 'object' : kind;
}

function isOf({ type = [] }: Field, kind: string): boolean {
  const types = [type].flat();
  return types.includes(kind) || (kind === 'number' && types.includes('integer'));
}

/** Zod's own names of formats. */
const NAMES: Record<string, string> = { datetime: 'date-time', url: 'uri', guid: 'uuid' };
const FORMATS: Record<string, string> = {
  uuid: 'an ID (a UUID)',
  date: 'a date, YYYY-MM-DD',
  'date-time': 'a time, as 2026-01-31T10:00:00Z',
  uri: 'a URL',
  email: 'an email address',
};

/** Returns the constraints of a field; empty if it has none. */
function fieldMessages(field: Field): string[] {
  if (field.enum !== undefined) return field.enum.map(String);
  if (field.const !== undefined) return [String(field.const)];
  return [field.type ?? []].flat().flatMap((type) => (TYPES[type] ? [TYPES[type](field)] : []));
}

const TYPES: Record<string, (field: Field) => string> = {
  string: (field) =>
    FORMATS[field.format ?? ''] ??
    `text${counted(field.minLength, field.maxLength, 'character')}${field.pattern === undefined ? '' : ` that matches ${field.pattern}`}`,
  integer: (field) => `a whole number${range(field)}`,
  number: (field) => `a number${range(field)}`,
  boolean: () => 'true or false',
  array: ({ minItems, maxItems }) => `a list${counted(minItems, maxItems, 'entry')}`,
  object: () => 'an object',
  null: () => 'null',
};

function counted(least = 0, most: number | undefined, thing: string): string {
  const things = (count: number) =>
    `${count.toLocaleString('en-US')} ${count === 1 ? thing : thing.replace(/y$/, 'ie')}${count === 1 ? '' : 's'}`;
  if (most === undefined) return least === 0 ? '' : ` of at least ${things(least)}`;
  if (least === most) return ` of ${things(most)}`;
  return least === 0
    ? ` of at most ${things(most)}`
    : ` of ${least.toLocaleString('en-US')} to ${things(most)}`;
}

/** Describes a range, omitting the implicit bounds of a whole number. */
function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Field): string {
  const least = told(minimum);
  const most = told(maximum);
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  const ends = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
    ...(exclusiveMaximum === undefined ? [] : [`below ${exclusiveMaximum}`]),
  ];
  return ends.length === 0 ? '' : `, ${ends.join(' and ')}`;
}

function told(bound: number | undefined): string | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : String(bound);
}

/** Describes the issue itself, for fields whose schema isn't specific enough (derived values). */
function issueMessage(issue: Issue, kind: string | undefined): string {
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  const words = kind === undefined || issue.code !== 'invalid_type' ? [] : fieldMessages({ type: kind });
  return words.length > 0 ? mustBe(words) : 'is invalid';
}
