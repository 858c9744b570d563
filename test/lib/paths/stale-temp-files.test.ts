import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { withDirectory } from '../../../lib/paths/confine.ts';
import { moveAside, sweepTree, sweepUnfinished } from '../../../lib/paths/stale-temp-files.ts';
import { asideName, isTempName, tempName } from '../../../lib/paths/temp-name.ts';
import { makeTree } from '../../support/samples/tree.ts';

const MINUTE_MS = 60_000;
const WRITE = resolve(import.meta.dirname, '../../../lib/files/write.ts');
const KILLS = 8;

/** Returns the temporary files in a folder, as a cleanup sees them this much later. */
async function sweepAll(root: string, later: number): Promise<void> {
  await withDirectory(root, root, async (folder) => {
    for (const name of (await readdir(folder)).filter(isTempName))
      await sweepUnfinished(join(folder, name), Date.now() + later);
  });
}

describe('moved-aside file of a dead process', () => {
  it('is restored if nothing replaced it', async () => {
    const root = await makeTree({ 'papers/a.txt': 'a' });
    await moveAside(join(root, 'papers'));
    expect(await readdir(root)).toEqual([expect.stringMatching(/^\.wrs-.*\.old$/)]);
    await sweepAll(root, 2 * MINUTE_MS);
    expect(await readdir(root, { recursive: true })).toEqual(['papers', 'papers/a.txt']);
  });

  it('is removed if it was replaced', async () => {
    const root = await makeTree({ 'papers/old.txt': 'old', 'new/new.txt': 'new' });
    await moveAside(join(root, 'papers'));
    await rename(join(root, 'new'), join(root, 'papers'));
    await sweepAll(root, 2 * MINUTE_MS);
    expect(await readdir(root, { recursive: true })).toEqual(['papers', 'papers/new.txt']);
  });

  it('is kept while the replacement may still happen', async () => {
    const root = await makeTree({ 'papers/a.txt': 'a' });
    const aside = await moveAside(join(root, 'papers'));
    await sweepAll(root, 0);
    await aside.putBack();
    expect(await readdir(root, { recursive: true })).toEqual(['papers', 'papers/a.txt']);
  });

  it('is removed if it is empty or has several entries, which makes it invalid', async () => {
    const root = await makeTree({});
    const several = asideName();
    for (const name of [asideName(), `${several}/a`, `${several}/b`, tempName()])
      await mkdir(join(root, name), { recursive: true });
    await sweepAll(root, 120 * MINUTE_MS);
    expect((await readdir(root)).filter(isTempName)).toEqual([]);
  });
});

/** Replaces `target` by a directory repeatedly until it is killed. */
const REPLACER = `
import { mkdir, writeFile } from 'node:fs/promises';
const { move } = await import('${WRITE}');
const [root] = process.argv.slice(1);
for (let number = 1; ; number++) {
  await mkdir(root + '/next');
  await writeFile(root + '/next/whole.txt', 'whole ' + number);
  await move(root, 'next', 'target', true);
  if (number === 3) console.log('going');
}`;

it('directory that is being replaced is complete after every kill, in its old or its new version', async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const root = await makeTree({ 'target/whole.txt': 'whole 0' });
    const child = spawn(process.execPath, ['--input-type=module', '-e', REPLACER, root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await sleep(kill * 3);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await sweepAll(root, 2 * MINUTE_MS);
    expect(await readFile(join(root, 'target/whole.txt'), 'utf8')).toMatch(/^whole \d+$/);
    expect((await readdir(root)).filter(isTempName)).toEqual([]);
  }
});

/** Starts to write a file, and is killed during the write. */
const HALF_WRITER = `
import { writeStream } from ${JSON.stringify(WRITE)};
import { Readable } from 'node:stream';
const body = new Readable({ read() {} });
body.push('half');
writeStream(process.argv[1], 'node_modules/deep/a.bin', body).catch(() => {});
setInterval(() => body.push('x'.repeat(100_000)), 5);
`;

describe('process killed during a write', () => {
  it('leaves a file that the next cleanup removes immediately in any folder, and nothing else', async () => {
    const stranger = '.wrs-01234567-89ab-4def-8123-456789abcdef.tmp';
    const root = await makeTree({ 'a.txt': 'a', [stranger]: 'of another machine', '.wrs-notes.tmp': 'mine' });
    const outside = await makeTree({ [stranger]: 'outside' });
    await symlink(outside, join(root, 'link'));
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', HALF_WRITER, root]);
    const folder = join(root, 'node_modules/deep');
    const leftOver = async () => (await readdir(folder).catch(() => [])).filter(isTempName);
    while ((await leftOver()).length === 0) await sleep(20);
    await sweepTree(root);
    expect(await leftOver()).toHaveLength(1); // its writer is alive
    child.kill('SIGKILL');
    await once(child, 'exit');
    await utimes(join(outside, stranger), 0, 0);
    const own = tempName();
    await writeFile(join(root, own), 'being written');
    await sweepTree(root);
    expect(await leftOver()).toEqual([]);
    const kept = [own, stranger, '.wrs-notes.tmp', 'a.txt', 'link', 'node_modules'];
    expect(new Set(await readdir(root))).toEqual(new Set(kept));
    expect(await readdir(outside)).toEqual([stranger]);
  });
});
