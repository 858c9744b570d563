import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { judge } from '../../../lib/permissions/judge.ts';
import { DEFAULTS } from '../../../lib/permissions/rules.ts';
import type { Rule } from '../../../lib/permissions/schema.ts';

const bash = (action: Rule['action'], ...patterns: string[]): Rule[] =>
  patterns.map((pattern) => ({ tool: 'bash', pattern, action }));
/** All is allowed but pushes, which are denied, and removals, which are asked about. */
const GUARDED = [...DEFAULTS, ...bash('ask', 'rm *'), ...bash('deny', 'git push*')];
/** All is asked about but a few commands, which are allowed, and pushes, which are denied. */
const CLOSED = [
  ...DEFAULTS,
  ...bash('ask', '*'),
  ...bash('allow', 'ls *', 'echo *', 'cat *', 'git status *', 'npm test*', 'python3 tools/*'),
  ...bash('deny', 'git push*'),
];
const PLACE = { rootPath: '/nowhere', cwd: '' };

function judgeLine(rules: Rule[], text: string) {
  return judge(rules, { tools: ['bash'], argument: { kind: 'shell', text } }, PLACE);
}

/** Each row of a table: the action, a bar, the line as it is. */
async function judged(rules: Rule[], table: string): Promise<{ wanted: string; got: string; count: number }> {
  const rows = readFileSync(join(import.meta.dirname, table), 'utf8')
    .trim()
    .split('\n')
    .map((row) => /^(\w+) \| (.*)$/.exec(row));
  const lines = await Promise.all(
    rows.map(async (row) => {
      const line = row?.[2] ?? '';
      return { wanted: `${row?.[1]} | ${line}`, got: `${(await judgeLine(rules, line)).action} | ${line}` };
    }),
  );
  const wrong = lines.filter(({ wanted, got }) => wanted !== got);
  return {
    wanted: wrong.map((line) => line.wanted).join('\n'),
    got: wrong.map((line) => line.got).join('\n'),
    count: lines.length,
  };
}

describe('a line of the shell', () => {
  it('is judged as the table says, where a few commands are held back', async () => {
    const { wanted, got, count } = await judged(GUARDED, 'guarded-lines.txt');
    expect(got).toBe(wanted);
    expect(count).toBeGreaterThan(250);
  });

  it('is judged as the table says, where only a few are allowed', async () => {
    const { wanted, got } = await judged(CLOSED, 'closed-lines.txt');
    expect(got).toBe(wanted);
  });
});
