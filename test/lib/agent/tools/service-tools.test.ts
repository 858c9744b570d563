import { describe, expect, it, jest } from '@jest/globals';
import { callTool, checkCall } from '../../../../lib/agent/calls/call.ts';
import { allTools, type ToolPorts } from '../../../../lib/agent/tools/all-tools.ts';
import type { ToolContext } from '../../../../lib/agent/tools/tool.ts';
import { readConfig } from '../../../../lib/config.ts';
import { NotConfigured, NotFound } from '../../../../lib/errors.ts';
import { indexes } from '../../../../lib/passages/search-space.ts';
import type { Command, CommandResult, Commands } from '../../../../lib/ports/commands.ts';
import type { FilePart } from '../../../../lib/ports/file-part.ts';
import type { Article, Papers } from '../../../../lib/ports/papers.ts';
import type { PassageTable, ScoredPassage, Vectors } from '../../../../lib/ports/vectors.ts';
import { openRecords } from '../../../../lib/wiring/records.ts';
import { makeTree } from '../../../support/samples/tree.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { makeContext } from '../../../support/tool-context.ts';

/** Calls a tool as the loop does. */
async function call(
  ports: Partial<ToolPorts>,
  name: string,
  input: object,
  context: ToolContext = makeContext('/'),
) {
  const tools = allTools(ports as ToolPorts);
  const checked = checkCall(tools, { id: '1', name, input: JSON.stringify(input) });
  if (checked.refusal !== undefined) return { output: checked.refusal, isError: true };
  return callTool(checked, context);
}

