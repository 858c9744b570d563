import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/sync.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { personEnvironment, runWrs, startWrs } from '../support/wrs.ts';

const folder = join(await realpath(await tempFolder()), 'papers');
await mkdir(folder);

async function serve() {
  const env = { ...(await personEnvironment()), PORT: '0', CONSOLE: 'off' };
  const { child, ended } = startWrs(['serve', folder], { env });
  let text = '';
  child.stdout?.on('data', (part: string) => (text += part));
  const findUrl = async () => /^listening\s+(\S+)/m.exec(text)?.[1];
  const url = await eventually(findUrl, (found) => found !== undefined);
  return { child, ended, url: url ?? '', env };
}

const isGone = (url: string) =>
  eventually(
    () =>
      fetch(`${url}/api/health`).then(
        () => false,
        () => true,
      ),
    Boolean,
  );

describe('wrs serve', () => {
  it('starts the service for a folder, which other commands then use, and ends it with a signal', async () => {
    const { child, ended, url, env } = await serve();
    const listed = await fetch(`${url}/api/system/folders?path=${encodeURIComponent(folder)}`);
    expect(await listed.json()).toMatchObject({ folder: { path: folder, state: 'free' } });
    expect((await runWrs(['search', 'owls'], { env, cwd: folder })).code).toBe(0);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(130);
    await isGone(url);
  }, 60_000);

  it('leaves no service if it is killed', async () => {
    const { child, url } = await serve();
    child.kill('SIGKILL');
    await isGone(url);
  }, 60_000);

  it('names a missing folder', async () => {
    const { code, stderr } = await runWrs(['serve', '/absent'], { env: await personEnvironment() });
    expect([code, stderr]).toEqual([2, 'wrs: /absent does not exist.\n']);
  });
});
