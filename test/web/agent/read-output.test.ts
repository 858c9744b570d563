import { describe, expect, it } from '@jest/globals';
import { diffEdits, diffLines } from '../../../web/agent/line-diff.ts';
import { readEdits, readPassages, readTable, readTerminalOutput } from '../../../web/agent/read-output.ts';
import { showUnseen } from '../../../web/agent/tool-text.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';

describe('diffLines', () => {
  const show = (before: string, after: string) =>
    diffLines(before, after).map(({ sign, text }) => sign + text);

  it.each([
    ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['', 'a\nb\n', ['+a', '+b']],
    ['a\nb', '', ['-a', '-b']],
    ['a', 'a', [' a']],
    ['a\nb\nc\nd', 'b\nd\ne', ['-a', ' b', '-c', ' d', '+e']],
    ['a', 'a\na', [' a', '+a']],
    ['a\na', 'a', [' a', '-a']],
  ])('returns the change from %j to %j', (before, after, lines) => {
    expect(show(before, after)).toEqual(lines);
  });

  it('restores both texts from its result, even for texts that are too long to compare', () => {
    const before = Array.from({ length: 1500 }, (_, at) => `old ${at % 7}`).join('\n');
    const after = Array.from({ length: 1500 }, (_, at) => `${at % 3 ? 'old' : 'new'} ${at % 7}`).join('\n');
    for (const [old, fresh] of [
      [before, after],
      ['x\ny\nz\ny', 'y\nz\nx\ny\ny'],
    ] as const) {
      const lines = diffLines(old, fresh);
      const textOf = (sign: string) =>
        lines.flatMap((line) => (line.sign === ' ' || line.sign === sign ? [line.text] : [])).join('\n');
      expect([textOf('-') === old, textOf('+') === fresh]).toEqual([true, true]);
    }
  });

  it('finds the few changes in long texts', () => {
    const old = Array.from({ length: 5_000 }, (_, at) => `line ${at}`);
    const fresh = old.map((line, at) => (at % 250 === 0 ? 'new' : line));
    const lines = diffLines(old.join('\n'), fresh.join('\n'));
    expect(lines.filter(({ sign }) => sign === ' ')).toHaveLength(4_980);
  });
});