describe('bash', () => {
  const ended: CommandResult = {
    stdout: '',
    stderr: '',
    exitCode: 0,
    timedOut: false,
    truncated: false,
    cwd: '/',
  };

  function commandPorts(result: Partial<CommandResult>) {
    const run = jest.fn<Commands['run']>(async () => ({ ...ended, ...result }));
    const workspaceChanged = jest.fn<ToolPorts['workspaceChanged']>(async () => {});
    return { commandsFor: () => ({ run }), run, workspaceChanged };
  }

  it("runs the command in the run's folder, with write access only to the workspace", async () => {
    const root = await makeTree({ 'a/x': '' });
    const ports = commandPorts({ stdout: 'out', stderr: 'err', exitCode: 3 });
    const { output } = await call(
      ports,
      'bash',
      { command: 'make', timeout: 300 },
      makeContext(root, { cwd: 'a' }),
    );
    expect(output).toEqual({ stdout: 'out', stderr: 'err', exitCode: 3, state: 'failed' });
    expect(ports.run.mock.calls[0]?.[0]).toMatchObject({
      script: 'make',
      cwd: `${root}/a`,
      writable: [root],
      timeoutMs: 300_000,
      maxOutputBytes: 1024 * 1024,
      signal: expect.any(AbortSignal),
    });
    expect(ports.workspaceChanged).toHaveBeenCalledWith('w', undefined);
  });

  it('waits 30 s by default', async () => {
    const ports = commandPorts({});
    await call(ports, 'bash', { command: 'make' }, makeContext(await makeTree({})));
    expect(ports.run.mock.calls[0]?.[0].timeoutMs).toBe(30_000);
  });

  it('keeps the start and the end of long outputs, and explains how to get the rest', async () => {
    const long = (name: string) => `${name} begins${'x'.repeat(500_000)}${name} ends`;
    const ports = commandPorts({ stdout: long('out'), stderr: long('err'), truncated: true });
    const { output } = await call(ports, 'bash', { command: 'make' }, makeContext(await makeTree({})));
    const { stdout, stderr, note, cut } = output as Record<string, string>;
    expect(stdout).toMatch(/^out begins.*characters cut\. Write the output to a file.*out ends$/s);
    expect(stderr).toMatch(/^err begins.*characters cut.*err ends$/s);
    expect([stdout?.length, stderr?.length]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(JSON.stringify(output).length).toBeLessThan(30_000);
    expect(note).toBe('The output was over 1024 KB. Only its beginning was kept.');
    expect(cut).toBeUndefined();
  });

  it('reports a timeout', async () => {
    const ports = commandPorts({ exitCode: 124, timedOut: true });
    const { output } = await call(
      ports,
      'bash',
      { command: 'x', timeout: 2 },
      makeContext(await makeTree({})),
    );
    expect(output).toMatchObject({ exitCode: 124, note: 'Stopped after 2 s. timeout can be at most 300.' });
  });

  it('is stopped with the run, and the index reads the files that it had changed', async () => {
    const controller = new AbortController();
    const root = await makeTree({});
    const workspaceChanged = jest.fn<ToolPorts['workspaceChanged']>(async () => {});
    const run = ({ signal }: Command) =>
      new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        setImmediate(() => controller.abort(new Error('stopped')));
      });
    const context = makeContext(root, { signal: controller.signal });
    const running = call(
      { commandsFor: () => ({ run }), workspaceChanged },
      'bash',
      { command: 'x' },
      context,
    );
    await expect(running).rejects.toThrow('stopped');
    await new Promise((resolve) => setImmediate(resolve));
    expect(workspaceChanged).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['no command', {}, /^command is required/],
    ['an empty command', { command: '' }, /^command /],
    ['a time limit of zero', { command: 'x', timeout: 0 }, /^timeout /],
    ['a time limit that is too long', { command: 'x', timeout: 301 }, /^timeout /],
    ['a directory of its own', { command: 'x', cwd: '/' }, /^cwd /],
  ])('rejects %s', async (_, input, message) => {
    const ports = commandPorts({});
    expect(await call(ports, 'bash', input)).toEqual({
      output: expect.stringMatching(message),
      isError: true,
    });
    expect(ports.run).not.toHaveBeenCalled();
  });

  it("reports what is missing if commands can't run", async () => {
    const commands = {
      run: () => Promise.reject(new NotConfigured('not_configured', 'set ALLOW_UNSANDBOXED_COMMANDS')),
    };
    const ports = { commandsFor: () => commands, workspaceChanged: async () => {} };
    const result = await call(ports, 'bash', { command: 'x' }, makeContext(await makeTree({})));
    expect(result).toEqual({ output: 'set ALLOW_UNSANDBOXED_COMMANDS', isError: true });
  });
});

describe('searchWorkspace', () => {
  const passage = (path: string, part: FilePart = {}): ScoredPassage => ({
    ...{ path, part, context: '', chunk: 0, fileHash: 'h', text: `of ${path}`, score: 1 },
    ...{ startLine: 3, endLine: 4, startChar: 0, endChar: 9 },
  });

  async function searchPorts(passages: ScoredPassage[], indexed = true): Promise<Partial<ToolPorts>> {
    const records = await openRecords(readConfig({ DATA_DIR: await tempFolder() }));
    if (indexed) await indexes.put(records, { workspaceId: 'w', space: 'lexical', rows: 1, commits: 1 });
    const table = { searchText: async () => passages, count: async () => 1 } as unknown as PassageTable;
    const vectors: Vectors = {
      keepVersionsMs: 0,
      open: async () => table,
      drop: async () => {},
      has: async () => true,
      clear: async () => false,
    };
    return { searchFor: () => ({ records, vectors, embedder: undefined }) };
  }

  it('returns passages with locations in the format of readFile', async () => {
    const ports = await searchPorts([passage('a/x.md'), passage('b/y.pdf', { page: 2 })]);
    const { output } = await call(
      ports,
      'searchWorkspace',
      { query: 'apes' },
      makeContext('/', { cwd: 'a' }),
    );
    expect(output).toEqual({
      passages: [
        { path: 'x.md', startLine: 3, endLine: 4, text: 'of a/x.md' },
        { path: '../b/y.pdf', startLine: 3, endLine: 4, page: 2, text: 'of b/y.pdf' },
      ],
    });
  });

  it('returns the requested number of passages', async () => {
    const ports = await searchPorts([passage('a'), passage('b')]);
    const { output } = await call(ports, 'searchWorkspace', { query: 'apes', limit: 1 });
    expect(output).toMatchObject({ passages: [{ path: 'a' }] });
  });

  it('reports that nothing is indexed', async () => {
    const { output } = await call(await searchPorts([], false), 'searchWorkspace', { query: 'apes' });
    expect(output).toEqual({ passages: [], note: 'The workspace is not indexed yet. Use grep.' });
  });

  it.each([
    ['no query', {}, /^query is required/],
    ['an empty query', { query: '' }, /^query /],
    ['too many', { query: 'x', limit: 13 }, /^limit /],
  ])('rejects %s', async (_, input, message) => {
    const result = await call({}, 'searchWorkspace', input);
    expect(result).toEqual({ output: expect.stringMatching(message), isError: true });
  });
});

