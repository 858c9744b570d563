import * as z from 'zod';
import { isPathHere, NO_PATH_HERE } from '../api-contract/pasted.ts';
import { MAX_PATH_BYTES } from './confine.ts';

/**
 * Paths as the OpenAPI document describes them. The patterns document what lib/paths/confine.ts accepts, but
 * aren't checked here, because its messages are clearer than "does not match". Only the length is limited
 * here, before anything processes the path: normalizing 5.9 MB of `../` takes half a second.
 * lib/paths/confine.ts counts bytes, and a path has at least as many bytes as characters.
 */
const ANY = '[^/\\\\\\u0000-\\u001f\\u007f]';
const NOT_DOT = '[^./\\\\\\u0000-\\u001f\\u007f]';
/** A name: anything except `.` and `..`. */
const NAME = `(?:\\.{0,2}${NOT_DOT}${ANY}*|\\.{3}${ANY}*)`;
/** A path segment: a name, `.`, or nothing. */
const PART = `(?:${NAME}|\\.)?`;

const pathText = (pattern: string, description: string) =>
  z
    .string()
    .max(MAX_PATH_BYTES)
    .meta({ pattern: `^${pattern}$`, description });

/** A file or directory below the workspace root. */
export const entryPath = pathText(
  `(?:(?:${NAME}|\\.)/(?:${PART}/)*)?${NAME}/*`,
  "Path relative to the workspace, with `/` between its parts. It can't be the workspace itself.",
);

/** A path that names a file, so its last segment is a name. */
export const filePath = pathText(
  `(?:(?:${NAME}|\\.)/(?:${PART}/)*)?${NAME}`,
  'Path of a file relative to the workspace, with `/` between its parts.',
);

/** A file or directory, including the workspace itself (the empty path). */
export const anyPath = pathText(
  `(?:(?:${NAME}|\\.)(?:/${PART})*)?`,
  'Path relative to the workspace, with `/` between its parts. Empty for the workspace itself.',
);

const IN_ROOTS = `/?(?:(?:${NAME}|\\.)/(?:${PART}/)*)?${NAME}/*`;

/** A workspace's directory: relative to the first of WORKSPACE_ROOTS, or absolute and inside one of them. */
export const rootPath = pathText(
  IN_ROOTS,
  'Path inside WORKSPACE_ROOTS. A relative path starts at the first root.',
).refine(isPathHere, NO_PATH_HERE);

/** The same for a list, which starts with the roots themselves. */
export const listedPath = z
  .string()
  .max(MAX_PATH_BYTES)
  .refine(isPathHere, NO_PATH_HERE)
  .default('')
  .meta({ pattern: `^(?:${IN_ROOTS})?$` })
  .describe(
    'Path inside WORKSPACE_ROOTS, absolute or relative to the first root. Without it, the roots are listed.',
  );
