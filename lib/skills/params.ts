import { InvalidInput } from '../errors.ts';
import { fitsParameter, type Skill, type SkillParameter } from './schema.ts';

const MAX_VALUE_LENGTH = 10_000;

/** Values, keyed by the names of the skill's parameters. */
export type ParamValues = Record<string, string | number | boolean>;

/** Returns the text for each parameter in the prompt. Throws one InvalidInput that names every missing or wrong value. */
export function readParams({ parameters }: Skill, values: ParamValues): Map<string, string> {
  const given = new Map(Object.entries(values));
  const known = new Set(parameters.map(({ name }) => name));
  const unknown = [...given.keys()]
    .filter((name) => !known.has(name))
    .map((name) => `${name} isn't a parameter of this skill`);
  const wrong = parameters.flatMap((parameter) => problemOf(parameter, given.get(parameter.name)) ?? []);
  const problems = [...wrong, ...unknown];
  if (problems.length > 0)
    throw new InvalidInput(
      'skill_params_invalid',
      `paramValues doesn't fit the skill: ${problems.join('; ').slice(0, 1000)}.`,
      { field: 'paramValues' },
    );
  return new Map(
    parameters.map((parameter) => [parameter.name, textOf(parameter, given.get(parameter.name))]),
  );
}

function problemOf(parameter: SkillParameter, given: ParamValues[string] | undefined): string | undefined {
  const { name, type, options = [] } = parameter;
  const value = given ?? parameter.defaultValue;
  if (value === undefined || (value === '' && parameter.required))
    return parameter.required ? `${name} is required` : undefined;
  if (type === 'select' && !fitsParameter(parameter, value))
    return `${name} must be one of ${options.join(', ').slice(0, 300)}`;
  if (!fitsParameter(parameter, value)) return `${name} must be a ${type}`;
  if (String(value).length > MAX_VALUE_LENGTH)
    return `${name} can have at most ${MAX_VALUE_LENGTH} characters`;
  return undefined;
}

function textOf({ defaultValue = '' }: SkillParameter, given: ParamValues[string] | undefined): string {
  return String(given ?? defaultValue).replace(CONTROL, '');
}
/** All control characters except tab and line feed, because they could hide parts of a prompt. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
