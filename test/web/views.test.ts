import { describe, expect, it } from '@jest/globals';
import { addPart, NO_STEPS, type RunPart } from '../../web/agent/run-steps.ts';
import { findCitation, groupByFile, viewOfMessage } from '../../web/chat/message-view.ts';
import { quoteSpans } from '../../web/files/quote-marks.ts';
import { tableRows } from '../../web/files/table-rows.ts';
import { foldersAbove, treeRows } from '../../web/files/tree-rows.ts';
import { splitCitations, webAddress, withEnds } from '../../web/parts/markdown/inline-text.ts';
import { readBlocks } from '../../web/parts/markdown/read-blocks.ts';
import { cpuTimeOf } from '../support/processes/cpu-time.ts';

const cited = { index: 2, path: 'a.md', startLine: 3, endLine: 4, quote: 'q', verified: true, stale: false };
const citation = (changed: object) => ({ type: 'data-citation', data: { ...cited, ...changed } });

describe('groupByFile', () => {
  it('has a group per file, in the order of the first citation', () => {
    const { citations } = viewOfMessage(
      ['b.md', 'a.md', 'b.md'].map((path, at) => citation({ index: at + 1, path })),
    );
    const groups = groupByFile(citations).map(({ path, passages }) => [
      path,
      passages.map(({ index }) => index),
    ]);
    expect(groups).toEqual([
      ['b.md', [1, 3]],
      ['a.md', [2]],
    ]);
  });
});

describe('viewOfMessage', () => {
  it('joins the texts, and returns the citations in order, each once', () => {
    const parts = [
      { type: 'text', text: 'One' },
      citation({}),
      citation({ index: 1 }),
      citation({ index: 2, path: 'b.md' }),
      { type: 'text', text: 'Two' },
    ];
    const view = viewOfMessage(parts);
    expect(view.text).toBe('One\n\nTwo');
    expect(view.citations.map(({ index, path }) => [index, path])).toEqual([
      [1, 'a.md'],
      [2, 'b.md'],
    ]);
  });

  it.each([
    [{ support: 'full' }, { support: 'full' }],
    [{ support: 'contradicted', verified: false }, { support: 'contradicted' }],
    [{ support: 'certain' }, { support: 'unjudged' }],
    [
      { support: 'full', quote: '' },
      { support: 'none', isMissing: true },
    ],
    [{ quote: undefined }, { support: 'none', isMissing: true }],
    [{ stale: true }, { support: 'unjudged', isStale: true }],
    [
      { checks: [{ kind: 'number', ok: true }, { kind: 'x', ok: true }, 7] },
      { checks: [{ kind: 'number', ok: true }] },
    ],
  ])('reads %j as %j', (changed, expected) => {
    expect(viewOfMessage([citation(changed)]).citations[0]).toMatchObject(expected);
  });

  it('includes the judgment after the text', () => {
    const judged = (data: unknown) => ({ type: 'data-citation-support', data });
    const { citations } = viewOfMessage([
      citation({ support: 'unjudged' }),
      judged({ id: '2', support: 'none', reason: 'It is about bats.' }),
      judged({ id: '3', support: 'full', reason: '' }),
      judged({ id: '2', support: 'sure', reason: '' }),
      judged(null),
    ]);
    expect(citations).toMatchObject([{ index: 2, support: 'none', reason: 'It is about bats.' }]);
  });

  it('includes each sentence of a citation, with its judgment', () => {
    const claim = (text: unknown, fields: object = {}) => ({ text, startLine: 7, quote: 'Q', ...fields });
    const claims = [claim('One.', { support: 'unjudged' }), claim('Two.', { quote: '' }), claim(3), null];
    const verdicts = [{ support: 'full', reason: 'It says so.' }, null];
    const judged = { id: '2', support: 'none', reason: '', claims: verdicts };
    const { citations } = viewOfMessage([
      citation({ claims }),
      { type: 'data-citation-support', data: judged },
    ]);
    expect(citations[0]?.claims).toMatchObject([
      { text: 'One.', startLine: 7, quote: 'Q', support: 'full', reason: 'It says so.' },
      { text: 'Two.', support: 'none', isMissing: true },
    ]);
    expect(citations[0]?.claims).toHaveLength(2);
  });

  it('ignores malformed parts', () => {
    const odd = [null, 1, 'x', {}, { index: '1', path: 'a' }, { index: 1, path: {} }];
    const parts = odd.flatMap((data) => [
      { type: 'data-citation', data },
      { type: 'data-notice', data },
    ]);
    expect(viewOfMessage([...parts, { type: 'text', text: 7 }])).toMatchObject({
      text: '',
      thoughts: '',
      citations: [],
      notices: [],
      files: [],
    });
    expect(viewOfMessage([citation({ startLine: -3, endLine: 0.5 })]).citations[0]).toMatchObject({
      startLine: 1,
      endLine: 1,
    });
  });

  it('shows a repeated notice once', () => {
    const notice = { type: 'data-notice', data: { code: 'index-empty', text: 'No files.' } };
    expect(viewOfMessage([notice, notice]).notices).toEqual([{ code: 'index-empty', text: 'No files.' }]);
  });

  it('finds the target of a URL, even if a message ID contains dots', () => {
    const messages = [{ id: 'a.b', parts: [citation({})] }];
    expect(findCitation(messages, 'a.b.2')?.citation.path).toBe('a.md');
    for (const source of ['a.b.3', 'a.2', 'a.b', '', undefined])
      expect(findCitation(messages, source)).toBeUndefined();
  });
});

