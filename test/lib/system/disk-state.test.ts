import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { diskWatch } from '../../../lib/system/disk-state.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('diskWatch', () => {
  it('checks the disk once per five seconds, for any number of callers', async () => {
    let now = 0;
    const folder = await tempFolder();
    const watched = [{ path: folder, scratch: join(folder, 'tried') }];
    const look = diskWatch(
      async () => watched,
      () => now,
    );
    const first = look();
    expect(['ok', 'low']).toContain(await first);
    expect(look()).toBe(first);
    now = 5000;
    expect(look()).not.toBe(first);
  });

  it('does not treat a missing folder as a full disk', async () => {
    const path = join(await tempFolder(), 'none');
    const look = diskWatch(async () => [{ path }]);
    expect(await look()).toBe('ok');
  });
});
