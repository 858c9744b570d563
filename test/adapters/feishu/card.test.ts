import { describe, expect, it } from '@jest/globals';
import type { InteractiveCard } from '@larksuiteoapi/node-sdk';
import { cutApprovals, formatCard, formatMessage } from '../../../lib/adapters/feishu/card.ts';
import { toCardMarkdown } from '../../../lib/adapters/feishu/markdown.ts';
import type { BotApproval, BotCall, BotContent } from '../../../lib/ports/chat-platform.ts';

type Progress = Extract<BotContent, { kind: 'progress' }>;
const call = (toolName: string, status: BotCall['status'] = 'done'): BotCall => ({
  toolName,
  summary: `run ${toolName}`,
  status,
});
const progress: Progress = {
  kind: 'progress',
  step: 3,
  maxSteps: 50,
  calls: [call('grep'), call('bash', 'failed'), call('readFile', 'running')],
  text: 'I look into it.',
  workspace: '/work/a',
  approvals: [],
  notices: [],
};
const final: Extract<BotContent, { kind: 'final' }> = {
  kind: 'final',
  calls: [call('grep')],
  text: 'Yes.',
  workspace: '/work/a',
  seconds: 12.4,
  notices: [],
};
const texts = (content: Parameters<typeof formatCard>[0]) =>
  formatCard(content).elements.map((element) => ('content' in element ? element.content : element.tag));
/** Size as Feishu counts it: the card as a string in the request's JSON. */
const wireBytes = (content: BotContent) => {
  const request = { receive_id: 'oc_'.padEnd(64, 'x'), ...formatMessage(content), uuid: 'u'.repeat(50) };
  return Buffer.byteLength(JSON.stringify(request));
};

