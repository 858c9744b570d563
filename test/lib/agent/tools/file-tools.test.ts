import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { diskObjects } from '../../../../lib/adapters/disk/objects.ts';
import { ripgrepTextSearch } from '../../../../lib/adapters/ripgrep/text-search.ts';
import { callTool, checkCall } from '../../../../lib/agent/calls/call.ts';
import { editFileTool } from '../../../../lib/agent/tools/edit-file.ts';
import { grepTool } from '../../../../lib/agent/tools/grep.ts';
import { listDirectoryTool } from '../../../../lib/agent/tools/list-directory.ts';
import { readFileTool } from '../../../../lib/agent/tools/read-file.ts';
import { writeFileTool } from '../../../../lib/agent/tools/write-file.ts';
import { encodedFormats } from '../../../../lib/formats/all-formats.ts';
import { encodeAs } from '../../../support/samples/encode-as.ts';
import { makePdf } from '../../../support/samples/pdf.ts';
import { makeTree } from '../../../support/samples/tree.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { makeContext, touchQueue } from '../../../support/tool-context.ts';

const indexQueue = touchQueue();
const textSearch = ripgrepTextSearch();
const objects = diskObjects(await tempFolder(), () => Promise.reject(new Error('no uploads here')));
const tools = [
  readFileTool({ objects }),
  listDirectoryTool(),
  grepTool({ textSearch, objects }),
  writeFileTool({ touchQueue: indexQueue }),
  editFileTool({ touchQueue: indexQueue }),
];

/** Calls a tool as the loop does, in a workspace at `root`. */
async function call(root: string, name: string, input: object, cwd = '') {
  const checked = checkCall(tools, { id: '1', name, input: JSON.stringify(input) });
  if (checked.refusal !== undefined) return { output: checked.refusal, isError: true };
  const result = await callTool(checked, makeContext(root, { cwd }));
  return { ...result, output: result.output as Record<string, unknown> };
}

const hashOf = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