describe('diffEdits', () => {
  it('gives up in time on endless texts with little in common', async () => {
    const text = (seed: number) =>
      Array.from({ length: 20_000 }, (_, at) => `line ${(at * at * seed) % 97}`).join('\n');
    const edits = Array.from({ length: 50 }, () => ({ before: text(3), after: text(5) }));
    expect(await cpuTimeOf(() => diffEdits(edits))).toBeLessThan(5_000);
  });

  const long = (lines: number, word = 'owl') =>
    Array.from({ length: lines }, (_, at) => `${word} ${at}`).join('\n');

  it('returns all edits for short texts', () => {
    const edits = [
      { before: 'a', after: 'b' },
      { before: '', after: 'c' },
    ];
    expect(diffEdits(edits)).toEqual({
      changes: edits.map(({ before, after }) => diffLines(before, after)),
      isCut: false,
    });
  });

  it.each([
    ['lines', [{ before: '', after: long(5_000) }]],
    ['changes', Array.from({ length: 3_000 }, () => ({ before: 'a', after: 'b' }))],
    ['letters', [{ before: '', after: 'x'.repeat(1_000_000) }]],
    [
      'letters of many',
      Array.from({ length: 100 }, () => ({ before: long(900, 'an owl'), after: long(900, 'no owl') })),
    ],
  ])('shows only the start of many %s', (_what, edits) => {
    const { changes, isCut } = diffEdits(edits);
    const lines = changes.flat();
    expect(isCut).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(1_000);
    expect(lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(60_000);
    expect(lines[0]?.text.slice(0, 5)).toBe((edits[0]?.before || edits[0]?.after)?.slice(0, 5));
  });
});

describe('tool result', () => {
  it('is a terminal if it has its streams', () => {
    expect(readTerminalOutput({ stdout: 'a', stderr: '', exitCode: 2, note: 'cut' })).toEqual({
      ...{ stdout: 'a', stderr: '', exitCode: 2, note: 'cut' },
    });
    for (const output of [undefined, null, 'a', [], {}, { stdout: 7 }])
      expect(readTerminalOutput(output)).toBeUndefined();
  });

  it('is a change if a file was edited or written', () => {
    expect(readEdits('editFile', { path: 'a', edits: [{ oldText: 'x', newText: 'y' }, null] })).toEqual([
      ...[
        { before: 'x', after: 'y' },
        { before: '', after: '' },
      ],
    ]);
    expect(readEdits('writeFile', { path: 'a', content: 'y' })).toEqual([{ before: '', after: 'y' }]);
    for (const input of [undefined, {}, { edits: 'x' }, { edits: [] }, { content: 7 }])
      for (const tool of ['editFile', 'writeFile', 'bash']) expect(readEdits(tool, input)).toBeUndefined();
  });

  it('is a list of locations if files were searched', () => {
    const passage = { path: 'a.md', startLine: 3, endLine: 5, text: 'x' };
    expect(readPassages('searchWorkspace', { passages: [passage] })).toEqual([passage]);
    expect(readPassages('grep', { matches: [{ path: 'a.md', line: 7, text: 'y' }] })).toEqual([
      { path: 'a.md', startLine: 7, endLine: 7, text: 'y' },
    ]);
    for (const output of [null, {}, { passages: [] }, { passages: [{}] }, { passages: 'x' }])
      expect(readPassages('searchWorkspace', output)).toBeUndefined();
    expect(readPassages('bash', { passages: [passage] })).toBeUndefined();
  });

  it.each([
    [
      'a list',
      [
        { name: 'a', size: 1 },
        { name: 'b', more: { x: 1 } },
      ],
    ],
    [
      'the only list of an object',
      {
        path: '',
        next: null,
        entries: [
          { name: 'a', size: 1 },
          { name: 'b', more: { x: 1 } },
        ],
      },
    ],
  ])('is a table if its rows have the same fields: %s', (_, output) => {
    expect(readTable(output)).toEqual({
      header: ['name', 'size', 'more'],
      rows: [
        ['a', '1', ''],
        ['b', '', '{"x":1}'],
      ],
    });
  });

  it('is a table if it is text in columns', () => {
    expect(readTable('name\tgrams\nbarn owl\t360\n')).toEqual({
      ...{ header: ['name', 'grams'], rows: [['barn owl', '360']] },
    });
    expect(readTable('a,b\n"x, y",2')).toEqual({ header: ['a', 'b'], rows: [['x, y', '2']] });
    for (const text of ['', 'Hello, world', 'a,b', 'a,b\nc', 'one\ntwo'])
      expect(readTable(text)).toBeUndefined();
  });

  it('is not a table otherwise', () => {
    for (const output of [null, 7, [], [1], [{}], {}, { a: [1] }, { a: [{ x: 1 }], b: [{ y: 1 }] }])
      expect(readTable(output)).toBeUndefined();
  });
});

describe('showUnseen', () => {
  it.each([
    ['rm -rf "a\u202e"', 'rm -rf "a\\u{202e}"'],
    ['git\u200b pu\u00adll\u2066\ufeff', 'git\\u{200b} pu\\u{ad}ll\\u{2066}\\u{feff}'],
    ['ls\u2028\u{e0041}\u3164\u001b[2K', 'ls\\u{2028}\\u{e0041}\\u{3164}\\u{1b}[2K'],
    ['echo good\recho bad', 'echo good\\u{d}echo bad'],
    ['ls\u00a0-la\u2800\u2003;', 'ls\\u{a0}-la\\u{2800}\\u{2003};'],
    ['a\ufe0fb\u034f\u17b4\u180b', 'a\\u{fe0f}b\\u{34f}\\u{17b4}\\u{180b}'],
    [`e${'\u0301'.repeat(6)}`, `e${'\u0301'.repeat(4)}\\u{301}\\u{301}`],
    ['rm -rf ./\u0441\u0430che', 'rm -rf ./\\u{441}\\u{430}che'],
    ['cat hell\u03bf', 'cat hell\\u{3bf}'],
  ])('shows characters that could make %j look like another text', (text, shown) => {
    expect(showUnseen(text)).toBe(shown);
  });

  it.each(['a\tb\r\nc\n', 'line\r', '👩‍🔬 می‌خواهم 你好', '⚠️ 1️⃣', 'кот cat', '5 μm, Δt', '　你好'])(
    'keeps %j unchanged',
    (text) => {
      expect(showUnseen(text)).toBe(text);
    },
  );
});

describe('readTable', () => {
  it('limits a text with ten thousand columns, and the length of its cells', () => {
    const row = Array<string>(10_000).fill('x'.repeat(400)).join(',');
    const table = readTable(`${row}\n${row}`);
    expect([table?.header, ...(table?.rows ?? [])].map((cells) => cells?.length)).toEqual([12, 12]);
    expect(table?.rows[0]?.[0]).toBe(`${'x'.repeat(300)}…`);
  });
});
