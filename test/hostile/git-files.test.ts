import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readGitConfig } from '../../lib/adapters/git/git-config.ts';
import { startService } from '../support/service.ts';
import { makeWorkspace } from '../support/workspace.ts';

const MB = 1024 ** 2;
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const [program, script] = await Promise.all([startService(), startService({ PATH: '/nonexistent' })]);

/** A folder that looks like a clone on a branch `main` without commits. */
async function makeClone(root: string): Promise<void> {
  await rm(join(root, '.git'), { recursive: true, force: true });
  await mkdir(join(root, '.git/objects/pack'), { recursive: true });
  await mkdir(join(root, '.git/refs/heads'), { recursive: true });
  await writeFile(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(root, '.git/config'), '[remote "origin"]\n\turl = https://example.org/a/b\n');
}

/** Writes lines up to a limit, then a hole, which takes no disk space. */
async function writeMany(file: string, line: string, bytes: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, 'w');
  const block = line.repeat(Math.ceil(MB / line.length));
  await handle.write(block);
  await handle.truncate(bytes);
  await handle.close();
}

describe.each([
  ['the Git program', program],
  ['JavaScript', script],
])('Git status by %s', (_how, service) => {
  it.each([
    ['packed-refs', 250 * MB, `${COMMIT} refs/heads/x\n`],
    ['packed-refs', 250 * MB, 'x'],
    ['config', 50 * MB, '[core]\n\ta = b\n'],
    ['HEAD', 250 * MB, 'ref: '],
    ['index', 250 * MB, 'DIRC'],
    ['shallow', 50 * MB, `${COMMIT}\n`],
    ['info/exclude', 50 * MB, '*.x\n'],
    ['refs/heads/main', 50 * MB, COMMIT],
  ])(
    'rejects a .git/%s of %i bytes, and the service continues with little memory',
    async (name, bytes, line) => {
      const { id, root } = await makeWorkspace(service);
      await makeClone(root);
      await writeMany(join(root, '.git', name), line, bytes);
      const { status, body } = await service.call<{ error: string }>(
        'GET',
        `/api/git/status?workspaceId=${id}`,
      );
      expect([status, body.error]).toEqual([413, expect.stringContaining(`.git/${name} is over`)]);
      expect((await service.call('GET', '/api/health')).status).toBe(200);
      await rm(join(root, '.git'), { recursive: true });
    },
  );
});

describe('settings of a clone', () => {
  const blanks = ' '.repeat(500_000);
  it.each([
    ['an unclosed section', `[a${blanks}x`],
    ['an unclosed subsection', `[a "${'\\"'.repeat(250_000)}`],
    ['a value with a carriage return', `[a]\nb =${blanks}${'x'.repeat(400_000)}\rx`],
    ['a value of quotes', `[a]\nb = ${'"\\"'.repeat(300_000)}`],
    ['backslashes', `[a]\nb = ${'\\'.repeat(900_000)}`],
    ['a name', `[a]\n${'b'.repeat(900_000)}!`],
    ['comments', `[a]\nb = ${'c # '.repeat(250_000)}`],
  ])('are read quickly even if malformed: %s', (_what, text) => {
    expect(readGitConfig(text)).toBeInstanceOf(Map);
  });
});