describe('readFile', () => {
  it('returns the exact text with its lines and the hash of the file', async () => {
    const text = '\ufeffone\r\n\ttwo\n\nfour';
    const root = await makeTree({ 'a/b.txt': text });
    expect(await call(root, 'readFile', { path: 'a/b.txt' })).toEqual({
      output: { path: 'a/b.txt', hash: hashOf(text), content: text, startLine: 1, endLine: 4, totalLines: 4 },
      isError: false,
    });
  });

  it('returns a range of lines, and where to continue', async () => {
    const root = await makeTree({ 'a.txt': '1\n2\n3\n4\n5\n' });
    const { output } = await call(root, 'readFile', { path: 'a.txt', offset: 2, limit: 2 });
    expect(output).toMatchObject({
      content: '2\n3\n',
      startLine: 2,
      endLine: 3,
      totalLines: 5,
      next: { offset: 4 },
    });
  });

  it('returns a long file in parts, none of which is truncated', async () => {
    const text = `${'"quoted" line\n'.repeat(5000)}${'z'.repeat(40_000)}`;
    const root = await makeTree({ 'a.txt': text });
    let content = '';
    let next: unknown = {};
    while (next !== undefined) {
      const { output } = await call(root, 'readFile', { path: 'a.txt', ...(next as object) });
      expect(output).not.toHaveProperty('cut');
      ({ next } = output as { next?: unknown });
      content += (output as { content: string }).content;
    }
    expect(content).toBe(text);
  });

  it('returns the text of a PDF by page', async () => {
    const pdf = makePdf(['apes in trees', 'apes at sea', 'apes on rocks']);
    const root = await makeTree({ 'a.pdf': pdf });
    const { output } = await call(root, 'readFile', { path: 'a.pdf', offset: 2, limit: 1 });
    expect(output).toEqual({
      path: 'a.pdf',
      hash: hashOf(pdf),
      content: expect.stringContaining('apes at sea'),
      startPage: 2,
      endPage: 2,
      totalPages: 3,
      next: { offset: 3 },
    });
    expect((await call(root, 'readFile', { path: 'a.pdf' })).output).toMatchObject({
      startPage: 1,
      endPage: 3,
    });
  });

  it('offers the text of a file to editFile, but not extracted text', () => {
    const { description } = readFileTool({ objects });
    expect(description).toContain(
      'For a UTF-8 text file it is exact, so any part of it can be passed to editFile',
    );
    for (const { title } of encodedFormats)
      expect(description).toMatch(new RegExp(`a document \\(.*${title}`));
    expect(description).toMatch(/text of a document .* cannot be edited/);
  });

  it('reports that a PDF contains no text', async () => {
    const root = await makeTree({ scan: makePdf(['', '']) });
    const { output } = await call(root, 'readFile', { path: 'scan' });
    expect(output).toMatchObject({ totalPages: 2, note: expect.stringContaining('no text') });
  });

  it("reads through a link inside the workspace, and relative to the run's folder", async () => {
    const root = await makeTree({ 'a/b.txt': 'x' });
    await symlink('a/b.txt', join(root, 'link'));
    expect((await call(root, 'readFile', { path: 'link' })).output).toMatchObject({ content: 'x' });
    await mkdir(join(root, 'c'));
    for (const path of ['../a/b.txt', join(root, 'a/b.txt'), `${root}/c/./../a//b.txt`])
      expect((await call(root, 'readFile', { path }, 'c')).output).toMatchObject({
        path: '../a/b.txt',
        content: 'x',
      });
  });

  it.each([
    ['a missing file', { path: 'missing' }, 'path does not exist.'],
    ['a directory', { path: 'folder' }, "path isn't a regular file."],
    [
      'a binary file',
      { path: 'binary' },
      /^path is a binary file of 4 bytes\. Only text and PDF and DOCX and PPTX/,
    ],
    ['a truncated PDF', { path: 'broken.pdf' }, 'The PDF file is incomplete. Add it again.'],
    [
      'a file over 50 MB',
      { path: 'large' },
      /^path is over 50 MB\. Search it with grep, or extract a part with bash\./,
    ],
    [
      'a line after the end',
      { path: 'a.txt', offset: 3 },
      'offset must be at most 2: there are only 2 lines.',
    ],
    ['line 0', { path: 'a.txt', offset: 0 }, /^offset /],
    ['a path out of the workspace', { path: '../x' }, 'path leads outside the workspace.'],
    [
      'a path out of the workspace and back',
      { path: '../../../x/../..' },
      'path leads outside the workspace.',
    ],
    ['an absolute path outside', { path: '/etc/passwd' }, 'path leads outside the workspace.'],
    ['a link to the outside', { path: 'out' }, 'path leads outside the workspace.'],
    ['no path', {}, /^path is required/],
  ])('rejects %s', async (_, input, message) => {
    const root = await makeTree({
      'a.txt': '1\n2',
      binary: Buffer.from([1, 0, 2, 3]),
      'broken.pdf': '%PDF-1',
      large: '',
    });
    await Promise.all([mkdir(join(root, 'folder')), symlink('/etc/passwd', join(root, 'out'))]);
    await truncate(join(root, 'large'), 51 * 1024 * 1024);
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await call(root, 'readFile', input)).toEqual({ output: expected, isError: true });
  });
});