describe('searchArticles and readPaper', () => {
  const article: Article = {
    ...{
      id: '1',
      title: 'Apes',
      authors: Array.from('abcdefg'),
      abstract: 'x'.repeat(2000),
      url: 'https://a.example',
    },
    ...{ pdfUrl: null, publishedDate: '2026-01-01', source: 'hub_a', doi: null, score: 1 },
  };
  const papers: Papers = {
    search: async () => ({ articles: [article], totalCount: 9, errors: { openalex: 'timed out' } }),
    read: async ({ url }) => ({ url, text: `${'line\n'.repeat(10_000)}end` }),
    fetch: () => Promise.reject(new Error('no tool fetches papers')),
    references: async () => [],
    retracted: async () => [],
    lookUp: async () => [],
  };

  it('return articles, shorten long ones, and report failures', async () => {
    const { output } = await call({ papers }, 'searchArticles', { keywords: ['apes'] });
    const { articles, ...rest } = output as { articles: Article[] };
    expect(rest).toEqual({ totalCount: 9, errors: { openalex: 'timed out' } });
    expect(articles[0]?.authors).toEqual(['a', 'b', 'c', 'd', 'e', 'and 2 more']);
    expect(articles[0]?.abstract.length).toBeLessThan(700);
  });

  it('return a long paper in parts', async () => {
    const { output } = await call({ papers }, 'readPaper', { url: 'https://a.example', offset: 9999 });
    expect(output).toEqual({
      ...{
        url: 'https://a.example',
        content: 'line\nline\nend',
        startLine: 9999,
        endLine: 10_001,
        totalLines: 10_001,
      },
    });
    const first = await call({ papers }, 'readPaper', { url: 'https://a.example' });
    expect(first.output).toMatchObject({ startLine: 1, next: { offset: expect.any(Number) } });
  });

  it.each([
    ['searchArticles', { keywords: ['apes'] }, 'Paper search is not configured.'],
    ['readPaper', { url: 'https://a.example' }, 'Paper search is not configured.'],
    ['searchArticles', { keywords: [] }, /^keywords /],
    ['searchArticles', { keywords: ['x'], maxResults: 31 }, /^maxResults /],
    ['searchArticles', { keywords: ['x'], dateFrom: 'may' }, /^dateFrom /],
    ['searchArticles', { keywords: ['x'], sources: ['library'] }, /^sources\.0 /],
    ['readPaper', { url: 'file:///etc/passwd' }, /^url /],
  ])('fail if no source is configured: %s %j', async (name, input, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await call({}, name, input)).toEqual({ output: expected, isError: true });
  });
});