describe('formatCard', () => {
  it.each<[string, Parameters<typeof formatCard>[0], string, string]>([
    ['progress', progress, 'blue', '⏳ Working (step 3 of 50)'],
    ['the end', final, 'green', '✅ Done'],
    ['an error', { kind: 'error', text: 'broken' }, 'red', '❌ Error'],
    ['a command', { kind: 'command', command: 'status', ok: true, text: 'x' }, 'green', '✅ /status'],
    ['a failed command', { kind: 'command', command: 'mode', ok: false, text: 'x' }, 'red', '❌ /mode'],
    ['a push', { kind: 'notice', title: 'Report', text: 'x' }, 'blue', 'Report'],
  ])('formats %s as Feishu documents it, as a card that can be updated', (_, content, template, title) => {
    const card: InteractiveCard = formatCard(content); // the types are from Feishu's own SDK
    expect(card).toMatchObject({
      config: { update_multi: true },
      header: { title: { tag: 'plain_text', content: title }, template },
    });
    for (const element of card.elements ?? []) {
      expect(element).toEqual({ tag: 'markdown', content: expect.stringMatching(/./) });
    }
    expect(formatMessage(content)).toEqual({ msg_type: 'interactive', content: JSON.stringify(card) });
  });

  it('shows the tool calls with their status, the text so far, the workspace, and the step', () => {
    expect(texts(progress)).toEqual([
      '✅ **grep** `run grep`\n❌ **bash** `run bash`\n⏳ **readFile** `run readFile`',
      'I look into it.',
      '📁 `/work/a` · step 3 of 50',
    ]);
    expect(texts(final)).toEqual(['✅ **grep** `run grep`', 'Yes.', '📁 `/work/a` · 1 tool call · 12 s']);
  });

  it('shows only the latest calls if there are many', () => {
    const calls = Array.from({ length: 40 }, (_, index) => call(`tool${index}`));
    const [list] = texts({ ...progress, calls });
    expect(list?.split('\n')).toHaveLength(16);
    expect(list).toMatch(/^… 25 earlier\n/);
    expect(list).toContain('**tool39**');
  });

  it.each([
    ['of only spaces', `#${' '.repeat(20_000)}\u2028`, ''],
    ['with endless spaces', `# a${' '.repeat(20_000)}\u2028b`, `**a${' '.repeat(20_000)}\u2028b**`],
    ['of number signs', `# a${'#'.repeat(20_000)}b`, `**a${'#'.repeat(20_000)}b**`],
    ['closed by number signs', '## Title ##', '**Title**'],
    ['that ends in its own number sign', '# C#', '**C#**'],
    ['of endless images', `# ${'!['.repeat(10_000)}`, `**${'!['.repeat(10_000)}**`],
  ])('formats a heading %s', (_, text, shown) => {
    expect(toCardMarkdown(text)).toBe(shown);
  });

  it.each([
    ['**“引号”**测试', '**“引号”\u200b**测试'],
    ['**`码`**测，`a**“码”**测`', '**`码`\u200b**测，`a**“码”**测`'],
    ['```\n**“码”**测\n```', '```\n**“码”**测\n```'],
    ['**"foo"**bar', '**"foo"**bar'],
  ])('separates bold text from Chinese punctuation, except in code: %j', (text, shown) => {
    expect(toCardMarkdown(text)).toBe(shown);
  });

  it('shows an approval with two buttons', () => {
    const approvals = [
      {
        id: 'a1',
        number: 1,
        runId: 'r1',
        toolName: 'submitJob',
        summary: 'Submit job x',
        input: { command: 'echo ```' },
        approvable: true,
        note: 'All of it is in the file a.json.',
        always: null,
      },
    ];
    const card = formatCard({ ...progress, approvals });
    expect(texts({ ...progress, approvals })).toContain('All of it is in the file a.json.');
    expect(card.header).toMatchObject({ template: 'orange' });
    expect(card.elements).toContainEqual({
      tag: 'markdown',
      content:
        '**submitJob** needs your approval:\nSubmit job x\n```json\n{\n  "command": "echo \'\'\'"\n}\n```',
    });
    const [approve, refuse] = card.elements.flatMap((element) =>
      'actions' in element ? element.actions : [],
    );
    expect(approve).toMatchObject({
      tag: 'button',
      type: 'primary',
      value: { approvalId: 'a1', approved: true },
    });
    expect(refuse).toMatchObject({
      tag: 'button',
      type: 'danger',
      value: { approvalId: 'a1', approved: false },
    });
  });

  const asks = (input: unknown, more: Partial<BotApproval> = {}): BotApproval => ({
    ...{ id: 'a1', number: 1, runId: 'r1', toolName: 'submitJob', summary: 'Submit job x' },
    ...{ input, approvable: true, note: '', always: null },
    ...more,
  });

  it("shows no approve button for a call that isn't shown completely", () => {
    const approvals = [asks({ command: 'x' }, { approvable: false, note: 'Not here.' })];
    const buttons = formatCard({ ...progress, approvals }).elements.flatMap((element) =>
      'actions' in element ? element.actions.map(({ value }) => value) : [],
    );
    expect(buttons).toEqual([{ approvalId: 'a1', approved: false }]);
  });

  const always = 'git pull';

  it('offers a rule, and asks for confirmation before adding it', () => {
    const approvals = [asks({ command: always }, { toolName: 'bash', always })];
    const card = formatCard({ ...progress, approvals });
    const buttons = card.elements.flatMap((element) => ('actions' in element ? element.actions : []));
    expect(buttons).toHaveLength(3);
    expect(buttons[2]).toMatchObject({
      value: { approvalId: 'a1', approved: true, always },
      confirm: {
        title: { tag: 'plain_text' },
        text: { tag: 'plain_text', content: expect.stringMatching(/^bash: git pull\n/) },
      },
    });
    expect(buttons.slice(0, 2).map(({ value }) => value.always)).toEqual([undefined, undefined]);
    expect(texts({ ...progress, approvals }).join('\n')).toContain('✅ **grep** `run grep`');
  });

  it("offers no rule for a call that can't be approved", () => {
    const approvals = [asks({}, { always, approvable: false })];
    expect(JSON.stringify(formatCard({ ...progress, approvals }))).not.toContain(always);
  });

  it('stays within the size limit if each approval offers a rule', () => {
    const long = { summary: '字'.repeat(600), always: '字'.repeat(53) };
    const approvals = ['a1', 'a2', 'a3'].map((id) => asks('字'.repeat(1300), { ...long, id }));
    const calls = Array.from({ length: 15 }, () => ({ ...call('bash'), summary: '字'.repeat(120) }));
    expect(wireBytes({ ...progress, calls, approvals, text: 'x'.repeat(50_000) })).toBeLessThan(30_000);
  });

  it('shows each note next to the answer on its own line', () => {
    const notices = ['Nothing is near.', '<at id=all></at>'];
    for (const content of [progress, final]) {
      const shown = texts({ ...content, notices });
      expect(shown).toContainEqual(expect.stringMatching(/^ℹ️ Nothing is near\.\nℹ️ /));
      expect(shown.join('\n')).not.toContain('<at');
    }
  });

  it.each([
    ['short arguments', asks({ command: 'python train.py' }), false],
    ['arguments that just fit', asks('x'.repeat(3900)), false],
    ["arguments that don't fit", asks('x'.repeat(4100)), true],
    ['Chinese, with three bytes per character', asks('字'.repeat(1500)), true],
    ['a fence, which would become another one on the card', asks({ command: 'echo ```' }), true],
    ['a mention, which would be broken', asks({ text: '<at id=all>' }), true],
    ['a long summary', asks({}, { summary: 'x'.repeat(2100) }), true],
  ])('reports that it cuts %s', (_, approval, isCut) => {
    expect(cutApprovals([approval])).toEqual(isCut ? ['a1'] : []);
    const shown = texts({ ...progress, approvals: [approval] }).join('\n');
    expect(shown.includes(JSON.stringify(approval.input, null, 2)) && shown.includes(approval.summary)).toBe(
      !isCut,
    );
  });

  it('omits a fourth approval and explains how to answer it', () => {
    const approvals = [1, 2, 3, 4].map((number) => asks({}, { id: `a${number}`, number }));
    expect(cutApprovals(approvals)).toEqual(['a4']);
    expect(texts({ ...progress, approvals })).toContain('… and 1 more: answer /approve or /deny with 4');
  });

  it('shows no mentions and no images by URL, and makes headings outside code bold', () => {
    const text = '# Title #\n<at id=all></at> ![plot](https://x/p.png)\n```\n# a comment\n```';
    expect(texts({ kind: 'notice', title: 't', text })[0]).toBe(
      '**Title**\n<\u200bat id=all><\u200b/at> [plot](https://x/p.png)\n```\n# a comment\n```',
    );
    expect(formatMessage({ kind: 'text', text: '<AT user_id="all">' }).content).not.toMatch(/<at/i);
  });
});

