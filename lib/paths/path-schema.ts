import * as z from 'zod';
import { MAX_PATH_BYTES } from './confine.ts';

/**
 * Paths as the OpenAPI document describes them. The patterns say what lib/paths/confine.ts accepts, without checking it
 * here: its refusals are clearer than "does not match". Only the length has a limit here, before anything walks the path:
 * `../` repeated to 5.9 MB takes half a second to normalize. Lengths are counted in bytes there, which are never fewer.
 */
const ANY = '[^/\\\\\\u0000-\\u001f\\u007f]';
const NOT_DOT = '[^./\\\\\\u0000-\\u001f\\u007f]';
/** A name: anything but `.` and `..`. */
const NAME = `(?:\\.{0,2}${NOT_DOT}${ANY}*|\\.{3}${ANY}*)`;
/** What may stand between slashes: a name, `.`, or nothing. */
const PART = `(?:${NAME}|\\.)?`;

const pathText = (pattern: string, description: string) =>
  z
    .string()
    .max(MAX_PATH_BYTES)
    .meta({ pattern: `^${pattern}$`, description });

/** A file or directory below the root of the workspace. */
export const entryPath = pathText(
  `(?:(?:${NAME}|\\.)/(?:${PART}/)*)?${NAME}/*`,
  "Path relative to the workspace, with `/` between its parts. It can't be the workspace itself.",
);

/** What is written as a file: its last part is a name. */
export const filePath = pathText(
  `(?:(?:${NAME}|\\.)/(?:${PART}/)*)?${NAME}`,
  'Path of a file relative to the workspace, with `/` between its parts.',
);

/** A file or directory, the workspace itself too (the empty path). */
export const anyPath = pathText(
  `(?:(?:${NAME}|\\.)(?:/${PART})*)?`,
  'Path relative to the workspace, with `/` between its parts. Empty for the workspace itself.',
);

/** A workspace's directory: relative to the first of WORKSPACE_ROOTS, or absolute and inside one of them. */
export const rootPath = pathText(
  `/?(?:(?:${NAME}|\\.)/(?:${PART}/)*)?${NAME}/*`,
  'Path inside WORKSPACE_ROOTS. A relative path starts at the first root.',
);
