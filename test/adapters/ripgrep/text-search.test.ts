import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ripgrepTextSearch } from '../../../lib/adapters/ripgrep/text-search.ts';
import type { TextSearchRequest } from '../../../lib/ports/text-search.ts';
import { withGrowingLimit } from '../../support/processes/growing-limit.ts';
import { runExhausted } from '../../support/processes/run-exhausted.ts';
import { makeTree } from '../../support/samples/tree.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const textSearch = ripgrepTextSearch();

function search(root: string, request: Partial<TextSearchRequest> & { pattern: string }) {
  return textSearch.search({ root, path: '', maxMatches: 100, timeoutMs: 60_000, ...request });
}

/** Returns `path:line` for each match. */
async function places(root: string, request: Partial<TextSearchRequest> & { pattern: string }) {
  return (await search(root, request)).matches.map(({ path, line }) => `${path}:${line}`);
}

/** Creates a program that replaces ripgrep. */
async function fakeProgram(script: string) {
  const file = join(await tempFolder(), 'rg');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return ripgrepTextSearch(file);
}

function writeEvents(events: object[]): string {
  return `cat <<'EOF'\n${events.map((event) => JSON.stringify(event)).join('\n')}\nEOF`;
}

/** Returns ripgrep's message for a file with this first line. */
function matchEvents(name: string, line: string): object[] {
  const path = { text: `./${name}` };
  const found = { path, lines: { text: `${line}\n` }, line_number: 1, absolute_offset: 0, submatches: [] };
  return [
    { type: 'begin', data: { path } },
    { type: 'match', data: found },
    { type: 'end', data: { path } },
  ];
}

