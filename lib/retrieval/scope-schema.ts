import * as z from 'zod';
import { anyPath } from '../paths/path-schema.ts';

export const MAX_SCOPE_PATHS = 100;
const MAX_TYPES = 150;

/**
 * The files and folders to which a question is limited. Undefined for the whole workspace, which the empty
 * path means.
 */
export const scopePaths = z
  .array(anyPath)
  .min(1)
  .max(MAX_SCOPE_PATHS)
  .transform(toPaths)
  .describe(
    `Files and folders to search in, relative to the workspace. A folder includes everything below it. At most ${MAX_SCOPE_PATHS}.`,
  );

/** The same paths in a query, one per line: a name may contain a comma, but rarely a line break. */
export const scopeLines = z
  .string()
  .transform((text) => text.split('\n').filter((line) => line !== ''))
  .pipe(z.array(anyPath).max(MAX_SCOPE_PATHS))
  .transform(toPaths)
  .optional()
  .describe(
    `Files and folders to search in, one per line. A folder includes everything below it. At most ${MAX_SCOPE_PATHS}.`,
  );

export const scopeTypes = z
  .string()
  .regex(/^[a-zA-Z0-9]{1,16}(?:,[a-zA-Z0-9]{1,16})*$/, 'must be extensions without dots, separated by commas')
  .refine((types) => types.split(',').length <= MAX_TYPES, `must have at most ${MAX_TYPES} extensions`)
  .transform((text) => text.toLowerCase().split(','))
  .optional()
  .describe('Extensions of the files to search in, such as `pdf,docx`.');

/** Returns a path in the index's form. One with `..` segments stays, but matches no file. */
export function plainPath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function toPaths(paths: string[]): string[] | undefined {
  const plain = paths.map(plainPath);
  return plain.length === 0 || plain.includes('') ? undefined : [...new Set(plain)];
}
