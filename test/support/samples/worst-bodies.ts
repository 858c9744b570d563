/**
 * The most expensive request bodies of a caller, derived from a schema: each body targets a step whose time
 * may grow faster than the body, or that uses a core for long. They are created when they are sent: together
 * they are gigabytes.
 */
export interface WorstBody {
  name: string;
  make(): string | Buffer;
}

/** The parts of a JSON schema that are used here. */
export interface BodySchema {
  type?: string | string[];
  pattern?: string;
  properties?: Record<string, BodySchema>;
  items?: BodySchema;
  anyOf?: BodySchema[];
  oneOf?: BodySchema[];
  allOf?: BodySchema[];
  $ref?: string;
  additionalProperties?: BodySchema | boolean;
}

/** The position of a value in a body: names of fields, 0 for the entry of a list. */
type Place = (string | number)[];

const MOST_DEPTH = 5;
/** The service's limits, with some space for the rest of a body (lib/validation/bounded-json.ts). */
const MOST_VALUES = 99_000;
const MOST_NAMES = 4900;
const MOST_LEVELS = 90;

/**
 * Returns every body of the family, for a route with a JSON body. `bytes` is the approximate length of each
 * body.
 */
export function worstBodies(
  example: unknown,
  schema: BodySchema,
  components: Record<string, BodySchema>,
  bytes: number,
): WorstBody[] {
  const places = [...placesOf(schema, { components, open: [] })];
  return [
    ...refused(bytes),
    ...places.flatMap(({ place, patterns }) =>
      valuesFor(patterns, bytes).map(({ name, make }) => ({
        name: `${place.join('.') || 'body'}: ${name}`,
        make: () => put(example, place, make()),
      })),
    ),
    ...places
      .filter(({ isObject }) => isObject)
      .map(({ place }) => ({
        name: `${place.join('.') || 'body'}: unknown fields`,
        make: () => addFields(example, place),
      })),
  ];
}

/** Returns bodies over one of the limits, which must be rejected before they are parsed. */
function refused(bytes: number): WorstBody[] {
  return [
    { name: 'unknown fields without end', make: () => `{${fields(Math.floor(bytes / 12))}}` },
    { name: 'nested without end', make: () => '['.repeat(bytes) },
    { name: 'nested objects without end', make: () => '{"a":'.repeat(bytes / 5) },
    { name: 'numbers without end', make: () => `[${'1,'.repeat(bytes / 2)}1]` },
    { name: 'empty objects without end', make: () => `[${'{},'.repeat(bytes / 3)}1]` },
    { name: 'other names in each object', make: () => `[${otherNames(Math.floor(bytes / 14))}]` },
    { name: 'one field again and again', make: () => `{${'"a":1,'.repeat(bytes / 6)}"a":1}` },
    { name: 'control characters', make: () => '\u0001'.repeat(bytes) },
    { name: 'a string without end', make: () => `"${'\\"'.repeat(bytes / 2)}` },
    { name: 'blanks', make: () => `${' '.repeat(bytes)}1` },
    { name: 'digits', make: () => '9'.repeat(bytes) },
  ];
}

/** Returns JSON values as text, for a position. */
function valuesFor(patterns: string[], bytes: number): WorstBody[] {
  const shares = Math.floor(MOST_VALUES / 2);
  return [
    ...textsFor(patterns).map((piece) => ({
      name: `text of ${JSON.stringify(piece)}`,
      make: () => JSON.stringify(piece.repeat(bytes / (JSON.stringify(piece).length - 2))),
    })),
    { name: 'a long number', make: () => '9'.repeat(bytes) },
    { name: 'numbers', make: () => `[${'1,'.repeat(MOST_VALUES)}1]` },
    { name: 'empty objects', make: () => `[${'{},'.repeat(shares)}1]` },
    { name: 'texts', make: () => `[${'"x",'.repeat(MOST_VALUES)}1]` },
    {
      name: 'different texts',
      make: () => `[${Array.from({ length: MOST_VALUES }, (_, at) => `"v${at}"`)}]`,
    },
    { name: 'fields', make: () => `{${fields(MOST_NAMES)}}` },
    { name: 'nested', make: () => '['.repeat(MOST_LEVELS) + ']'.repeat(MOST_LEVELS) },
    {
      name: 'objects of a few fields',
      make: () => `[${Array.from({ length: shares / 5 }, () => '{"type":1,"text":1,"id":1,"x":1}')}]`,
    },
  ];
}

/** Returns repetitions that are slow in patterns, starting with the parts of a pattern in the schema. */
function textsFor(patterns: string[]): string[] {
  const named = patterns.flatMap((pattern) => pattern.match(/[a-z0-9/._ -]/gi) ?? []);
  return [...new Set([...named.slice(0, 2), 'x', ' ', '../', '\u0000'])];
}

function fields(count: number): string {
  return Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
}

function otherNames(count: number): string {
  return Array.from({ length: count }, (_, at) => `{"k${at}":1}`).join(',');
}

interface Walk {
  components: Record<string, BodySchema>;
  open: string[];
}

interface Found {
  place: Place;
  patterns: string[];
  isObject: boolean;
}

/** Yields every field of the schema, and the first entry of every list. */
function* placesOf(schema: BodySchema, walk: Walk, place: Place = []): Generator<Found> {
  const forms = formsOf(schema, walk);
  yield {
    place,
    patterns: forms.flatMap(({ pattern }) => pattern ?? []),
    isObject: forms.some(({ properties }) => properties !== undefined),
  };
  if (place.length >= MOST_DEPTH) return;
  const seen = new Set<string>();
  for (const { properties = {}, items } of forms) {
    for (const [name, field] of Object.entries(properties)) {
      if (!seen.has(name)) yield* placesOf(field, walk, [...place, name]);
      seen.add(name);
    }
    if (items !== undefined) yield* placesOf(items, walk, [...place, 0]);
  }
}

function formsOf(schema: BodySchema, { components, open }: Walk): BodySchema[] {
  const { $ref: reference, anyOf, oneOf, allOf } = schema;
  if (reference !== undefined) {
    const found = components[reference.replace('#/components/schemas/', '')];
    if (found === undefined || open.includes(reference)) return [];
    return formsOf(found, { components, open: [...open, reference] });
  }
  const several = [anyOf, oneOf, allOf].flatMap((each) => each ?? []);
  return [schema, ...several.flatMap((each) => formsOf(each, { components, open }))];
}

/** Returns the example as text, with this JSON text at the position. */
function put(example: unknown, place: Place, json: string | Buffer): string {
  const mark = '\u{F0000}hole';
  return JSON.stringify(setAt(example, place, mark)).replace(JSON.stringify(mark), () => String(json));
}

function addFields(example: unknown, place: Place): string {
  const mark = '\u{F0000}hole';
  const at = place.reduce(
    (value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key],
    example,
  );
  const body = setAt(example, place, { ...(at as object), [mark]: 1 });
  return JSON.stringify(body).replace(`${JSON.stringify(mark)}:1`, () => fields(MOST_NAMES));
}

function setAt(value: unknown, [key, ...rest]: Place, put: unknown): unknown {
  if (key === undefined) return put;
  if (key === 0) return [setAt((value as unknown[] | undefined)?.[0], rest, put)];
  const object = typeof value === 'object' && value !== null ? value : {};
  return { ...object, [key]: setAt((object as Record<string, unknown>)[key], rest, put) };
}