describe('addPart', () => {
  const run = (...parts: RunPart[]) => parts.reduce(addPart, NO_STEPS);
  const call = { toolCallId: 'c1', toolName: 'bash' };

  it('converts texts and calls to steps, in their order', () => {
    const { steps, isOver } = run(
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Look' },
      { type: 'text-delta', id: '1', delta: 'ing.' },
      { type: 'tool-input-start', ...call },
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"com' },
      { type: 'tool-input-available', ...call, input: { command: 'ls' } },
      { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'a.md' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Done.' },
      { type: 'finish' },
    );
    expect(isOver).toBe(true);
    expect(steps).toMatchObject([
      { kind: 'text', text: 'Looking.' },
      {
        kind: 'call',
        call: { tool: 'bash', state: 'done', input: { command: 'ls' }, output: 'a.md', approvalId: 'a1' },
      },
      { kind: 'text', text: 'Done.' },
    ]);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
  });

  it('keeps the reason of a denial', () => {
    const data = { approvalId: 'a1', toolCallId: 'c1', approved: false, reason: 'too dear' };
    const { steps } = run(
      { type: 'tool-input-available', ...call, input: {} },
      { type: 'tool-approval-request', toolCallId: 'c1', approvalId: 'a1' },
      { type: 'data-approval-response', data, transient: true },
      { type: 'tool-output-denied', toolCallId: 'c1' },
    );
    expect(steps).toMatchObject([{ call: { state: 'denied', reason: 'too dear' } }]);
  });

  it('ignores unknown parts', () => {
    const known = run({ type: 'tool-input-start', ...call });
    for (const part of [
      { type: 'something-new' },
      { type: 'tool-output-available', toolCallId: 'other', output: 1 },
      { type: 'text-delta', id: '9', delta: 'x' },
      { type: 'tool-input-start', ...call },
      { type: 'data-notice', data: null },
      { type: 'constructor' },
    ])
      expect(addPart(known, part).steps).toEqual(known.steps);
  });

  it('adds the reason of the end', () => {
    const failed = run(
      { type: 'error', errorText: 'No model is configured.' },
      { type: 'data-error', data: { code: 'model_not_configured' } },
    );
    expect(failed.isOver).toBe(true);
    expect(failed.error).toMatchObject({ message: 'No model is configured.', code: 'model_not_configured' });
  });
});

describe('quoteSpans', () => {
  const lines = ['one two', 'three four', 'one two', 'five'];

  it("marks the quote at the citation's location, across lines", () => {
    expect([...quoteSpans(lines, { from: 3, to: 4, quote: 'two\nfive' })]).toEqual([
      [3, [4, 7]],
      [4, [0, 4]],
    ]);
    expect([...quoteSpans(lines, { from: 2, to: 3, quote: 'one' })]).toEqual([[3, [0, 3]]]);
  });

  it('finds the quote elsewhere, and with other white space', () => {
    expect([...quoteSpans(lines, { from: 4, to: 4, quote: 'three' })]).toEqual([[2, [0, 5]]]);
    expect([...quoteSpans(lines, { from: 1, to: 1, quote: 'two  three' })]).toEqual([
      [1, [4, 7]],
      [2, [0, 5]],
    ]);
  });

  it('marks no missing quote', () => {
    for (const quote of ['six', '', '(((', undefined])
      expect(quoteSpans(lines, { from: 1, to: 1, ...(quote !== undefined && { quote }) }).size).toBe(0);
  });
});

describe('tableRows', () => {
  it('reads quoted cells, with line breaks and quotes in them', () => {
    expect(tableRows('a,b\r\n"1,5","say ""hi""\nnow"\n,\n', ',', 10)).toEqual([
      ['a', 'b'],
      ['1,5', 'say "hi"\nnow'],
      ['', ''],
    ]);
  });

  it('ends at the limit, and at invalid text', () => {
    expect(tableRows('1\n2\n3', ',', 2)).toEqual([['1'], ['2']]);
    expect(tableRows('"never closed\n'.repeat(1000), ',', 5)).toHaveLength(5);
    expect(tableRows('', '\t', 5)).toEqual([]);
  });
});

describe('treeRows', () => {
  const entry = (path: string, type: 'file' | 'directory') => {
    return { name: path.split('/').at(-1) ?? '', path, type, size: 1, modifiedAt: '' };
  };
  const listed = new Map([
    ['', [entry('a', 'directory'), entry('z.md', 'file')]],
    ['a', [entry('a/b', 'directory'), entry('a/c.md', 'file')]],
  ]);

  it('shows the entries of open folders, with their depth', () => {
    const rows = treeRows(listed, new Set(['a', 'a/b']));
    expect(rows.map(({ entry: { path }, depth }) => [path, depth])).toEqual([
      ['a', 0],
      ['a/b', 1],
      ['a/c.md', 1],
      ['z.md', 0],
    ]);
    expect(treeRows(listed, new Set(['a/b'])).map(({ entry: { path } }) => path)).toEqual(['a', 'z.md']);
  });

  it('returns the folders above a path', () => {
    expect(foldersAbove('a/b/c.md')).toEqual(['a', 'a/b']);
    expect(foldersAbove('c.md')).toEqual([]);
  });
});

describe('Markdown text', () => {
  it('treats only known numbers as citations', () => {
    expect(splitCitations('a [1] b[2] [3].', new Set([1, 3]))).toEqual([
      { text: 'a ' },
      { cited: 1 },
      { text: ' b[2] ' },
      { cited: 3 },
      { text: '.' },
    ]);
  });

  it('keeps punctuation after a citation on its line', () => {
    expect(withEnds(splitCitations('a [1]. b [1]”。 c [1] (d)', new Set([1])))).toEqual([
      ...[{ text: 'a ' }, { cited: 1, end: '.' }, { text: ' b ' }, { cited: 1, end: '”。' }],
      ...[{ text: ' c ' }, { cited: 1 }, { text: ' (d)' }],
    ]);
  });

  it('links only to web URLs', () => {
    expect(webAddress('https://a.example/x')?.host).toBe('a.example');
    for (const href of [
      'javascript:1',
      'data:text/html,x',
      'file:///x',
      '//a.example',
      '/x',
      'https://me:pw@a.example',
      'https://',
    ])
      expect(webAddress(href)).toBeUndefined();
  });
});

describe('readBlocks', () => {
  it.each([
    ['> > >', '>'.repeat(5_000)],
    ['- - -', '- '.repeat(5_000)],
    ['1. 1.', '1. '.repeat(5_000)],
    ['a list', Array.from({ length: 400 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n')],
  ])('rejects endlessly nested text: %s', (_kind, text) => {
    expect(readBlocks(text)).toBeUndefined();
  });

  it.each([
    ['quotes with and without their mark', '> a\nb\n'],
    ['code blocks in quotes', '> ```\na\n'],
    ['lists in quotes in lists', '- > - a\nb\n'],
    ['invalid table headers', 'a\n|-|-|\n'],
    ['the same in a list', '  a\n- |-|-|\n'],
  ])('rejects text that is parsed again at each line: %s', (_kind, lines) => {
    expect(readBlocks(lines.repeat(1_000))).toBeUndefined();
    expect(readBlocks(`${lines}\n`.repeat(1_000))).toBeDefined();
  });

  it.each(['a'.repeat(300_000), 'a.'.repeat(150_000)])(
    'does not parse an endless word as an email address',
    (word) => {
      const [paragraph] = readBlocks(`${word}@a`) ?? [];
      expect(paragraph).toMatchObject({ type: 'paragraph', tokens: [{ type: 'text' }] });
      expect(readBlocks('owl@a.example')?.[0]).toMatchObject({ tokens: [{ href: 'mailto:owl@a.example' }] });
    },
  );

  it('looks for marks in a limited part of a text, and shows the other text as source', () => {
    const stretch = `~www..${'x'.repeat(95)}`.repeat(300);
    const blocks = readBlocks(`*a* ${stretch}\n\n`.repeat(12)) ?? [];
    const paragraphs = blocks.flatMap((block) => ('tokens' in block ? [block.tokens ?? []] : []));
    const types = paragraphs.map(([first]) => first?.type);
    expect([types[0], types.at(-1), types.length]).toEqual(['em', 'text', 12]);
  });

  it.each([' ', '\t', '- ', ':-', '|'])('parses a line of only %j once', async (mark) => {
    const took = await cpuTimeOf(() => readBlocks(mark.repeat(200_000)));
    expect(took).toBeLessThan(5_000); // with quadratic time it took 28 s
  });

  it('parses the lines below a heading once', async () => {
    const took = await cpuTimeOf(() => readBlocks('a\n-\n'.repeat(30_000)));
    expect(took).toBeLessThan(5_000); // with quadratic time it took 18 s
    expect(readBlocks('a\n-\nb\n-\n')?.map(({ type }) => type)).toEqual(['heading', 'heading']);
  });

  it('creates no link from an endless URL', () => {
    const [one, , other] =
      readBlocks(`www.a.example/${'b'.repeat(900)}\n\nwww.a.example/${'.,'.repeat(150_000)}"`) ?? [];
    expect(one).toMatchObject({ tokens: [{ type: 'link' }] });
    expect(other).toMatchObject({ tokens: [{ type: 'text' }] });
  });

  it.each(['_a', '[', '*a ', '`a', 'a@'])('keeps a part full of %j unchanged', (mark) => {
    const text = mark.repeat(20_000);
    const blocks = readBlocks(`One *word*.\n\n${text}`) ?? [];
    const [one, , full] = blocks.map((block) => ('tokens' in block ? (block.tokens ?? []) : []));
    expect(one?.map(({ type }) => type)).toEqual(['text', 'em', 'text']);
    expect(full?.map(({ type, raw }) => [type, raw.length > 20_000 - 1])).toEqual([['text', true]]);
  });

  it.each(['', '> ', '- '])(
    'does not expand a table of a few kilobytes to millions of cells, after %j',
    (within) => {
      const rows = [`|${'a|'.repeat(2_000)}`, `|${'-|'.repeat(2_000)}`, ...Array<string>(990).fill('|b|')];
      const text = rows.map((row, at) => `${at === 0 ? within : within.replace('-', ' ')}${row}`).join('\n');
      expect(JSON.stringify(readBlocks(text)).length).toBeLessThan(10 * text.length);
    },
  );

  it('reads tables, even with missing cells', () => {
    const text = '|a|b|c|\n|-|-|-|\n|1|2|3|\n|1|\n\n|a|\n|-|\n';
    expect(readBlocks(text)?.map(({ type }) => type)).toEqual(['table', 'space', 'table']);
  });

  it('reads typical texts', () => {
    const text = `${'> '.repeat(20)}deep\n\n${'> a\nb\n> c\n\n|a|\n|-|\n|b|\n\n'.repeat(500)}${'A *word* of [it](https://a.example).\n\n'.repeat(200)}`;
    expect(readBlocks(text)?.filter(({ type }) => type === 'paragraph')).toHaveLength(200);
  });
});
