import { Conflict, DiskFull, InvalidInput, NotFound, ServiceError, TooLarge } from '../errors.ts';

/** What the file system's refusals mean to a caller; never the system's own text, which holds absolute paths. */
const ANSWERS: Record<string, () => ServiceError> = {
  ENOENT: () => new NotFound('not_found', 'path: no such file or directory'),
  ENOTDIR: () => new NotFound('not_found', 'path: a part of it is not a directory'),
  EISDIR: () => new InvalidInput('invalid_value', 'path: is a directory'),
  EEXIST: () => new Conflict('conflict', 'path: exists already'),
  ENOTEMPTY: () => new Conflict('conflict', 'path: the directory is not empty'),
  ENAMETOOLONG: () => new InvalidInput('invalid_value', 'path: too long'),
  ELOOP: () => new InvalidInput('invalid_value', 'path: is a link, or runs in a circle of links'),
  EINVAL: () => new InvalidInput('invalid_value', 'path: not possible for this path'),
  EILSEQ: () => new InvalidInput('invalid_value', 'path: not a name this file system can hold'),
  ENXIO: () => new InvalidInput('invalid_value', 'path: not a regular file'),
  ENODEV: () => new InvalidInput('invalid_value', 'path: not a regular file'),
  EACCES: () => new ServiceError('file_system_denied', 'path: the file system does not permit it'),
  EPERM: () => new ServiceError('file_system_denied', 'path: the file system does not permit it'),
  EROFS: () => new ServiceError('file_system_read_only', 'path: the file system is read-only'),
  EBUSY: () => new Conflict('conflict', 'path: in use'),
  ETXTBSY: () => new Conflict('conflict', 'path: in use'),
  EFBIG: () => new TooLarge('too_large', 'the file is too large for the file system'),
  EXDEV: () => new Conflict('conflict', 'path: lies on another file system'),
  EMFILE: () =>
    new ServiceError('server_busy', 'too many files are open: try again', {
      headers: { 'retry-after': '1' },
    }),
  ENFILE: () =>
    new ServiceError('server_busy', 'too many files are open: try again', {
      headers: { 'retry-after': '1' },
    }),
  ENOSPC: () => new DiskFull(),
  EDQUOT: () => new DiskFull(),
};

/** Throws the error for the caller; what is not a refusal of the file system is thrown on as it is. */
export function fileError(error: unknown): never {
  const answer = ANSWERS[(error as NodeJS.ErrnoException | undefined)?.code ?? ''];
  throw answer === undefined ? error : answer();
}

/** For a catch: undefined where there is nothing of that name. */
export function noneIfMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
}

/** Whether the system refused for one of these reasons. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
