import type { ErrorCode } from '../error-codes.ts';
import { Conflict, DiskFull, InvalidInput, NotFound, ServiceError, TooLarge } from '../errors.ts';

/** Error codes of routes with a path: file system errors and confinement errors. */
export const PATH_ERRORS = [
  'directory_not_empty',
  'file_system_denied',
  'file_system_read_only',
  'file_too_large',
  'invalid_path',
  'is_a_directory',
  'not_a_directory',
  'not_a_file',
  'parent_not_a_directory',
  'path_exists',
  'path_in_use',
  'path_not_found',
  'path_on_other_file_system',
  'path_outside_workspace',
] as const satisfies ErrorCode[];

export function invalidPath(message: string): InvalidInput {
  return new InvalidInput('invalid_path', message, { field: 'path' });
}

const notRegular = () => new InvalidInput('not_a_file', "path isn't a regular file.", { field: 'path' });
const denied = () =>
  new ServiceError('file_system_denied', 'path is protected by the file system.', { field: 'path' });
const inUse = () => new Conflict('path_in_use', 'path is in use. Try again later.', { field: 'path' });
const tooManyOpen = () =>
  new ServiceError('server_busy', 'Too many files are open. Try again.', {
    headers: { 'retry-after': '1' },
  });
const full = () => new DiskFull();

/**
 * Errors for the caller by the file system's code. They never contain the system's own text, because it has
 * absolute paths.
 */
const ANSWERS: Record<string, () => ServiceError> = {
  ENOENT: () => new NotFound('path_not_found', 'path does not exist.', { field: 'path' }),
  ENOTDIR: () =>
    new NotFound('parent_not_a_directory', "path has a part that isn't a directory.", { field: 'path' }),
  EISDIR: () => new InvalidInput('is_a_directory', 'path is a directory.', { field: 'path' }),
  EEXIST: () => new Conflict('path_exists', 'path already exists.', { field: 'path' }),
  ENOTEMPTY: () => new Conflict('directory_not_empty', "path isn't an empty directory.", { field: 'path' }),
  ENAMETOOLONG: () => invalidPath('path is too long.'),
  ELOOP: () => invalidPath('path is a link, or part of a circle of links.'),
  EINVAL: () => invalidPath("path can't be used this way."),
  EILSEQ: () => invalidPath("path has a name that this file system can't store."),
  ENXIO: notRegular,
  ENODEV: notRegular,
  EACCES: denied,
  EPERM: denied,
  EROFS: () =>
    new ServiceError('file_system_read_only', 'path is on a read-only file system.', { field: 'path' }),
  EBUSY: inUse,
  ETXTBSY: inUse,
  EFBIG: () => new TooLarge('file_too_large', 'The file is too large for the file system.'),
  EXDEV: () =>
    new Conflict('path_on_other_file_system', 'path is on another file system.', { field: 'path' }),
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
  ENOSPC: full,
  EDQUOT: full,
};

/** Throws the error for the caller; any other error is rethrown unchanged. */
export function fileError(error: unknown): never {
  const answer = ANSWERS[(error as NodeJS.ErrnoException | undefined)?.code ?? ''];
  throw answer === undefined ? error : answer();
}

/** For a catch: returns undefined if nothing has that name. */
export function noneIfMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
}

/** Returns whether the system refused with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
