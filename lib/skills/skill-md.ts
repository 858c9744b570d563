import { CORE_SCHEMA, dump, load, YAMLException } from 'js-yaml';
import { InvalidInput } from '../errors.ts';
import { invalidInput } from '../validation/describe-issues.ts';
import { type PortableSkill, portableSkillSchema } from './schema.ts';
import { translateTools } from './tool-names.ts';

/**
 * Limits of the parser: no aliases (with which a few lines could expand to gigabytes), and no deeper nesting
 * than the parameters' options have.
 */
const LIMITS = { schema: CORE_SCHEMA, maxAliases: 0, maxDepth: 10 };
/**
 * More characters than the fields of a skill need. The parser takes longer per character than any other
 * parser of the service.
 */
const MAX_FRONT_CHARACTERS = 400_000;
const END = /\n---[ \t]*(?:\n|$)/;

/**
 * Writes the skill as a SKILL.md: YAML front matter, an empty line, the prompt, a line break. readSkillMarkdown is its inverse.
 */
export function writeSkillMarkdown({ systemPrompt, ...skill }: PortableSkill): string {
  const front = defined({
    name: skill.name,
    slug: skill.slug,
    description: skill.description,
    'allowed-tools': skill.allowedTools ?? undefined,
    enabled: skill.isEnabled ? undefined : false,
    parameters: unlessEmpty(skill.parameters.map(writeParameter)),
    steps: unlessEmpty(skill.steps.map(writeStep)),
  });
  return `---\n${dump(front, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true })}---\n\n${systemPrompt}\n`;
}

function writeParameter({
  defaultValue,
  options,
  placeholder,
  ...rest
}: PortableSkill['parameters'][number]) {
  return defined({ ...rest, default: defaultValue, options, placeholder });
}

function writeStep({ instruction, toolHint }: PortableSkill['steps'][number]) {
  return defined({ instruction, 'tool-hint': toolHint });
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function unlessEmpty<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items;
}

/**
 * Reads SKILL.md files of this service and of other assistants: unknown fields in the front matter are
 * ignored, and tools may be a list or comma-separated text. Throws InvalidInput, whose message starts with
 * `place`.
 */
export function readSkillMarkdown(text: string, place: string): PortableSkill {
  const { front, prompt } = split(text, place);
  const fields = readFront(front, place);
  const written = {
    ...defined({
      name: fields.name ?? undefined,
      slug: fields.slug ?? undefined,
      description: fields.description ?? undefined,
      allowedTools: readTools(fields['allowed-tools']),
      isEnabled: fields.enabled ?? undefined,
      parameters: readList(fields.parameters, readParameter),
      steps: readList(fields.steps, readStep),
    }),
    systemPrompt: prompt,
  };
  const parsed = portableSkillSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error, portableSkillSchema, written, 'skill', `${place} isn't a valid skill. `);
}

/** Splits front matter and prompt. Of the line breaks, removes only the one that writing adds on each side. */
function split(text: string, place: string): { front: string; prompt: string } {
  const plain = /^\uFEFF?---[ \t]*\r\n/.test(text) ? text.replaceAll('\r\n', '\n') : text;
  const opening = /^\uFEFF?---[ \t]*(?=\n)/.exec(plain)?.[0];
  if (opening === undefined)
    throw new InvalidInput('skill_file_invalid', `${place} must begin with a line --- to be a SKILL.md.`, {
      field: place,
    });
  const rest = plain.slice(opening.length);
  const end = END.exec(rest);
  if (end === null)
    throw new InvalidInput('skill_file_invalid', `${place} has front matter without a closing line ---.`, {
      field: place,
    });
  if (end.index > MAX_FRONT_CHARACTERS)
    throw new InvalidInput(
      'skill_file_invalid',
      `${place} has front matter of more than ${MAX_FRONT_CHARACTERS.toLocaleString('en-US')} characters. Shorten it.`,
      { field: place },
    );
  const prompt = rest
    .slice(end.index + end[0].length)
    .replace(/^\n/, '')
    .replace(/\n$/, '');
  return { front: rest.slice(0, end.index), prompt };
}

function readFront(front: string, place: string): Record<string, unknown> {
  const fields = parseYaml(front, place);
  if (isObject(fields)) return fields;
  throw new InvalidInput('skill_file_invalid', `${place} has front matter that isn't a list of fields.`, {
    field: place,
  });
}

function parseYaml(front: string, place: string): unknown {
  try {
    return load(front, LIMITS);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? '' : ` (line ${error.mark.line + 1})`;
    throw new InvalidInput(
      'skill_file_invalid',
      `${place} has front matter that isn't valid YAML: ${error.reason.slice(0, 200)}${line}.`,
      { field: place },
    );
  }
}

function readTools(tools: unknown): unknown {
  if (typeof tools === 'string') return translateTools(splitTools(tools));
  if (!Array.isArray(tools)) return tools ?? undefined;
  return tools.every((name) => typeof name === 'string') ? translateTools(tools) : tools;
}

/**
 * Splits at commas, or at spaces if there are no commas. Within `Bash(git log, git diff)`, neither splits.
 */
function splitTools(text: string): string[] {
  const outside = text.replace(/\([^()]*\)/g, '');
  return outside.split(outside.includes(',') ? ',' : /\s+/).flatMap((name) => name.trim() || []);
}

function readList(list: unknown, read: (item: unknown) => unknown): unknown {
  return Array.isArray(list) ? list.map(read) : (list ?? undefined);
}

function readParameter(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { default: defaultValue, ...rest } = item;
  return defined({ label: rest.name, type: 'string', required: false, ...rest, defaultValue });
}

function readStep(item: unknown): unknown {
  if (!isObject(item)) return typeof item === 'string' ? { instruction: item } : item;
  const { 'tool-hint': toolHint, ...rest } = item;
  return defined({ ...rest, toolHint });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
