import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readGitConfig } from '../../../lib/adapters/git/git-config.ts';
import { readStatusOutput } from '../../../lib/adapters/git/status-output.ts';
import { runGit } from '../../support/fakes/git-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { tries } from '../../support/tries.ts';

describe('readGitConfig', () => {
  it.each<[string, string, string | undefined]>([
    ['[remote "origin"]\n\turl = https://x/y\n', 'remote.origin.url', 'https://x/y'],
    ['[REMOTE "Origin"]\nURL=https://x/y', 'remote.Origin.url', 'https://x/y'],
    ['[remote "a\\"b\\\\c"]\nurl = "q # r" ; comment', 'remote.a"b\\c.url', 'q # r'],
    ['[core] bare = true', 'core.bare', 'true'],
    ['[core]\nbare', 'core.bare', ''],
    ['# [core]\n; x = y\n[core]\n  x = a \\\n b # c', 'core.x', 'a  b'],
    ['[core]\nx = 1\nx = 2', 'core.x', '2'],
    ['[include]\npath = /etc/passwd\n', 'core.x', undefined],
    ['\r\n[core]\r\nx = 1\r\n', 'core.x', '1'],
  ])('reads %j', (text, name, value) => {
    expect(readGitConfig(text).get(name)).toBe(value);
  });

  it('reads the output of git itself', async () => {
    const folder = await tempFolder();
    await runGit(folder, 'init', '--quiet');
    const values = fc.sample(fc.string({ unit: fc.constantFrom(...'ab" \\#;=[]/é') }), {
      numRuns: tries(30),
      seed: 7,
    });
    const { readFile } = await import('node:fs/promises');
    for (const value of values) {
      await runGit(folder, 'config', 'remote.o"r i\\g.url', value);
      const text = await readFile(`${folder}/.git/config`, 'utf8');
      expect(readGitConfig(text).get('remote.o"r i\\g.url')).toBe(value);
    }
  });

  it('accepts any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => readGitConfig(text) instanceof Map));
  });
});

describe('readStatus', () => {
  it('returns counts, conflicts, and files that are removed only from the index', () => {
    const hash = '0'.repeat(40);
    const text = [
      `# branch.oid ${hash}`,
      '# branch.ab +3 -2',
      `1 D. N... 100644 000000 000000 ${hash} ${hash} kept.txt`,
      `u UU N... 100644 100644 100644 100644 ${hash} ${hash} ${hash} both sides.txt`,
      `1 AM N... 000000 100644 100644 ${hash} ${hash} new\nline.txt`,
      '? kept.txt',
      '',
    ].join('\0');
    expect(readStatusOutput(text)).toEqual({
      hasUpstream: true,
      ahead: 3,
      behind: 2,
      modified: [
        { path: 'both sides.txt', status: 'conflicted', staged: false, unstaged: true },
        { path: 'kept.txt', status: 'modified', staged: true, unstaged: true },
        { path: 'new\nline.txt', status: 'added', staged: true, unstaged: true },
      ],
    });
  });
});