describe('listDirectory', () => {
  const files = { 'b.txt': 'four', 'a/x': '', '.hidden': '', 'c.txt': '' };

  it('returns directories first, then files with their sizes', async () => {
    const root = await makeTree(files);
    expect((await call(root, 'listDirectory', {})).output).toEqual({
      path: '.',
      entries: [
        { name: 'a', type: 'directory' },
        { name: 'b.txt', type: 'file', size: 4 },
        { name: 'c.txt', type: 'file', size: 0 },
      ],
    });
    expect((await call(root, 'listDirectory', {}, 'a')).output).toMatchObject({
      path: '.',
      entries: [{ name: 'x' }],
    });
    expect((await call(root, 'listDirectory', { path: '..' }, 'a')).output).toMatchObject({ path: '..' });
    expect((await call(root, 'listDirectory', { hidden: true })).output).toMatchObject({
      entries: expect.arrayContaining([{ name: '.hidden', type: 'file', size: 0 }]),
    });
  });

  it('returns a long list in parts', async () => {
    const root = await makeTree(files);
    const first = (await call(root, 'listDirectory', { limit: 2 })).output as {
      entries: unknown[];
      next: string;
    };
    expect(first.entries).toHaveLength(2);
    const second = await call(root, 'listDirectory', { limit: 2, cursor: first.next });
    expect(second.output).toEqual({ path: '.', entries: [{ name: 'c.txt', type: 'file', size: 0 }] });
  });

  it.each([
    ['a file', { path: 'b.txt' }, "path isn't a directory."],
    ['a missing directory', { path: 'missing' }, 'path does not exist.'],
    ['a path outside', { path: '..' }, 'path leads outside the workspace.'],
    ['an invented cursor', { cursor: 'x' }, "cursor isn't a cursor of this list."],
  ])('rejects %s', async (_, input, message) => {
    expect(await call(await makeTree(files), 'listDirectory', input)).toEqual({
      output: message,
      isError: true,
    });
  });
});

describe('grep', () => {
  it('returns locations in the format of readFile', async () => {
    const root = await makeTree({ 'a/x.txt': 'no\nape', 'b/y.txt': 'ape' });
    const { output } = await call(root, 'grep', { pattern: 'ape', path: '..' }, 'a');
    expect(output).toEqual({
      matches: [
        { path: 'x.txt', line: 2, text: 'ape' },
        { path: '../b/y.txt', line: 1, text: 'ape' },
      ],
      truncated: false,
    });
    expect((await call(root, 'grep', { pattern: 'ape' }, 'a')).output).toMatchObject({
      matches: [{ path: 'x.txt' }],
    });
  });

  it('reports that there are more matches', async () => {
    const root = await makeTree({ 'a.txt': 'ape\n'.repeat(10) });
    const { output } = await call(root, 'grep', { pattern: 'ape', limit: 3 });
    expect(output).toMatchObject({ matches: [{}, {}, {}], truncated: true });
  });

  it('searches the text of documents by page, not their bytes', async () => {
    const pdf = makePdf(['Bears swim.', 'Owls fly by night.']);
    const root = await makeTree({ 'a.md': 'owls', 'b/paper.PDF': pdf, 'c.pdf': 'broken', '.d.pdf': pdf });
    const { output } = await call(root, 'grep', { pattern: 'owls', ignoreCase: true });
    expect(output).toEqual({
      matches: [
        { path: 'a.md', line: 1, text: 'owls' },
        { path: 'b/paper.PDF', page: 2, text: 'Owls fly by night.' },
      ],
      truncated: false,
    });
    const found = async (input: object) => (await call(root, 'grep', { pattern: 'Owls', ...input })).output;
    expect(await found({ path: 'b/paper.PDF' })).toMatchObject({ matches: [{ page: 2 }] });
    expect(await found({ include: ['*.md'] })).toEqual({ matches: [], truncated: false });
    expect(await found({ pattern: 'endobj|Bears', limit: 1 })).toMatchObject({
      matches: [{ page: 1, text: 'Bears swim.' }],
      truncated: false,
    });
    expect(await found({ pattern: 'i', limit: 1 })).toMatchObject({ matches: [{}], truncated: true });
  });

  it('looks up the lines of a long document once, for any number of matches', async () => {
    const cell = { cell_type: 'raw', source: 'ape\n'.repeat(500_000) };
    const root = await makeTree({ 'long.ipynb': JSON.stringify({ cells: [cell] }) });
    const timeOf = async (limit: number) => {
      const before = process.cpuUsage();
      const { output } = await call(root, 'grep', { pattern: 'ape', limit });
      expect(output).toMatchObject({ truncated: true, matches: { length: limit } });
      return process.cpuUsage(before).user / 1000;
    };
    await timeOf(1); // decodes it
    expect((await timeOf(500)) - (await timeOf(1))).toBeLessThan(1000);
  });

  it("finds words in files that aren't UTF-8, and returns their lines as text", async () => {
    const root = await makeTree({
      'gbk.txt': encodeAs('第一行\n第二行 error：错误\n', 'gb18030'),
      'sjis.txt': encodeAs('エラーが発生しました。もう一度お試しください。\n', 'shift_jis'),
      'latin.txt': encodeAs('le café\n', 'windows-1252'),
      'utf8.txt': '错误\n',
    });
    const found = async (pattern: string, path = '') =>
      ((await call(root, 'grep', { pattern, path })).output as { matches: object[] }).matches;
    const line = { path: 'gbk.txt', line: 2, text: '第二行 error：错误' };
    expect(await found('错误')).toEqual([{ path: 'utf8.txt', line: 1, text: '错误' }, line]);
    expect(await found('error')).toEqual([line]);
    expect(await found('error|错误', 'gbk.txt')).toEqual([line]);
    expect(await found('発生')).toMatchObject([{ path: 'sjis.txt', line: 1 }]);
    expect(await found('café$')).toMatchObject([{ path: 'latin.txt', text: 'le café' }]);
  });

  it.each([
    ['an invalid pattern', { pattern: '(' }, /^pattern is not a valid regular expression: unclosed group/],
    ['no pattern', {}, /^pattern is required/],
    ['an empty pattern', { pattern: '' }, /^pattern /],
    ['a path outside', { pattern: 'x', path: '/etc' }, /^path leads outside the workspace\./],
    ['a missing path', { pattern: 'x', path: 'missing' }, /^path does not exist\./],
    ['more than the maximum', { pattern: 'x', limit: 501 }, /^limit /],
  ])('rejects %s', async (_, input, message) => {
    const result = await call(await makeTree({}), 'grep', input);
    expect(result).toEqual({ output: expect.stringMatching(message), isError: true });
  });
});

