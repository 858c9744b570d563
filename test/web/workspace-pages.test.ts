import { describe, expect, it } from '@jest/globals';
import { bytesOf, pictureOf } from '../../web/cluster/picture.ts';
import { folderOf } from '../../web/git/folder-name.ts';
import { withMember, withoutMember } from '../../web/members/member-list.ts';
import { readOutput } from '../../web/parts/ansi.ts';
import { type KeptRule, withMoved, withoutRule } from '../../web/permissions/rule-list.ts';
import { placeOf, readHistory, withCommand, withEnded, withStarted } from '../../web/terminal/session.ts';

describe('rules', () => {
  const rule = (pattern: string): KeptRule => {
    return { tool: 'bash', pattern, action: 'ask', addedBy: 'a', addedAt: '', answeredCall: null };
  };
  const list = [rule('a'), rule('b'), rule('a')];
  const patterns = (rules: KeptRule[]) => rules.map(({ pattern }) => pattern).join('');

  it('move by one position, and not beyond the ends', () => {
    expect(patterns(withMoved(list, rule('b'), 1, -1))).toBe('baa');
    expect(patterns(withMoved(list, rule('b'), 1, 9))).toBe('aab');
    expect(patterns(withMoved(list, rule('a'), 0, -1))).toBe('aba');
  });

  it('are found by their content if other users changed the list in the meantime', () => {
    expect(patterns(withoutRule(list, rule('a'), 2))).toBe('ab');
    expect(patterns(withoutRule([rule('x'), ...list], rule('b'), 1))).toBe('xaa');
    expect(patterns(withoutRule(list, rule('gone'), 0))).toBe('aba');
    expect(patterns(withMoved(list, rule('gone'), 0, 1))).toBe('aba');
  });
});

it('member has one entry, even next to a group with the same name', () => {
  const ann = { subject: 'ann', role: 'viewer' } as const;
  const group = { group: 'ann', role: 'member' } as const;
  const both = withMember(withMember([], ann), group);
  expect(both).toEqual([ann, group]);
  expect(withMember(both, { subject: 'ann', role: 'admin' })).toEqual([
    { subject: 'ann', role: 'admin' },
    group,
  ]);
  expect(withoutMember(both, { ...ann, role: 'admin' })).toEqual([group]);
});

it.each([
  ['https://git.example/team/field-notes.git', 'field-notes'],
  ['https://git.example/team/a b/', 'a-20b'],
  ['https://git.example/.git', ''],
  ['https://git.example/', ''],
  ['not an address', ''],
])('clone of %s is stored in %j', (url, folder) => expect(folderOf(url)).toBe(folder));

