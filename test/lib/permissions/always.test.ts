import { describe, expect, it } from '@jest/globals';
import { scopeOfAlways } from '../../../lib/api-contract/always-scope.ts';
import { suggestPattern, suggestWider } from '../../../lib/permissions/always.ts';
import { judge } from '../../../lib/permissions/judge.ts';
import type { Rule } from '../../../lib/permissions/schema.ts';

/** Initial rules of a workspace created in the console. */
const RULES: Rule[] = [
  { tool: '*', pattern: '*', action: 'allow' },
  { tool: 'writeFile', pattern: '*', action: 'ask' },
  { tool: 'bash', pattern: '*', action: 'ask' },
];
const PLACE = { rootPath: '/tmp', cwd: '' };

/** Returns the exact pattern offered for a line, then the wider ones. */
async function offeredFor(command: string): Promise<string[]> {
  const { subjects } = await judgeLine(command);
  const asked = { toolName: 'bash', input: { command }, subjects };
  return [suggestPattern(asked), ...suggestWider('text', asked)].filter((pattern) => pattern !== null);
}

function judgeLine(text: string, ...patterns: string[]) {
  const grants = patterns.map((pattern) => ({ tool: 'bash', pattern }));
  return judge(RULES, { tools: ['bash'], argument: { kind: 'shell', text } }, PLACE, grants);
}

describe('"always" for a command', () => {
  it.each([
    ['rg owls notes', 'rg owls --pre=./evil.sh .'],
    ['tar cf a.tar notes', 'tar cf a.tar --to-command=./evil x'],
    ['git fetch origin', 'git fetch --upload-pack=./evil x'],
    ['git log -3', 'git log --output=thesis.md'],
    ['find data -name x', 'find data -delete'],
    ['rm draft', 'rm draft -rf thesis notes'],
    ['cp draft old', 'cp draft old thesis'],
    ['sort data', 'sort data -o thesis.md'],
    ['npm install x', 'npm install --script-shell=./evil x'],
    ['diff x y', 'diff z y'],
    ['rm draft', 'rm draft notes'],
  ])('permits only the same line again: %s, not %s', async (line, other) => {
    const offered = await offeredFor(line);
    expect(offered).toEqual([line]);
    expect(await judgeLine(line, ...offered)).toMatchObject({ action: 'allow' });
    expect(await judgeLine(other, ...offered)).toMatchObject({ action: 'ask' });
  });

  it.each([
    ['that two words are one', 'rm "draft notes"', 'rm draft notes'],
    ['the folder', 'cd sub && rm -rf data', 'rm -rf data'],
    ['the input', 'python3 x.py - <<< "print(1)"', 'python3 x.py -'],
    ['the file of the input', 'patch -p1 < a.diff', 'patch -p1'],
    ['a variable', 'A=1 make', 'make'],
  ])('is not offered if the pattern would lack %s: %s', async (_what, command, subject) => {
    const asked = { toolName: 'bash', input: { command }, subjects: [subject] };
    expect(suggestPattern(asked)).toBeNull();
    expect(suggestWider('text', asked)).toEqual([]);
  });

  it.each(['sh', 'python3', 'python3 -', 'bash -s x', 'node /dev/stdin', 'make -f-'])(
    'is not offered for a program that runs its input: %s',
    async (line) => {
      expect(await offeredFor(line)).toEqual([]);
    },
  );

  it.each([
    ['cat notes/a.md', 'cat'],
    ['grep -rn owls .', 'grep'],
    ['wc -l "notes/a.md" 2>/dev/null', 'wc'],
  ])('permits any arguments for a read-only program: %s', async (line, program) => {
    expect((await offeredFor(line)).at(-1)).toBe(`${program} *`);
    expect(await judgeLine(`${program} x > thesis.md`, `${program} *`)).toMatchObject({ action: 'ask' });
    expect(await judgeLine(`${program} x; rm y`, `${program} *`)).toMatchObject({ action: 'ask' });
  });

  it.each(['python3 train.py', 'make', 'npm test', './run.sh', 'git pull 2>&1'])(
    'permits the line of a program whose file is named: %s',
    async (line) => {
      expect(await offeredFor(line)).toEqual([line.replace(' 2>&1', '')]);
    },
  );
});

describe('"always" for a file', () => {
  const widerFor = (path: string) =>
    suggestWider('path', { toolName: 'writeFile', input: { path }, subjects: [path] });

  it('permits its file type and its folder, but nothing in a Git folder', () => {
    expect(widerFor('notes/a.md')).toEqual(['notes/*.md', 'notes/**']);
    expect(widerFor('.git/config')).toEqual([]);
    expect(widerFor('sub/.git/hooks/x.sh')).toEqual([]);
  });
});

describe('description of a pattern', () => {
  it.each([
    ['bash', 'rm draft', { scope: 'command' }],
    ['bash', 'cat *', { scope: 'reader', program: 'cat' }],
    ['bash', 'rg owls *', { scope: 'arguments', program: 'rg' }],
    ['writeFile', 'notes/a.md', { scope: 'path' }],
    ['writeFile', 'notes/**', { scope: 'folder', folder: 'notes' }],
    ['writeFile', 'notes/*.md', { scope: 'paths' }],
    ['mcp__far__look', '{"value":"a"}', { scope: 'call' }],
    ['mcp__far__look', '*', { scope: 'calls' }],
  ])('exists for %s %s', (tool, pattern, scope) => {
    expect(scopeOfAlways(tool, pattern)).toEqual(scope);
  });
});