describe('file that is not UTF-8', () => {
  const text = '这是一个用国标码写的文件，里面有两行。\n第二行。\n';

  it("is read as text, and can't be overwritten, so that it keeps its encoding", async () => {
    const bytes = encodeAs(text, 'gb18030');
    const root = await makeTree({ 'gbk.txt': bytes });
    const read = await call(root, 'readFile', { path: 'gbk.txt' });
    expect(read.output).toMatchObject({ content: text, encoding: 'gb18030', totalLines: 2 });
    const edits = [{ oldText: '第二行', newText: '第三行' }];
    for (const [name, input] of [
      ['editFile', { path: 'gbk.txt', edits }],
      ['writeFile', { path: 'gbk.txt', content: text }],
    ] as const) {
      const refusal = {
        output: expect.stringMatching(/^path is gb18030, not UTF-8, and writing would change that\. Convert/),
        isError: true,
      };
      expect(await call(root, name, input)).toEqual(refusal);
    }
    expect(await readFile(join(root, 'gbk.txt'))).toEqual(bytes);
  });
});

describe('writeFile', () => {
  it('creates a file with its directories, and notifies the index', async () => {
    const root = await makeTree({ 'c/x': '' });
    indexQueue.touched.length = 0;
    const { output } = await call(root, 'writeFile', { path: '../a/b.txt', content: 'grün' }, 'c');
    expect(output).toEqual({ path: '../a/b.txt', size: 5, hash: hashOf('grün') });
    expect(await readFile(join(root, 'a/b.txt'), 'utf8')).toBe('grün');
    expect(indexQueue.touched).toEqual(['a/b.txt']);
  });

  it.each([
    ['an outdated version', { path: 'a.txt', content: 'x', expectedHash: hashOf('other') }, /^expectedHash /],
    ['the working directory', { path: '', content: 'x' }, /^path must name a file\./],
    ['a directory', { path: 'folder', content: 'x' }, /^path is a directory\./],
    ['a path that ends like a directory', { path: 'new/', content: 'x' }, /^path must name a file\./],
    ['a path outside', { path: '../x', content: 'x' }, /^path leads outside the workspace\./],
    ['a link to the outside', { path: 'out/x', content: 'x' }, /^path leads outside the workspace\./],
    ['no content', { path: 'x' }, /^content is required/],
  ])('rejects %s', async (_, input, message) => {
    const root = await makeTree({ 'a.txt': 'old', 'folder/x': '' });
    await symlink('/tmp', join(root, 'out'));
    indexQueue.touched.length = 0;
    const result = await call(root, 'writeFile', input);
    expect(result).toEqual({ output: expect.stringMatching(message), isError: true });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('old');
    expect(indexQueue.touched).toEqual([]);
  });
});

