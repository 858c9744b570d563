import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { removeOldBuilds, useBuild } from '../../../infra/local/build-cache.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const MODULE = resolve(import.meta.dirname, '../../../infra/local/build-cache.ts');
let builds: string;

/** Creates eight builds; `a` is the oldest. */
beforeEach(async () => {
  builds = await tempFolder();
  for (const [at, name] of [...'abcdefgh'].entries()) await makeBuild(name, at);
});

async function makeBuild(name: string, age: number): Promise<void> {
  await mkdir(join(builds, name));
  await writeFile(join(builds, name, 'host.mjs'), 'export {};');
  await makeOld(name, age);
}

const makeOld = (name: string, age: number) => utimes(join(builds, name), 1000 + age, 1000 + age);

/** Starts a process that uses a build until it's killed. */
async function startUser(name: string): Promise<ChildProcess> {
  const script = `import { useBuild } from ${JSON.stringify(MODULE)};
    console.log(useBuild(${JSON.stringify(join(builds, name))}));
    process.stdin.resume();
    process.stdin.once('end', () => process.exit());`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  whenDone(async () => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  expect(String(said).trim()).toBe('true');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const kept = async () => (await readdir(builds)).sort().join(' ');

describe('removeOldBuilds', () => {
  it('keeps the newest four unused builds', async () => {
    removeOldBuilds(builds);
    expect(await kept()).toBe('e f g h');
  });

  it('keeps the complete build of each running process, however old the build is', async () => {
    for (const name of ['a', 'b']) await startUser(name);
    for (const name of ['a', 'b']) await makeOld(name, 0);
    removeOldBuilds(builds);
    expect(await kept()).toBe('a b e f g h');
    expect(await readdir(join(builds, 'a'))).toContain('host.mjs');
  });

  it('removes the build of a killed process', async () => {
    const user = await startUser('a');
    await kill(user);
    await makeOld('a', 0);
    removeOldBuilds(builds);
    expect(await kept()).toBe('e f g h');
  });

  it('keeps a build until the last of its processes has ended', async () => {
    const [first, second] = [await startUser('a'), await startUser('a')];
    await kill(first);
    await makeOld('a', 0);
    removeOldBuilds(builds);
    expect(await kept()).toBe('a e f g h');
    second.stdin?.end();
    await once(second, 'exit');
    await makeOld('a', 0);
    removeOldBuilds(builds);
    expect(await kept()).toBe('e f g h');
  });

  it('removes the files of killed builds, but not of a build in progress', async () => {
    const builder = await startUser('h');
    await makeBuild(`x.${builder.pid}`, 0);
    removeOldBuilds(builds);
    expect(await kept()).toBe(`d e f g h x.${builder.pid}`);
    await kill(builder);
    removeOldBuilds(builds);
    expect(await kept()).toBe('e f g h');
  });

  it('restores a build that a killed removal moved aside while a process started to use it', async () => {
    const remover = await startUser('h');
    await makeBuild(`x.${remover.pid}`, 0);
    await startUser(`x.${remover.pid}`);
    await kill(remover);
    removeOldBuilds(builds);
    expect(await kept()).toContain('x');
    expect(await readdir(join(builds, 'x'))).toContain('host.mjs');
  });
});

describe('useBuild', () => {
  it('rejects a deleted build', () => {
    expect(useBuild(join(builds, 'none'))).toBe(false);
  });

  it('leaves no mark when its process exits', async () => {
    const user = await startUser('a');
    user.stdin?.end();
    await once(user, 'exit');
    expect(await readdir(join(builds, 'a', 'users'))).toEqual([]);
  });

  it("uses a build that it can't mark, as in a read-only checkout", async () => {
    await writeFile(join(builds, 'a', 'users'), '');
    expect(useBuild(join(builds, 'a'))).toBe(true);
  });
});
