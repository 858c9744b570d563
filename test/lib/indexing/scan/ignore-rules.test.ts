import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { isIgnored, readRules } from '../../../../lib/indexing/scan/ignore-rules.ts';
import { cpuTimeOf } from '../../../support/processes/cpu-time.ts';
import { makeTree } from '../../../support/samples/tree.ts';

async function rulesOf(text: string) {
  const root = await makeTree({ '.gitignore': text });
  return { root, rules: await readRules(root, '', new Set(['.gitignore'])) };
}

const DEEP = 'a/'.repeat(100);

describe('malicious ignore file', () => {
  it.each([
    ['folders between names', '**/a/**/a/**/a/**/a/**/a/**/b\n'],
    ['folders between wildcards', '?/**/*a/**/[a]/**/a*/**/*/**/b\n'],
    ['folders between names, kept', '!a/**/a/**/a/**/a/**/b/\n'],
    ['many such lines', '/a/**/a/**/b\n'.repeat(500)],
    ['more rules than names', `${'a/**/'.repeat(20_000)}b\n`],
    ['stars in a name', `${'*a'.repeat(200)}b/**/c\n`],
  ])('takes little time: %s', async (_name, text) => {
    const { rules } = await rulesOf(text);
    expect(await cpuTimeOf(() => expect(isIgnored(rules, `${DEEP}x.md`)).toBe(false))).toBeLessThan(1000);
  });
});

describe('ignore rules with folders', () => {
  it.each([
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'x/a/b', false],
    ['/a/**/b/', 'a/b/', true],
    ['/a/**/b/', 'a/b', false],
    ['**/a/**/*.md', 'x/a/y/z.md', true],
    ['a/**/b/**', 'a/b/', false],
    ['a/**/b/**', 'a/x/b/c', true],
    ['a/**/b\n!a/**/b', 'a/x/b', false],
    ['*.md\n!a/**/b.md\n', 'a/x/b.md', false],
    ['!a/**/b.md\n*.md\n', 'a/x/b.md', true],
    ['/a/\nx/**/y\n!/a/\n', 'a/b', false],
    ['#/**/b', '#/b', false],
    ['\\#/**/b', '#/b', true],
    ['a/**/b  ', 'a/b', true],
    ['a/**/b\\ ', 'a/b ', true],
    ['a /**/b', 'a /b', true],
    ['a//**/b', 'a/b', false],
    ['a/***/b', 'a/x/b', true],
    ['a/**/[!c]?', 'a/x/bd', true],
  ])('apply %j to %j', async (text, path, ignored) => {
    const { rules } = await rulesOf(text);
    expect(isIgnored(rules, path)).toBe(ignored);
  });

  it('match like Git in random files', async () => {
    for (let round = 0; round < 20; round++) {
      const lines = Array.from({ length: 4 }, () => anyLine());
      const { root, rules } = await rulesOf(`${lines.join('\n')}\n`);
      const paths = Array.from({ length: 30 }, () => anyPath());
      execFileSync('git', ['init', '--quiet', root]);
      const ignored = gitIgnored(root, paths);
      const own = paths.filter((path) => foldersOf(path).some((each) => isIgnored(rules, each)));
      expect({ lines, own }).toEqual({ lines, own: paths.filter((path) => ignored.has(path)) });
    }
  });
});

const pick = <Item>(items: Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

function anyLine(): string {
  const names = Array.from({ length: 2 + Math.floor(Math.random() * 3) }, () =>
    pick(['a', 'b', '**', '**', '*', '?', '[ab]', 'a*']),
  );
  return pick(['', '', '!', '/']) + names.join('/') + pick(['', '', '/']);
}

function anyPath(): string {
  return Array.from({ length: 1 + Math.floor(Math.random() * 5) }, () => pick(['a', 'b', 'ab', 'c'])).join(
    '/',
  );
}

/** Returns the path, preceded by its parent folders. */
function foldersOf(path: string): string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/') + (index < names.length - 1 ? '/' : ''));
}

function gitIgnored(root: string, paths: string[]): Set<string> {
  const settings = ['-C', root, '-c', 'core.excludesFile=/dev/null'];
  try {
    const printed = execFileSync('git', [...settings, 'check-ignore', '--no-index', '--stdin'], {
      input: paths.join('\n'),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return new Set(printed.toString().trim().split('\n'));
  } catch {
    return new Set(); // 1: none of them
  }
}

it('ignore file over 128 KB is parsed by whole lines, up to the limit', async () => {
  const { rules } = await rulesOf(`/a\n${'#'.repeat(128 * 1024 - 6)}\n/b.md\n`);
  expect(['a', 'b', 'b.md'].map((path) => isIgnored(rules, path))).toEqual([true, false, false]);
});
