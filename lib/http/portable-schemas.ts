import type { oas31 } from 'zod-openapi';

type Schema = oas31.SchemaObject;
export type Node = oas31.SchemaObject | oas31.ReferenceObject;
type Schemas = Record<string, Node>;

/** Formats that say everything that the pattern next to them says. */
const SAID_BY_FORMAT = new Set(['date', 'date-time', 'time']);
const MAX_INT32 = 2 ** 31 - 1;
const RENAMED = /_|^abstract$/;

/**
 * Converts a schema to forms that all client generators support. Some of them compare a pattern with a date
 * that they have parsed, treat the constant `true` as a string and an integer without a format as 32 bits, or
 * generate code for a date or a time that doesn't compile.
 */
export function portable(node: Node): Node {
  if ('$ref' in node) return node;
  return withParts(
    withoutRenamed(withNullType(withOneText(withoutConst(withFormat(withPlainId(node)))))),
    portable,
  );
}

/**
 * Removes an ID's format. Requests accept any text as an ID, and a client that parses an ID in a response as
 * its language's UUID couldn't send it back.
 */
function withPlainId(schema: Schema): Schema {
  if (schema.format !== 'uuid') return schema;
  const { format: _, pattern: __, ...rest } = schema;
  return rest;
}

function withFormat({ pattern, allOf, propertyNames: _, ...rest }: Schema): Schema {
  const isSaid = SAID_BY_FORMAT.has(rest.format ?? '');
  return {
    ...rest,
    ...(pattern !== undefined && !isSaid && { pattern }),
    ...(allOf !== undefined && !(isSaid && allOf.every(isPattern)) && { allOf }),
    ...(isLong(rest) && { format: 'int64' }),
  };
}

function isPattern(node: Node): boolean {
  return Object.keys(node).join() === 'pattern';
}

function isLong({ type, format, maximum = Number.POSITIVE_INFINITY, enum: values }: Schema): boolean {
  return type === 'integer' && format === undefined && values === undefined && maximum > MAX_INT32;
}

function withoutConst(schema: Schema): Schema {
  if (!('const' in schema)) return schema;
  const { const: value, ...rest } = schema;
  if (typeof value === 'boolean') return { ...rest, type: 'boolean' };
  return { ...rest, type: typeof value === 'number' ? 'integer' : 'string', enum: [value] };
}

/**
 * Converts a union of strings in several formats (a day or a time) to one string, whose description names the formats.
 */
function withOneText(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined || !anyOf.every(isText)) return schema;
  return { ...rest, type: 'string' };
}

const PLAIN_TYPES = ['string', 'number', 'integer', 'array'];

/**
 * Converts a value or null to one schema with two types. If it were a union of two schemas, openapi-generator
 * would make equal schemas with the same description nullable everywhere.
 */
function withNullType(schema: Schema): Schema {
  const [value, none, ...more] = schema.anyOf ?? [];
  if (value === undefined || '$ref' in value || value.enum !== undefined || more.length > 0) return schema;
  const isPlain = typeof value.type === 'string' && PLAIN_TYPES.includes(value.type);
  if (!isPlain || JSON.stringify(none) !== '{"type":"null"}') return schema;
  const { anyOf: _, default: usual, ...rest } = schema;
  // An omitted field is null by default; Go generators convert this default to a string.
  const kept = usual !== undefined && usual !== null && { default: usual };
  return { ...portable(value), ...rest, ...kept, type: [value.type, 'null'] as Schema['type'] };
}

function isText(node: Node): boolean {
  return !('$ref' in node) && node.type === 'string' && node.enum === undefined;
}

/**
 * Makes a required field optional if a language renames it (a reserved word, or a name with an underscore),
 * because the type guards that openapi-generator writes for TypeScript don't compile for it.
 */
function withoutRenamed({ required, ...rest }: Schema): Schema {
  if (required === undefined) return rest;
  return { ...rest, required: required.filter((name) => !RENAMED.test(name)) };
}

/** Returns the schema with each direct subschema changed; `step` is the subschema's position. */
function withParts(schema: Schema, change: (part: Node, step: string) => Node): Schema {
  const { properties, items, additionalProperties } = schema;
  const changed: Schema = { ...schema };
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => [name, change(field as Node, name)]);
    changed.properties = Object.fromEntries(fields);
  }
  if (typeof items === 'object') changed.items = change(items as Node, 'items');
  if (typeof additionalProperties === 'object')
    changed.additionalProperties = change(additionalProperties as Node, 'value');
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const)
    if (schema[key] !== undefined) changed[key] = schema[key].map((each) => change(each as Node, ''));
  return changed;
}

/**
 * Makes each list of values and each object inside a schema a component, so that no generator invents a name.
 * The name is its title or, without one, the fields that lead to it (`Research.counts` is `ResearchCounts`).
 * Throws if two different components would have the same name; one of them then needs a title.
 */
export class NamedParts {
  readonly components: Schemas;
  /**
   * Schemas that are named by their position, each with that position. The same schema in the same position
   * of another component has the same name.
   */
  private readonly byPlace = new Map<string, string>();

  constructor(components: Schemas) {
    this.components = { ...components };
    for (const [name, schema] of Object.entries(components))
      this.components[name] = this.nameWithin(schema, [name]);
  }

  /** Returns the schema with references instead of its parts. Without a path, only parts with titles get names. */
  nameWithin(node: Node, path: string[] = []): Node {
    if ('$ref' in node) return node;
    return withParts(node, (part, step) => {
      const at = path.length === 0 || step === '' ? path : [...path, step];
      return this.name(this.nameWithin(part, at), at);
    });
  }

  /** Names the parts of a body, a response, or a parameter, and the schema itself if it has a title. */
  nameAll(node: Node): Node {
    return this.name(this.nameWithin(node), []);
  }

  private name(node: Node, path: string[]): Node {
    if ('$ref' in node || !isNameable(node)) return node;
    const { title, description, default: usual, ...schema } = node;
    const name = title ?? this.nameOfPlace(schema, path);
    if (name === undefined) return node;
    this.add(name, schema);
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description !== undefined && { description }),
      ...(usual !== undefined && { default: usual }),
    } as Node;
  }

  private nameOfPlace(schema: Schema, path: string[]): string | undefined {
    if (path.length < 2) return undefined;
    const place = `${path.slice(1).join('.')} ${JSON.stringify(schema)}`;
    const known = this.byPlace.get(place) ?? nameOf(path);
    this.byPlace.set(place, known);
    return known;
  }

  private add(name: string, schema: Schema): void {
    const known = this.components[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas would be called ${name}: give one of them a title of its own`);
    this.components[name] = schema;
  }
}

function isNameable({ type, title, properties, enum: values }: Schema): boolean {
  if (title !== undefined) return true;
  if (values !== undefined) return type === 'string';
  return type === 'object' && properties !== undefined;
}

/** Returns a name, such as `ResearchSection` for `['Research', 'sections', 'items']`. */
function nameOf(path: string[]): string {
  const words = path.flatMap((step, at) => {
    if (step === 'items' || step === 'value') return [];
    const isMany = path[at + 1] === 'items' || path[at + 1] === 'value';
    return [isMany ? singular(step) : step];
  });
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function singular(word: string): string {
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
