import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { diskSecrets } from '../../../lib/adapters/disk/secrets.ts';
import { describeSecrets } from '../../contract/secrets.contract.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describeSecrets('Disk', async () => {
  const file = join(await tempFolder(), 'data', 'secrets.json');
  return [diskSecrets(file), diskSecrets(file)];
});

describe('diskSecrets', () => {
  it('restricts its file to the user of the service and leaves no temporary file', async () => {
    const folder = await tempFolder();
    await diskSecrets(join(folder, 'secrets.json')).set('a', 'v');
    expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
    const left = (await readdir(folder)).filter((name) => !name.startsWith('service.sqlite'));
    expect(left).toEqual(['secrets.json']);
  });

  it('removes the temporary file of a killed write', async () => {
    const file = join(await tempFolder(), 'secrets.json');
    await diskSecrets(file).set('a', 'v');
    await writeFile(`${file}.019a0b6e.tmp`, '{"a":"v"}');
    await diskSecrets(file).set('b', 'v');
    expect((await readdir(join(file, '..'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('keeps all secrets of concurrent writes', async () => {
    const file = join(await tempFolder(), 'secrets.json');
    const names = Array.from({ length: 200 }, (_, index) => `name-${index}`);
    await Promise.all(names.map((name) => diskSecrets(file).set(name, name)));
    for (const name of names) expect(await diskSecrets(file).get(name)).toBe(name);
  });
});