describe('terminal output', () => {
  const texts = (output: string) => readOutput(output).spans.map(({ text }) => text);

  it('keeps its colors', () => {
    expect(readOutput('a\x1b[1;31mred\x1b[22m thin\x1b[0m z').spans).toEqual([
      { text: 'a', look: {} },
      { text: 'red', look: { isBold: true, color: 'danger' } },
      { text: ' thin', look: { color: 'danger' } },
      { text: ' z', look: {} },
    ]);
    expect(
      readOutput('\x1b[38;5;196mx\x1b[38;2;1;31;4my\x1b[32mz\x1b[37mw').spans.map(({ look }) => look),
    ).toEqual([{}, {}, { color: 'good' }, {}]);
  });

  it.each([
    ['a title', '\x1b]0;evil\x07shown', 'shown'],
    ['a link', '\x1b]8;;javascript:1\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['cursor moves and modes', '\x1b[2J\x1b[H\x1b[?25lshown\x1b(B\x1b=', 'shown'],
    ['bells and other controls', 'a\x07b\x08c\x00', 'abc'],
    ['an unterminated sequence', 'a\x1b[31', 'a31'],
  ])('omits %s', (_what, output, shown) => expect(texts(output).join('')).toBe(shown));

  it('shows the last text of an overwritten line', () => {
    expect(texts('10%\r55%\r100%\r\ndone\r')).toEqual(['100%\ndone']);
  });

  it('is parsed quickly, whatever it contains', () => {
    const { spans, isCut } = readOutput('\x1b[31mx\x1b[0m'.repeat(100_000));
    expect(isCut).toBe(true);
    expect(spans.length).toBeLessThanOrEqual(5_000);
    for (const odd of [
      '\x1b['.repeat(100_000),
      '\x1b]'.repeat(100_000),
      '\r'.repeat(200_000),
      ';'.repeat(200_000),
    ])
      expect(readOutput(odd).spans.length).toBeLessThanOrEqual(5_000);
  });
});

describe('terminal page', () => {
  const result = { stdout: '', stderr: '', exitCode: 0, cwd: '/w/deep', timedOut: false, truncated: false };

  it("continues in the last command's folder, except after a failed command", () => {
    const started = withStarted({ ran: [], cwd: '/w' }, 'cd deep');
    const ended = withEnded(started, 1, { result });
    expect(ended).toMatchObject({ cwd: '/w/deep', ran: [{ id: 1, command: 'cd deep', cwd: '/w', result }] });
    const failed = withEnded(withStarted(ended, 'x'), 2, { error: new Error('no sandbox') });
    expect(failed.cwd).toBe('/w/deep');
    expect(failed.ran.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('keeps the latest outputs and commands', () => {
    const many = Array.from({ length: 300 }, (_, at) => `echo ${at}`);
    const { ran } = many.reduce(withStarted, { ran: [], cwd: '/w' });
    expect(ran).toHaveLength(50);
    expect(ran.at(-1)?.command).toBe('echo 299');
    expect(many.reduce((kept, each) => withCommand(kept, each), [] as string[])).toHaveLength(200);
    expect(withCommand(['ls'], 'ls')).toEqual(['ls']);
  });

  it('ignores an invalid history', () => {
    expect(readHistory('["ls",1,null]')).toEqual(['ls']);
    for (const odd of [null, '{', '7', '{"a":1}']) expect(readHistory(odd)).toEqual([]);
  });

  it('shows a folder by its workspace', () => {
    expect(placeOf('/w/a/b', '/w/a')).toBe('~/b');
    expect(placeOf('/w/a', '/w/a')).toBe('~');
    expect(placeOf('/w/ab', '/w/a')).toBe('/w/ab');
  });
});

describe('cluster view', () => {
  const node = { name: 'n', ready: true, roles: '', cpu: '4', memory: '8Gi', gpu: '4' };
  const pod = { name: 'p', namespace: 'r', phase: 'Running', nodeName: 'n', gpu: '2' };

  it('shows who uses which GPUs, and who waits', () => {
    const waits = { ...pod, name: 'w', nodeName: '', phase: 'Pending' };
    const { nodes, waiting } = pictureOf({
      nodes: [node],
      pods: [pod, { ...pod, name: 'f', phase: 'Failed' }, waits],
    });
    expect(nodes[0]).toMatchObject({ total: 4, used: 2, squares: ['p', 'p', undefined, undefined] });
    expect(nodes[0]?.pods).toHaveLength(2);
    expect(waiting).toEqual([waits]);
  });

  it('is limited to the existing GPUs, whatever the cluster reports', () => {
    const { nodes } = pictureOf({
      nodes: [
        { ...node, gpu: '1e300' },
        { ...node, name: 'm', gpu: 'many' },
      ],
      pods: [
        { ...pod, gpu: '99999999' },
        { ...pod, gpu: '-3' },
      ],
    });
    expect(nodes[0]?.squares).toHaveLength(64);
    expect(nodes[0]?.used).toBe(99_999_999);
    expect(nodes[1]).toMatchObject({ total: 0, squares: [] });
  });

  it.each([
    ['32826012Ki', 33_613_836_288],
    ['8Gi', 8_589_934_592],
    ['1500M', 1_500_000_000],
    ['12', 12],
    ['a lot', undefined],
  ])('reads %s of memory', (memory, bytes) => expect(bytesOf(memory)).toBe(bytes));
});