describe('getSkill', () => {
  const skill = { name: 'Report', slug: 'report', description: 'd', instructions: 'i', steps: [] };

  it('returns the instructions of a skill that the caller may use here', async () => {
    const loadSkill = jest.fn<ToolPorts['loadSkill']>(async () => skill);
    const context = makeContext('/');
    expect(await call({ loadSkill }, 'getSkill', { slug: 'report' }, context)).toEqual({
      output: skill,
      isError: false,
    });
    expect(loadSkill).toHaveBeenCalledWith(context.caller, 'w', 'report');
  });

  it('reports a missing skill to the model', async () => {
    const loadSkill = () => Promise.reject(new NotFound('not_found', 'This skill does not exist.'));
    expect(await call({ loadSkill }, 'getSkill', { slug: 'x' })).toEqual({
      output: 'This skill does not exist.',
      isError: true,
    });
  });
});

describe('cluster tools', () => {
  const valid: [string, object][] = [
    ['cluster', { action: 'get', kind: 'pod' }],
    ['cluster', { action: 'delete', kind: 'pod', name: 'p' }],
    ['submitJob', { name: 'train', command: 'x' }],
    ['collectJobResults', { name: 'train' }],
  ];

  it.each(valid)('%s %j reports that no cluster is configured', async (name, input) => {
    expect(await call({}, name, input)).toEqual({ output: 'No cluster is configured.', isError: true });
  });

  it.each([
    ['cluster', { action: 'exec' }, /^action /],
    ['cluster', { action: 'get' }, /^kind is required for get\./],
    ['cluster', { action: 'get', kind: 'pods/../secrets' }, /^kind must be a Kubernetes kind\./],
    ['cluster', { action: 'get', kind: 'pod', name: '..' }, /^name must be a Kubernetes name\./],
    [
      'cluster',
      { action: 'get', kind: 'pod', name: 'a,involvedObject.name=b' },
      /^name must be a Kubernetes name\./,
    ],
    ['cluster', { action: 'delete', kind: 'pod' }, /^name is required for delete\./],
    ['cluster', { action: 'scale', kind: 'deployment', name: 'd' }, /^replicas is required for scale\./],
    ['cluster', { action: 'apply' }, /^manifest is required for apply\./],
    ['cluster', { action: 'get', kind: 'pod', namespace: '-x' }, /^namespace must be a DNS label\./],
    ['cluster', { action: 'logs', name: 'p', container: 'a/b' }, /^container must be a DNS label\./],
    ['cluster', { action: 'get', kind: 'pod', confirm: true }, /^confirm /],
    ['submitJob', { name: 'Train_1', command: 'x' }, /^name must be a DNS label\./],
    ['submitJob', { name: 'train' }, /^command is required/],
    ['submitJob', { name: 'train', command: 'x', gpus: 9 }, /^gpus /],
    ['submitJob', { name: 'train', command: 'x', gpus: 0.5 }, /^gpus /],
    [
      'submitJob',
      { name: 'train', command: 'x', image: 'torch latest' },
      /^image must be a container image reference\./,
    ],
    [
      'submitJob',
      { name: 'train', command: 'x', image: 'Torch' },
      /^image must be a container image reference\./,
    ],
    [
      'submitJob',
      { name: 'train', command: 'x', image: '../torch' },
      /^image must be a container image reference\./,
    ],
    ['submitJob', { name: 'train', command: 'x', approved: true }, /^approved /],
    ['collectJobResults', { name: 'train', tailLines: 2001 }, /^tailLines /],
  ])('%s rejects %j', async (name, input, message) => {
    expect(await call({}, name, input)).toEqual({
      output: expect.stringMatching(message),
      isError: true,
    });
  });

  it.each([
    'torch',
    'torch:2.4',
    'pytorch/pytorch:2.4-cuda12',
    'registry.lab.example:5000/team/train:v1',
    `ghcr.io/a/b@sha256:${'0'.repeat(64)}`,
  ])('submitJob accepts the image %s', async (image) => {
    const input = { name: 'train', command: 'x', image };
    expect(await call({}, 'submitJob', input)).toEqual({
      output: 'No cluster is configured.',
      isError: true,
    });
  });
});
