import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import { DiskFull, InvalidInput, NotFound, UpstreamFailed } from '../../lib/errors.ts';
import { errorText, isDiskFull, knownError } from '../../lib/known-error.ts';

const FULL = 'The disk is full. Free some space, then try again.';

function withCode(code: string, errcode?: number): Error {
  return Object.assign(new Error('a secret path'), { code, errcode });
}

/** Returns SQLite's own error if its file can't grow. */
function sqliteFull(): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (x); PRAGMA max_page_count = 3');
  try {
    database.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100_000));
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
}

describe('knownError', () => {
  it.each([
    ['ENOSPC of the file system', withCode('ENOSPC')],
    ['EDQUOT', withCode('EDQUOT')],
    ['SQLITE_FULL', sqliteFull()],
    ['SQLITE_IOERR_WRITE', withCode('ERR_SQLITE_ERROR', 778)],
    ['SQLITE_IOERR_SHMSIZE', withCode('ERR_SQLITE_ERROR', 4874)],
    [
      "LanceDB's message",
      new Error('LanceError(IO): Generic error: No space left on device (os error 28), io.rs:1'),
    ],
    [
      'a wrapper',
      new UpstreamFailed('upstream_failed', 'git failed', {
        cause: new Error('x', { cause: withCode('ENOSPC') }),
      }),
    ],
    ['one of several', new AggregateError([new Error('y'), withCode('ENOSPC')])],
  ])('recognizes a full disk by %s', (_name, error) => {
    expect(knownError(error)).toBeInstanceOf(DiskFull);
    expect([knownError(error)?.status, errorText(error)]).toEqual([507, FULL]);
  });

  it.each([
    ['SQLITE_BUSY', withCode('ERR_SQLITE_ERROR', 5)],
    ['SQLITE_IOERR_READ', withCode('ERR_SQLITE_ERROR', 266)],
    ['another failure', withCode('EIO')],
    ['a message that only mentions it', new Error('No space left on device')],
    ['nothing', undefined],
  ])('treats %s as an internal error, not as a full disk', (_name, error) => {
    expect([isDiskFull(error), knownError(error), errorText(error)]).toEqual([
      false,
      undefined,
      'Something went wrong in the service. Try again.',
    ]);
  });

  it('keeps an error with its own status, whatever its text is', () => {
    const quoting = new InvalidInput('invalid_value', 'path: (os error 28)');
    expect(knownError(quoting)).toBe(quoting);
    expect(errorText(new NotFound('not_found', 'This note does not exist.'))).toBe(
      'This note does not exist.',
    );
  });

  it('ends if the causes are circular', () => {
    const circle = new Error('round');
    circle.cause = circle;
    expect(isDiskFull(circle)).toBe(false);
  });
});
