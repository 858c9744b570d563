import { describe, expect, it } from '@jest/globals';
import { type DiskSpace, diskSpace } from '../../../lib/system/disk-space.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SPACE: DiskSpace = { bsize: 1, blocks: 9, bavail: 4, files: 0, ffree: 0 };

describe('diskSpace', () => {
  it('asks a disk that hangs once, however many callers wait for it, and again after its answer', async () => {
    const answers: PromiseWithResolvers<DiskSpace>[] = [];
    const ask = () => {
      const answer = Promise.withResolvers<DiskSpace>();
      answers.push(answer);
      return answer.promise;
    };
    const look = () => diskSpace('/hung', ask, 10);
    expect(await Promise.all([look(), look(), diskSpace(await tempFolder())])).toMatchObject([
      undefined,
      undefined,
      { bsize: expect.any(Number) },
    ]);
    const last = look();
    answers[0]?.resolve(SPACE);
    expect([await last, answers.length]).toEqual([SPACE, 1]);
    const next = look();
    answers[1]?.reject(new Error('it was unmounted'));
    expect([await next, answers.length]).toEqual([undefined, 2]);
  });
});