describe('message size', () => {
  const LIMITS = { card: 30 * 1024, text: 150 * 1024 };
  const hostile = [
    ['quotes', '"\\"'.repeat(40_000)],
    ['control characters', '\u0001'.repeat(60_000)],
    ['line breaks', '\n'.repeat(60_000)],
    ['Chinese', '工作'.repeat(40_000)],
    ['emoji', '🧪'.repeat(40_000)],
    ['unpaired surrogates', '\ud83e'.repeat(40_000)],
  ] as const;

  it.each(hostile)("stays within Feishu's limit in bytes: %s", (_, text) => {
    const approvals = Array.from({ length: 30 }, (_, index) => ({
      id: `${index}`,
      runId: 'r',
      toolName: 'submitJob',
      summary: text,
      input: { text },
      approvable: index % 2 === 0,
      note: 'All of it is in the file approval-12345678.json.',
      always: '字'.repeat(53),
    }));
    const calls = Array.from({ length: 60 }, () => ({ ...call('bash'), summary: text }));
    for (const content of [
      { ...progress, text, calls, workspace: text },
      { ...progress, text, calls, approvals },
      { ...final, text, calls },
      { kind: 'error', text },
      { kind: 'notice', title: text, text },
    ] as BotContent[]) {
      expect(wireBytes(content)).toBeLessThanOrEqual(LIMITS.card);
      expect(formatMessage(content).content.isWellFormed()).toBe(true);
    }
    expect(wireBytes({ kind: 'text', text })).toBeLessThanOrEqual(LIMITS.text);
    expect(wireBytes({ kind: 'text', text: text.repeat(5) })).toBeLessThanOrEqual(LIMITS.text);
  });

  it("reports how much it leaves out, and leaves out only what doesn't fit", () => {
    const long = 'word '.repeat(20_000);
    const [, shown = ''] = texts({ ...final, text: long });
    const left = Number(/… \((\d+) more characters\)$/.exec(shown)?.[1]);
    expect(shown.split('\n')[0]?.length).toBe(long.length - left);
    expect(wireBytes({ ...final, text: long })).toBeGreaterThan(24_000);
    expect(texts({ kind: 'notice', title: 't', text: 'a'.repeat(20_000) })).toEqual(['a'.repeat(20_000)]);
  });
});
