import { Conflict, DiskFull, InvalidInput, NotFound, ServiceError, TooLarge } from '../errors.ts';

/** What file system errors mean to a caller; never the system's own text, which contains absolute paths. */
const ANSWERS: Record<string, () => ServiceError> = {
  ENOENT: () => new NotFound('path: no such file or directory'),
  ENOTDIR: () => new NotFound('path: a part of it is not a directory'),
  EISDIR: () => new InvalidInput('path: is a directory'),
  EEXIST: () => new Conflict('path: exists already'),
  ENOTEMPTY: () => new Conflict('path: the directory is not empty'),
  ENAMETOOLONG: () => new InvalidInput('path: too long'),
  ELOOP: () => new InvalidInput('path: is a link, or runs in a circle of links'),
  EINVAL: () => new InvalidInput('path: not possible for this path'),
  EILSEQ: () => new InvalidInput('path: not a name this file system can hold'),
  ENXIO: () => new InvalidInput('path: not a regular file'),
  ENODEV: () => new InvalidInput('path: not a regular file'),
  EACCES: () => new ServiceError(403, 'path: the file system does not permit it'),
  EPERM: () => new ServiceError(403, 'path: the file system does not permit it'),
  EROFS: () => new ServiceError(403, 'path: the file system is read-only'),
  EBUSY: () => new Conflict('path: in use'),
  ETXTBSY: () => new Conflict('path: in use'),
  EFBIG: () => new TooLarge('the file is too large for the file system'),
  EXDEV: () => new Conflict('path: lies on another file system'),
  EMFILE: () =>
    new ServiceError(503, 'too many files are open: try again', { headers: { 'retry-after': '1' } }),
  ENFILE: () =>
    new ServiceError(503, 'too many files are open: try again', { headers: { 'retry-after': '1' } }),
  ENOSPC: () => new DiskFull(),
  EDQUOT: () => new DiskFull(),
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