describe('editFile', () => {
  const edits = [{ oldText: 'two', newText: '2' }];

  it('changes the file, returns the location, and notifies the index', async () => {
    const root = await makeTree({ 'a.txt': '\ufeffone\r\ntwo\r\n' });
    indexQueue.touched.length = 0;
    const expectedHash = hashOf('\ufeffone\r\ntwo\r\n');
    const { output } = await call(root, 'editFile', { path: 'a.txt', edits, expectedHash });
    const text = '\ufeffone\r\n2\r\n';
    expect(output).toEqual({
      path: 'a.txt',
      size: 11,
      hash: hashOf(text),
      changes: [{ lines: [2], replaced: 1 }],
    });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe(text);
    expect(indexQueue.touched).toEqual(['a.txt']);
  });

  it('applies or rejects each of two concurrent edits, and loses no edit', async () => {
    const root = await makeTree({ 'a.txt': '0 1 2 3 4 5 6 7 8 9' });
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, digit) =>
        call(root, 'editFile', { path: 'a.txt', edits: [{ oldText: `${digit}`, newText: '-' }] }),
      ),
    );
    const text = await readFile(join(root, 'a.txt'), 'utf8');
    expect(text.split('-').length - 1).toBe(results.filter(({ isError }) => !isError).length);
    for (const { output, isError } of results)
      if (isError)
        expect(output).toMatch(/^expectedHash no longer matches: the file was changed or deleted since/);
  });

  it.each([
    ['missing text', { edits: [{ oldText: 'three', newText: '3' }] }, /^edits\.0\.oldText wasn't found. /],
    ['a second edit that fails', { edits: [...edits, ...edits] }, /^edits\.1\.oldText wasn't found. /],
    [
      'an outdated version',
      { edits, expectedHash: hashOf('other') },
      /^expectedHash isn't the current version of the file\. Read the file/,
    ],
    ['no edits', { edits: [] }, /^edits /],
    ['an empty old text', { edits: [{ oldText: '', newText: 'x' }] }, /^edits\.0\.oldText /],
    ['a missing file', { path: 'missing', edits }, /^path does not exist\./],
    ['a file that is not UTF-8', { path: 'latin', edits }, /^path isn't UTF-8 text, so it can't be edited\./],
    ['a path outside', { path: '../x', edits }, /^path leads outside the workspace\./],
  ])('rejects %s', async (_, input, message) => {
    const root = await makeTree({ 'a.txt': 'one\ntwo\n' });
    await writeFile(join(root, 'latin'), Buffer.from([0xe4, 0x74, 0x77, 0x6f]));
    const result = await call(root, 'editFile', { path: 'a.txt', ...input });
    expect(result).toEqual({ output: expect.stringMatching(message), isError: true });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });
});
