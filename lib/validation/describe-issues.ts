import type * as z from 'zod';
import { InvalidInput } from '../errors.ts';
import { closestMatch } from './closest-match.ts';
import { fieldsAt, messageFor } from './schema-messages.ts';

const MOST_ISSUES = 5;
const MOST_CHARACTERS = 1000;

type Issue = z.core.$ZodIssue;

interface Checked {
  schema: z.ZodType;
  value: unknown;
  /** How messages name the whole value. */
  place: string;
}

/**
 * Describes what is wrong with a value, for its sender: `title is missing; limit: must be a whole number from 1 to 200; tile:
 * is not known; did you mean title?` At most five issues. `place` is how messages name the whole value.
 */
export function describeIssues(error: z.ZodError, schema: z.ZodType, value: unknown, place: string): string {
  const texts: string[] = [];
  for (const text of describeEach(error.issues, { schema, value, place })) {
    texts.push(text);
    if (texts.length === MOST_ISSUES) break;
  }
  return texts.join(' ').slice(0, MOST_CHARACTERS);
}

/** Returns the error for an invalid value, with the code and the field of its first issue. */
export function invalidInput(
  error: z.ZodError,
  schema: z.ZodType,
  value: unknown,
  place: string,
  prefix = '',
): InvalidInput {
  const checked = { schema, value, place };
  const [first] = error.issues;
  const path = first === undefined ? [] : pathOf(first, checked);
  const field = path.length === 0 ? undefined : nameOf(path, checked);
  const message = prefix + describeIssues(error, schema, value, place);
  return new InvalidInput(codeOf(first, path, value), message, { field });
}

/** Returns the path of an issue. If several forms are possible, returns that of the closest form's field. */
function pathOf(issue: Issue, checked: Checked): PropertyKey[] {
  const { code, path } = issue;
  if (code === 'unrecognized_keys') return [...path, ...issue.keys.slice(0, 1)];
  const [inner] = (code === 'invalid_union' && isZodsOwn(issue) && nearestOf(issue.errors)) || [];
  if (inner === undefined || valueAt(checked.value, path) === undefined) return path;
  return [...path, ...pathOf(inner, { ...checked, value: valueAt(checked.value, path) })];
}

function codeOf(issue: Issue | undefined, path: PropertyKey[], value: unknown) {
  if (issue?.code === 'unrecognized_keys') return 'unknown_field';
  if (issue?.code !== 'custom' && valueAt(value, path) === undefined) return 'missing_value';
  return 'invalid_value';
}

/** A generator, because a malicious value can have a hundred thousand issues, and only five are read. */
function* describeEach(issues: Issue[], checked: Checked): Generator<string> {
  for (const issue of issues) yield* describeIssue(issue, checked);
}

function* describeIssue(issue: Issue, checked: Checked): Generator<string> {
  const { code, path } = issue;
  if (code === 'unrecognized_keys') {
    for (const key of issue.keys) yield describeUnknown([...path, key], checked);
    return;
  }
  const nearest = code === 'invalid_union' && isZodsOwn(issue) ? nearestOf(issue.errors) : undefined;
  if (nearest === undefined || valueAt(checked.value, path) === undefined) {
    yield describeOne(issue, checked);
    return;
  }
  for (const each of nearest) yield* describeIssue({ ...each, path: [...path, ...each.path] }, checked);
}

function describeOne(issue: Issue, checked: Checked): string {
  const { code, path } = issue;
  const name = nameOf(path, checked);
  if (code !== 'custom' && valueAt(checked.value, path) === undefined) return `${name} is required.`;
  if (!isZodsOwn(issue)) return `${name} ${issue.message}.`;
  if (code === 'invalid_key') return `${name} isn't a valid name.`;
  return `${name} ${messageFor(issue, fieldsAt(checked.schema, path))}.`;
}

function describeUnknown(path: PropertyKey[], checked: Checked): string {
  const known = fieldsAt(checked.schema, path.slice(0, -1)).flatMap(({ properties = {} }) =>
    Object.keys(properties),
  );
  const meant = closestMatch(String(path.at(-1)), known);
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${nameOf(path, checked)} isn't a known field.${guess}`;
}

function nameOf(path: PropertyKey[], { place }: Checked): string {
  return (
    path
      .map(String)
      .join('.')
      .slice(0, MOST_CHARACTERS / 4) || place
  );
}

/**
 * Returns whether a message is zod's own. Messages of the service's schemas are already written for callers.
 */
function isZodsOwn({ message }: Issue): boolean {
  return /^(Invalid |Too (small|big): )|^Invalid input$/.test(message);
}

/** Returns the closest of several forms: one of the right kind with the fewest missing fields. */
function nearestOf(forms: Issue[][]): Issue[] | undefined {
  const fitting = forms.filter((issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0));
  return fitting.sort((one, other) => one.length - other.length)[0];
}

/** Returns the value at a path. Within a text, which a schema has decoded, that is the text. */
function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce(
    (at: unknown, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : at),
    value,
  );
}
