import { describe, expect, it } from '@jest/globals';
import { judge } from '../../../lib/permissions/judge.ts';
import { DEFAULTS } from '../../../lib/permissions/rules.ts';
import type { Rule } from '../../../lib/permissions/schema.ts';
import { tableOf } from './mutated-lines.ts';

const bash = (action: Rule['action'], ...patterns: string[]): Rule[] =>
  patterns.map((pattern) => ({ tool: 'bash', pattern, action }));
/** Allows everything except pushes, which are denied, and removals, which need approval. */
const GUARDED = [...DEFAULTS, ...bash('ask', 'rm *'), ...bash('deny', 'git push*')];
/** Everything needs approval except a few commands, which are allowed, and pushes, which are denied. */
const CLOSED = [
  ...DEFAULTS,
  ...bash('ask', '*'),
  ...bash('allow', 'ls *', 'echo *', 'cat *', 'git status *', 'npm test*', 'python3 tools/*'),
  ...bash('deny', 'git push*'),
];
/** Measured values. A change that needs approval more often needs a reason. */
const MAX_HELD = { denied: 173, closed: 232 };
const PLACE = { rootPath: '/nowhere', cwd: '' };

function judgeLine(rules: Rule[], text: string) {
  return judge(rules, { tools: ['bash'], argument: { kind: 'shell', text } }, PLACE);
}

/** Judges each row of a table: the action, a bar, and the unchanged line. */
async function judged(rules: Rule[], table: string): Promise<{ wanted: string; got: string; count: number }> {
  const rows = tableOf(table).map((row) => /^(\w+) \| (.*)$/s.exec(row));
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

/** Returns how many of the coding agents' lines need approval or are denied. */
async function countHeld(...rules: Rule[]): Promise<number> {
  const lines = tableOf('agent-lines.txt');
  const actions = await Promise.all(lines.map((line) => judgeLine([...DEFAULTS, ...rules], line)));
  return actions.filter(({ action }) => action !== 'allow').length;
}

describe('392 lines of coding agents', () => {
  it('are all allowed without a rule', async () => {
    expect(await countHeld()).toBe(0);
  });

  it('need approval as rarely as the table for plain commands allows', async () => {
    expect(await countHeld(...bash('deny', 'git push*'))).toBeLessThanOrEqual(MAX_HELD.denied);
    const reading =
      'ls cat head tail wc grep rg echo cd pwd find sort uniq cut sed jq npm npx python python3 pytest';
    const patterns = [...reading.split(' '), 'git status', 'git diff', 'git log', 'git show'].map(
      (name) => `${name} *`,
    );
    expect(await countHeld(...bash('ask', '*'), ...bash('allow', ...patterns))).toBeLessThanOrEqual(
      MAX_HELD.closed,
    );
  });
});

describe('shell line', () => {
  it('is judged as in the table for mostly allowed commands', async () => {
    const { wanted, got, count } = await judged(GUARDED, 'guarded-lines.txt');
    expect(got).toBe(wanted);
    expect(count).toBeGreaterThan(250);
  });

  it('is judged as in the table for mostly restricted commands', async () => {
    const { wanted, got } = await judged(CLOSED, 'closed-lines.txt');
    expect(got).toBe(wanted);
  });
});