describe('ripgrepTextSearch', () => {
  it('returns matching lines with their numbers, sorted by path', async () => {
    const root = await makeTree({ 'b.txt': 'no\nan ape\n', 'a/c.txt': 'ape\r\nno\napes' });
    const { matches, truncated } = await search(root, { pattern: 'apes?$' });
    expect(matches).toEqual([
      { path: 'a/c.txt', line: 1, text: 'ape' },
      { path: 'a/c.txt', line: 3, text: 'apes' },
      { path: 'b.txt', line: 2, text: 'an ape' },
    ]);
    expect(truncated).toBe(false);
  });

  it('returns the lines around a match', async () => {
    const root = await makeTree({ 'a.txt': '1\n2\nape\n4\nape\n6\n7\n8\n9\nape' });
    const { matches } = await search(root, { pattern: 'ape', context: 2 });
    expect(matches).toEqual([
      { path: 'a.txt', line: 3, text: 'ape', before: ['1', '2'], after: ['4', 'ape'] },
      { path: 'a.txt', line: 5, text: 'ape', before: ['ape', '4'], after: ['6', '7'] },
      { path: 'a.txt', line: 10, text: 'ape', before: ['8', '9'], after: [] },
    ]);
  });

  it('returns the part of a long line around the match', async () => {
    const root = await makeTree({ 'a.txt': `${'x'.repeat(9000)}ape${'😀'.repeat(9000)}` });
    const text = (await search(root, { pattern: 'ape' })).matches[0]?.text ?? '';
    expect(text.length).toBeLessThanOrEqual(500);
    expect(text).toMatch(/^…x{100}ape😀+.?…$/u);
  });

  it('is case-sensitive by default', async () => {
    const root = await makeTree({ 'a.txt': 'Ape' });
    expect(await places(root, { pattern: 'ape' })).toEqual([]);
    expect(await places(root, { pattern: 'ape', ignoreCase: true })).toEqual(['a.txt:1']);
  });

  it('searches only files that match the given globs', async () => {
    const root = await makeTree({ 'a.ts': 'x', 'a.test.ts': 'x', 'b/c.ts': 'x', 'd.md': 'x' });
    expect(await places(root, { pattern: 'x', include: ['*.ts', '!*.test.ts'] })).toEqual([
      'a.ts:1',
      'b/c.ts:1',
    ]);
  });

  it('skips files in .gitignore, hidden files, and binaries, even without a Git repository', async () => {
    const root = await makeTree({
      '.gitignore': '*.log\n/out/\n',
      'b/.gitignore': 'secret\n',
      'a.txt': 'x',
      'a.log': 'x',
      'out/a.txt': 'x',
      'b/secret': 'x',
      'b/a.log': 'x',
      'b/a.txt': 'x',
      '.env': 'x',
      'binary.txt': 'x\0',
    });
    expect(await places(root, { pattern: 'x' })).toEqual(['a.txt:1', 'b/a.txt:1']);
    expect(await places(root, { pattern: 'x', path: 'b' })).toEqual(['b/a.txt:1']);
    for (const path of ['.env', 'out', 'a.log', 'b/secret'])
      expect([path, (await places(root, { pattern: 'x', path })).length]).toEqual([path, 1]);
  });

  it('ignores .gitignore files above the root', async () => {
    const above = await makeTree({ '.gitignore': '*\n', '.ignore': '*\n', 'root/a.txt': 'x' });
    expect(await places(join(above, 'root'), { pattern: 'x' })).toEqual(['a.txt:1']);
  });

  it('reads UTF-8 and UTF-16 with a byte order mark', async () => {
    const utf16 = Buffer.from('\ufeffno\napes', 'utf16le');
    const root = await makeTree({ 'a.txt': '\ufeffapes\nno', 'b.txt': utf16 });
    expect((await search(root, { pattern: '^apes' })).matches).toEqual([
      { path: 'a.txt', line: 1, text: 'apes' },
      { path: 'b.txt', line: 2, text: 'apes' },
    ]);
  });

  it('treats patterns, globs, and paths that look like options as values', async () => {
    const root = await makeTree({ '--files': '--help', 'a.txt': '--help' });
    expect(await places(root, { pattern: '--help' })).toEqual(['--files:1', 'a.txt:1']);
    expect(await places(root, { pattern: '--help', path: '--files' })).toEqual(['--files:1']);
    expect(await places(root, { pattern: '--help', include: ['--files'] })).toEqual(['--files:1']);
  });

  const refused = [
    ['an unclosed group', { pattern: 'a(' }, /^pattern is not a valid regular expression: unclosed group/],
    ['look-ahead', { pattern: '(?=a)' }, /^pattern is not a valid regular expression: look-around/],
    ['a line feed', { pattern: 'a\\nb' }, /^pattern is not a valid regular expression: the literal/],
    [
      'one without a limit',
      { pattern: '((a{1000}){1000}){1000}' },
      /^pattern is not a valid regular expression: compiled regex exceeds/,
    ],
    ['NUL', { pattern: 'a\0' }, /^pattern can't contain NUL/],
    ['an unclosed glob', { pattern: 'a', include: ['{a'] }, /^include is not a valid glob: unclosed/],
    ['NUL in a glob', { pattern: 'a', include: ['\0'] }, /^include can't contain NUL/],
    ['a path outside', { pattern: 'a', path: '../x' }, /^path can't contain/],
    ['an absolute path', { pattern: 'a', path: '/etc' }, /^path must be relative/],
    ['a link to the outside', { pattern: 'a', path: 'out' }, /^path leads outside/],
    ['a missing path', { pattern: 'a', path: 'missing' }, /^path does not exist/],
  ] as const;
  it.each(refused)('rejects %s', async (_, request, message) => {
    const root = await makeTree({ 'a.txt': 'a' });
    await symlink('/etc', join(root, 'out'));
    await expect(
      search(root, { ...request, include: [...('include' in request ? request.include : [])] }),
    ).rejects.toThrow(message);
  });

  it('names the variable to set if there is no ripgrep', async () => {
    const request = { root: await makeTree({}), path: '', pattern: 'x', maxMatches: 1, timeoutMs: 60_000 };
    await expect(ripgrepTextSearch('/nowhere/rg').search(request)).rejects.toMatchObject({ status: 503 });
  });

  it('stops at the requested number of matches', async () => {
    const root = await makeTree({ 'a.txt': 'x\n'.repeat(5), 'b.txt': 'x\n'.repeat(5) });
    const found = await search(root, { pattern: 'x', maxMatches: 7 });
    expect([found.matches.length, found.truncated]).toEqual([7, true]);
    const all = await search(root, { pattern: 'x', maxMatches: 10 });
    expect([all.matches.length, all.truncated]).toEqual([10, false]);
  });

  it('stops at a line over its length limit', async () => {
    const root = await makeTree({ 'a.txt': Buffer.alloc(80 * 1024 * 1024, 'x') });
    expect(await search(root, { pattern: 'x' })).toEqual({ matches: [], truncated: true });
  });

  it('returns the matches so far at the time limit', async () => {
    const slow = await fakeProgram(`${writeEvents(matchEvents('a.txt', 'x').slice(0, 2))}\nexec sleep 600`);
    const root = await makeTree({ 'a.txt': 'x\n' });
    const found = await withGrowingLimit(
      (timeoutMs) => slow.search({ root, path: '', pattern: 'x', maxMatches: 9, timeoutMs }),
      ({ matches }) => matches.length > 0,
    );
    expect(found).toEqual({ matches: [{ path: 'a.txt', line: 1, text: 'x' }], truncated: true });
  });

  it('stops when it is aborted', async () => {
    const slow = await fakeProgram('exec sleep 600');
    const request = { root: await makeTree({}), path: '', pattern: 'x', maxMatches: 9, timeoutMs: 60_000 };
    const signal = AbortSignal.timeout(100);
    await expect(slow.search({ ...request, signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(slow.search({ ...request, signal })).rejects.toBe(signal.reason);
  });

  it('passes none of its environment variables to ripgrep', async () => {
    const root = await makeTree({});
    process.env.PLANTED_SECRET = 'planted';
    await (await fakeProgram('env > seen')).search({
      root,
      path: '',
      pattern: 'x',
      maxMatches: 1,
      timeoutMs: 60_000,
    });
    delete process.env.PLANTED_SECRET;
    const names = (await readFile(join(root, 'seen'), 'utf8')).match(/^\w+(?==)/gm) ?? [];
    expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([]);
  });

  it('follows no links', async () => {
    const root = await makeTree({ 'a/x.txt': 'x' });
    const outside = await makeTree({ 'secret.txt': 'x' });
    await symlink(outside, join(root, 'out'));
    await symlink(join(outside, 'secret.txt'), join(root, 'out.txt'));
    await symlink('a', join(root, 'in'));
    expect(await places(root, { pattern: 'x' })).toEqual(['a/x.txt:1']);
    expect(await places(root, { pattern: 'x', path: 'in' })).toEqual(['a/x.txt:1']);
  });

  it('returns nothing that was read through a link that replaced a file during the search', async () => {
    const root = await makeTree({ 'a.txt': 'public\n' });
    const outside = await makeTree({ 'secret.txt': 'secret\n' });
    await mkdir(join(root, 'b'));
    await symlink(join(outside, 'secret.txt'), join(root, 'b/swapped.txt'));
    const events = ['b/swapped.txt', 'a.txt'].flatMap((path) => matchEvents(path, 'secret'));
    const raced = await fakeProgram(writeEvents([...events, { type: 'summary' }]));
    const found = await raced.search({ root, path: '', pattern: 'e', maxMatches: 9, timeoutMs: 60_000 });
    expect(found).toEqual({ matches: [], truncated: false });
  });
});

describe('search of a random tree', () => {
  const name = fc.stringMatching(/^[a-c]{1,2}(\.(txt|ts))?$/);
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
  const content = fc
    .array(fc.stringMatching(/^[ab.é😀 ]{0,6}$/u), { maxLength: 6 })
    .map((lines) => lines.join('\n'));
  const pattern = fc.stringMatching(/^[ab.é]{1,3}$/u);

  it('finds the same matches as a naive search', async () => {
    const tree = fc.dictionary(path, content, { maxKeys: 8 });
    await fc.assert(
      fc.asyncProperty(tree, pattern, fc.boolean(), async (files, text, ignoreCase) => {
        const paths = Object.keys(files);
        // A name can't be a file and a directory.
        for (const some of paths) if (paths.some((other) => other.startsWith(`${some}/`))) delete files[some];
        const root = await makeTree(files);
        const regex = new RegExp(text, ignoreCase ? 'iu' : 'u');
        const expected = Object.entries(files).flatMap(([file, all]) =>
          all
            .split('\n')
            .flatMap((line, index) =>
              regex.test(line) ? [{ path: file, line: index + 1, text: line }] : [],
            ),
        );
        const { matches } = await search(root, { pattern: text, ignoreCase });
        expect(matches).toEqual(
          expected.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)) || a.line - b.line),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('host without a free file descriptor', () => {
  it('rejects a search, keeps the service running, and searches again afterward', async () => {
    const { stdout, stderr } = await runExhausted('search');
    expect([stdout, stderr]).toEqual(['rejected rejected rejected fulfilled', '']);
  });
});
