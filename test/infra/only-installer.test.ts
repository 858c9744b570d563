import { expect, it } from '@jest/globals';
import { asOnlyInstaller } from '../../infra/only-installer.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('asOnlyInstaller rejects a second installation while the first runs, and allows the next one after a failure', async () => {
  const folder = await tempFolder();
  const first = Promise.withResolvers<void>();
  const installing = asOnlyInstaller(folder, () => first.promise);
  await expect(
    asOnlyInstaller(folder, async () => {
      throw new Error('not reached');
    }),
  ).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('is running') });
  first.reject(new Error('npm failed'));
  await expect(installing).rejects.toThrow('npm failed');
  expect(await asOnlyInstaller(folder, async () => 'installed')).toBe('installed');
});
