const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const MAX_DEPTH = 6;
const MAX_NODES = 200;
const MAX_DESCRIPTION = 300;
const MAX_CHOICES = 50;
/** Maximum characters as JSON, because each step sends all of it to the model. */
const MAX_CHARACTERS = 8000;
const PROPERTY = /^[\w.-]{1,64}$/;

type Json = Record<string, unknown>;

/**
 * Reduces an untrusted JSON schema to what the model needs: types, properties, choices, and descriptions,
 * with limits on depth and number. Omits patterns, references, and anything else that could slow down a
 * validator or make a provider refuse the request; the server checks its input itself. Undefined if the
 * schema isn't an object's, or is too large.
 */
export function plainSchema(schema: unknown): Json | undefined {
  const budget = { nodes: MAX_NODES };
  const plain = isObject(schema) ? rebuild(schema, MAX_DEPTH, budget) : undefined;
  if (plain === undefined || budget.nodes < 0) return undefined;
  // Because of choices or items here, or an array without items below, providers refuse a request, and so the
  // run.
  const { enum: _choices, items: _items, ...rest } = plain;
  const whole = { ...rest, type: 'object', properties: plain.properties ?? {} };
  return JSON.stringify(whole).length > MAX_CHARACTERS ? undefined : whole;
}

function rebuild(schema: Json, depth: number, budget: { nodes: number }): Json {
  const plain = rebuildAny(schema, depth, budget);
  return plain.type === 'array' ? { items: {}, ...plain } : plain;
}

function rebuildAny(schema: Json, depth: number, budget: { nodes: number }): Json {
  budget.nodes -= 1;
  if (depth === 0 || budget.nodes < 0) return {};
  const inner = (value: unknown) => (isObject(value) ? rebuild(value, depth - 1, budget) : {});
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const known = properties.filter(([name]) => PROPERTY.test(name)).slice(0, MAX_NODES);
  const names = known.map(([name]) => name);
  return {
    ...typeOf(schema),
    ...(typeof schema.description === 'string' && {
      description: schema.description.slice(0, MAX_DESCRIPTION),
    }),
    ...choicesOf(schema),
    ...(known.length > 0 && {
      properties: Object.fromEntries(known.map(([name, value]) => [name, inner(value)])),
    }),
    ...(Array.isArray(schema.required) && {
      required: names.filter((name) => includes(schema.required, name)),
    }),
    ...(isObject(schema.items) && { items: inner(schema.items) }),
  };
}

function typeOf({ type }: Json): Json {
  if (typeof type === 'string' && TYPES.includes(type)) return { type };
  const [first] = Array.isArray(type) ? type.filter((each) => TYPES.includes(String(each))) : [];
  return first === undefined ? {} : { type: first };
}

function choicesOf({ type, enum: choices }: Json): Json {
  if (type !== undefined && type !== 'string') return {};
  if (!Array.isArray(choices) || choices.length === 0 || choices.length > MAX_CHOICES) return {};
  const isShort = (choice: unknown) =>
    typeof choice === 'string' && choice !== '' && choice.length <= MAX_DESCRIPTION;
  return choices.every(isShort) ? { enum: choices } : {};
}

function includes(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
