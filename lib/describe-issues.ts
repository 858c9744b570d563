import type * as z from 'zod';

const MOST_ISSUES = 5;
const MOST_CHARACTERS = 1000;

/**
 * What is wrong with a value, for whoever sent it: `title is missing; body: unrecognized key "pth"`. At most five things.
 * `place` is what the value as a whole is called.
 */
export function describeIssues(error: z.ZodError, value: unknown, place: string): string {
  const texts = error.issues.map((issue) => describeIssue(issue, value, place));
  return texts.slice(0, MOST_ISSUES).join('; ').slice(0, MOST_CHARACTERS);
}

function describeIssue({ code, path, message }: z.core.$ZodIssue, value: unknown, place: string): string {
  const name = path.join('.') || place;
  const isMissing = code !== 'custom' && valueAt(value, path) === undefined;
  return isMissing ? `${name} is missing` : `${name}: ${message}`;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce(
    (at: unknown, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}
