import type { Step } from './tour.ts';

/** The part of the OpenAPI document that determines the names in generated clients. */
export interface NamedOperations {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  tags: string[];
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/**
 * Returns the tour as a program for openapi-fetch, with the types that openapi-typescript writes to
 * `schema.d.ts`.
 */
export function openapiFetchTour(document: NamedOperations, steps: Step[]): string {
  const imports = `import createClient from 'openapi-fetch';
import type { paths } from './schema.js';`;
  const setup = `
const client = createClient<paths>({ baseUrl: url });

function got<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (data === undefined) throw new Error(\`\${response.status} \${JSON.stringify(error)}\`);
  return data;
}`;
  return program({ imports, setup }, steps, (step) => {
    const { verb, path, operation } = find(document, step);
    const options = [
      ...parametersOf(path, step),
      ...(step.body === undefined ? [] : [`body: ${literal(step.body)}`]),
      ...(isStream(operation) ? [`parseAs: 'text'`] : []),
    ];
    return `got(await client.${verb}('${path}'${options.length === 0 ? '' : `, { ${options.join(', ')} }`}))`;
  });
}

/**
 * Returns the tour as a program for the client that `openapi-generator -g typescript-fetch` creates in the
 * folder `client`.
 */
export function typescriptFetchTour(document: NamedOperations, steps: Step[]): string {
  const imports = `import * as api from './client/index.js';`;
  const setup = 'const configuration = new api.Configuration({ basePath: url });';
  return program({ imports, setup }, steps, (step) => {
    const { operation } = find(document, step);
    const { operationId, tags } = operation;
    const fields = Object.entries(step.params ?? {}).map(([name, value]) => `${name}: ${literal(value)}`);
    if (step.body !== undefined) fields.push(`${bodyName(operation)}: ${literal(step.body)}`);
    const given = fields.length === 0 ? '' : `{ ${fields.join(', ')} }`;
    return `await new api.${capital(tags[0] ?? '')}Api(configuration).${operationId}(${given})`;
  });
}

/** Runs each step in its own function, so that the tour continues after a failed step. */
function program(
  { imports, setup }: { imports: string; setup: string },
  steps: Step[],
  call: (step: Step) => string,
): string {
  const names = steps.flatMap(({ keeps = {} }) => Object.keys(keeps));
  const told = steps.map((step) => {
    const kept = Object.entries(step.keeps ?? {}).map(([name, field]) => `${name} = answer.${field};`);
    return `await step('${step.operation}', async () => {
  ${kept.length === 0 ? '' : 'const answer = '}${call(step)};
  ${kept.join('\n  ')}
});`;
  });
  return `${imports}

const [, , url = '', folder = ''] = process.argv;
const conversation = \`tour-\${folder}\`;
let passed = 0;
${names.map((name) => `let ${name} = '';`).join('\n')}
${setup}

async function step(operation: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
    passed += 1;
  } catch (error) {
    console.log('FAIL', operation, String(error));
    process.exitCode = 1;
  }
}

${told.join('\n')}
console.log(\`\${passed} of ${steps.length} calls\`);
`;
}

function find({ paths }: NamedOperations, { operation: name }: Step) {
  const [verb = '', path = ''] = name.split(' ');
  const operation = paths[path]?.[verb.toLowerCase()];
  if (operation === undefined) throw new Error(`the document has no ${name}`);
  return { verb, path, operation };
}

function parametersOf(path: string, { params = {} }: Step): string[] {
  const all = Object.entries(params);
  const places = [
    ['path', all.filter(([name]) => path.includes(`{${name}}`))] as const,
    ['query', all.filter(([name]) => !path.includes(`{${name}}`))] as const,
  ];
  const used = places.filter(([, fields]) => fields.length > 0);
  const texts = used.map(([place, fields]) => `${place}: ${literal(Object.fromEntries(fields))}`);
  return texts.length === 0 ? [] : [`params: { ${texts.join(', ')} }`];
}

function isStream({ responses }: Operation): boolean {
  return responses['200']?.content?.['text/event-stream'] !== undefined;
}

/** Returns the name of a body: the component's name, or otherwise the operation's. */
function bodyName({ operationId, requestBody }: Operation): string {
  const reference = requestBody?.content['application/json']?.schema.$ref;
  const name = reference?.split('/').at(-1) ?? `${operationId}Request`;
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Returns a value in TypeScript; `$name` becomes the variable with that name. */
function literal(value: unknown): string {
  if (typeof value === 'string' && value.startsWith('$')) return value.slice(1);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, field]) => `${name}: ${literal(field)}`)
    .join(', ')} }`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
