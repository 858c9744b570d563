import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '../../cli/client.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { frames, HONEST, poisoned, startHostileService } from '../support/fakes/hostile-service.ts';
import { childCpuTimeOf } from '../support/processes/cpu-time.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { personEnvironment, runWrs } from '../support/wrs.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Bidi_Control}\u200b\u00ad\u3164\u{e0041}]/u;
const GZIP = { 'content-encoding': 'gzip' };
const TOKEN = 'wrs_of_the_person';
const REQUEST = ['GET /api/workspaces?', 'GET /api/health', 'POST /api/workspaces/w/sync'];

let service: Awaited<ReturnType<typeof startHostileService>>;
let env: Record<string, string>;
let cwd: string;

beforeAll(async () => {
  service = await startHostileService();
  cwd = await tempFolder();
  env = { ...(await personEnvironment()), WRS_URL: service.url, WRS_TOKEN: TOKEN };
});
beforeEach(() => {
  service.seen.length = 0;
  service.state.answers = {};
});
afterAll(() => service.stop());

const wrs = (...args: string[]) => runWrs(args, { env, cwd });

const CHAT_BODY = { workspaceId: 'w', messages: [] };
const APPROVAL = { id: 'a', toolName: 'bash', input: { command: 'ls' }, summary: 's', always: 'ls' };
const CHAT = [
  { type: 'text-delta', id: '1', delta: 'said' },
  { type: 'data-notice', data: { code: 'c', text: 'notice' } },
  { type: 'data-citation', data: { index: 1, path: 'a.md', startLine: 1, quote: 'q', part: {} } },
  { type: 'finish', messageMetadata: { model: 'm' } },
];
const AGENT = [
  { type: 'tool-input-available', toolCallId: 't', toolName: 'bash', input: { command: 'ls' } },
  { type: 'tool-output-available', toolCallId: 't', output: 'out' },
  { type: 'tool-output-error', toolCallId: 't', errorText: 'bad' },
  { type: 'text-delta', id: '1', delta: 'said' },
];
const RESEARCH = [
  { type: 'data-progress', data: { phase: 'p', done: 1, total: 2, calls: 3, costUsd: null } },
  { type: 'data-section', data: { section: { heading: 'h' } } },
];

/** Keeps types and other names of the protocol. All other text of the service is malicious. */
function poisonedFrames(parts: { type: string }[]): string {
  return frames(...parts.map((part) => ({ ...(poisoned(part) as object), type: part.type })));
}

const run = (fields: object) => ({ id: 'r', steps: 1, error: null, ...fields });

function poisonAll() {
  const names = Object.keys(HONEST).filter((name) => !REQUEST.includes(name));
  const answers = Object.fromEntries(names.map((name) => [name, poisoned(HONEST[name])]));
  service.state.answers = {
    ...answers,
    'GET /api/workspaces/w/sync': { ...(answers['GET /api/workspaces/w/sync'] as object), status: 'ready' },
    'POST /api/research': { runId: 'r' },
    'GET /api/research/r': { status: 'done', error: null },
    'POST /api/chat': poisonedFrames(CHAT),
    'POST /api/agent': poisonedFrames(AGENT),
    'GET /api/agent/runs/r/stream': poisonedFrames(RESEARCH),
    'GET /api/agent/runs/r': run({ status: 'done' }),
  };
}

const COMMANDS = [
  ['search', '-w', 'w', 'x'],
  ['search', '-w', 'none', 'x'],
  ['sync', '-w', 'w'],
  ['ask', '-w', 'w', 'x'],
  ['agent', '-w', 'w', 'x'],
  ['research', '-w', 'w', 'x'],
  ['notes', '-w', 'w'],
  ['notes', 'show', 'n'],
  ['token', 'list'],
];

describe('malicious text of a service', () => {
  it.each(COMMANDS)(
    'sends no control sequence to the terminal and forges no line: wrs %s %s %s',
    async (...args) => {
      poisonAll();
      const { stdout, stderr } = await wrs(...args);
      expect((stdout + stderr).length).toBeGreaterThan(5);
      expect(stdout + stderr).not.toMatch(CONTROL);
      const isText = args[0] === 'ask' || args[0] === 'agent' || args[0] === 'research' || args[1] === 'show';
      if (!isText) expect(stdout).not.toMatch(/^wrs: forged/m);
      expect(stderr).not.toMatch(/^wrs: forged/m);
    },
  );

  it.each(COMMANDS)('is only JSON with --json: wrs %s %s %s', async (...args) => {
    poisonAll();
    const { stdout, stderr } = await wrs(...args, '--json');
    const lines = (stdout + stderr).split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(typeof JSON.parse(line)).toBe('object');
    expect(stdout + stderr).not.toMatch(CONTROL);
  });

  it('is one short line in an error', async () => {
    service.state.answers = {
      'GET /api/tokens': refusal({ error: `${poisoned('no')}${'x'.repeat(900_000)}` }),
    };
    const { code, stderr } = await wrs('token', 'list');
    expect(code).toBe(1);
    expect(stderr).not.toMatch(CONTROL);
    expect(stderr).toMatch(/^wrs: [^\n]{100,3000}\n$/);
  });

  it('is shown in linear time, for every start of a control sequence', async () => {
    service.state.answers = { 'GET /api/notes/': { title: 't', content: '\x1b]'.repeat(300_000) } };
    const show = async () => expect((await wrs('notes', 'show', 'n')).code).toBe(0);
    expect(await childCpuTimeOf(show)).toBeLessThan(10_000);
  });
});

const refusal = (body: unknown) => (_request: unknown, response: ServerResponse) => {
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const answerOf =
  (text: string | Buffer, headers: Record<string, string> = {}) =>
  (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);
  };

function flood(piece: string) {
  return (_request: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-run-id': 'r' });
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  };
}

describe('invalid response', () => {
  const TOKENS = 'GET /api/tokens';
  const CHATS = 'POST /api/chat';
  it.each<[string, string, unknown, number, RegExp]>([
    ['an HTML page', TOKENS, answerOf('<!doctype html>', { 'content-type': 'text/html' }), 1, /isn't JSON/],
    ['an empty response', TOKENS, answerOf(''), 1, /isn't JSON/],
    ['null', TOKENS, answerOf('null'), 1, /Can't read the response of the service/],
    ['a string instead of a list', TOKENS, answerOf('7'), 1, /Can't read the response of the service/],
    ['JSON that is too deep', TOKENS, answerOf('['.repeat(200_000) + ']'.repeat(200_000)), 1, /isn't JSON/],
    ['fewer bytes than announced', TOKENS, shorter, 3, /onnection .*was lost/],
    ['invalid gzip', TOKENS, answerOf('xyz', { 'content-encoding': 'gzip' }), 3, /onnection .*was lost/],
    ['a gzip bomb', TOKENS, answerOf(gzipSync(Buffer.alloc(150_000_000)), GZIP), 1, /longer than/],
    ['an invalid stream', CHATS, answerOf('hello'), 1, /was cut off\. Ask again/],
    ['an event of invalid JSON', CHATS, answerOf('data: {"type"\n\n'), 1, /an event that wrs can't read/],
    ['a null event', CHATS, answerOf('data: null\n\n'), 1, /an event that wrs can't read/],
    ['an event of invalid text', CHATS, answerOf(Buffer.alloc(999, 0xff)), 1, /Ask again/],
    ['an endless event', CHATS, flood('x'.repeat(65_536)), 1, /event that does not end/],
    [
      'a gzip bomb as a stream',
      CHATS,
      answerOf(gzipSync(Buffer.alloc(100_000_000)), GZIP),
      1,
      /event that does not end/,
    ],
    ['endless comments', CHATS, flood(`: ${'x'.repeat(60_000)}\n\n`.repeat(16)), 1, /does not end/],
    ['a stream that breaks off', CHATS, broken, 1, /onnection .*was lost/],
    ['a redirect', TOKENS, redirect, 3, /redirects/],
  ])('is reported in one line without a stack trace: %s', async (_name, route, answer, expected, words) => {
    service.state.answers = { [route]: answer };
    const args = route === CHATS ? ['ask', '-w', 'w', 'x', '--no-sync'] : ['token', 'list'];
    const { code, stderr } = await wrs(...args);
    expect([code, stderr]).toEqual([expected, expect.stringMatching(words)]);
    expect(stderr).toMatch(/^wrs: [^\n]+\n$/);
    expect(stderr).not.toContain(TOKEN);
  });

  it('is ended by a line break before the error is reported', async () => {
    const part = { type: 'text-delta', id: 'a', delta: 'Owls hunt' };
    service.state.answers = { [CHATS]: answerOf(`data: ${JSON.stringify(part)}\n\n`) };
    const { stdout, stderr } = await wrs('ask', '-w', 'w', 'x', '--no-sync');
    expect([stdout, stderr]).toEqual(['Owls hunt\n', expect.stringMatching(/^wrs: .*cut off/)]);
  });

  it('is limited by the timeout, however slowly it arrives', async () => {
    service.state.answers = { [TOKENS]: slow, [CHATS]: () => undefined };
    const client = createClient({ url: service.url }, new AbortController().signal, 200);
    await expect(client.call((api) => api.GET('/api/tokens'))).rejects.toThrow('took longer');
    await expect(client.stream((api) => api.POST('/api/chat', { body: CHAT_BODY }))).rejects.toThrow(
      'took longer',
    );
  });
});

function shorter(_request: unknown, response: ServerResponse) {
  response.writeHead(200, { 'content-length': '1000' }).write('[]');
  setTimeout(() => response.destroy(), 50);
}

function broken(_request: unknown, response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"type":"start"}\n\n');
  setTimeout(() => response.destroy(), 50);
}

function redirect(_request: unknown, response: ServerResponse) {
  response.writeHead(307, { location: `${service.url.replace('127.0.0.1', 'localhost')}/stolen` }).end();
}

function slow(_request: unknown, response: ServerResponse) {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
}

describe('API token', () => {
  it('is not sent to a redirect of an answer, a stream, or a download', async () => {
    for (const route of ['GET /api/tokens', 'POST /api/chat', 'GET /api/research/r/export'])
      service.state.answers = { ...service.state.answers, [route]: redirect };
    const client = createClient({ url: service.url, token: TOKEN }, new AbortController().signal);
    await expect(client.call((api) => api.GET('/api/tokens'))).rejects.toThrow('redirects');
    await expect(client.stream((api) => api.POST('/api/chat', { body: CHAT_BODY }))).rejects.toThrow(
      'redirects',
    );
    await expect(
      client.download((api) => api.GET('/api/research/{runId}/export', { params: { path: { runId: 'r' } } })),
    ).rejects.toThrow('redirects');
    expect(await client.lastCall((api) => api.GET('/api/tokens'))).toBe(false);
    expect(service.seen.map(({ url }) => url)).not.toContain('/stolen');
  });

  it.each(['two\nlines', 'an em — dash', 'an empty room'])(
    'is not repeated in an error if it is malformed: %j',
    async (token) => {
      const { code, stderr } = await runWrs(['token', 'list'], { env: { ...env, WRS_TOKEN: token }, cwd });
      expect(code).toBe(2);
      expect(stderr).toMatch(/^wrs: The token contains /);
      expect(stderr).not.toContain(token.slice(-4));
      expect(service.seen).toEqual([]);
    },
  );

  it('is never part of a URL', async () => {
    const { code, stderr } = await wrs('token', 'list', '--url', service.url.replace('//', '//ann:secret@'));
    expect([code, stderr]).toEqual([2, expect.not.stringContaining('secret')]);
  });
});

it('wrs prints a notice within an answer on its own line', async () => {
  const [said = { type: '' }, notice = said, , finish = said] = CHAT;
  service.state.answers = { ...HONEST, 'POST /api/chat': frames(said, notice, said, finish) };
  const { stdout, stderr } = await wrs('ask', '-w', 'w', 'What?', '--no-sync');
  expect({ stdout, stderr }).toEqual({ stdout: 'said\nsaid\n\n', stderr: 'notice\n' });
});

describe("values that a service can't influence", () => {
  it("include the version and the completion, for which the service isn't called", async () => {
    expect((await wrs('--version')).stdout).toBe(`${packageFile.version}\n`);
    expect((await wrs('completion', 'bash')).stdout).toContain('complete -o filenames');
    expect(service.seen).toEqual([]);
  });

  it('include the name of a written file, which the user gave', async () => {
    const folder = await tempFolder();
    const header = { 'content-disposition': 'attachment; filename="../../x"' };
    service.state.answers = {
      'GET /api/research/r/export': answerOf('# Report', header),
      'GET /api/agent/runs/r/stream': frames(),
    };
    const out = join(folder, '-rf.md');
    expect(await wrs('research', '-w', 'w', 'x', '--no-sync', '--out', out)).toMatchObject({ code: 0 });
    expect(await readFile(out, 'utf8')).toBe('# Report');
  });

  it('include the path of a request, which contains only valid IDs', async () => {
    service.state.answers = {
      'POST /api/agent': frames({ type: 'tool-approval-request', approvalId: 'a', toolCallId: 't' }),
      'GET /api/agent/runs/r/stream': frames(),
      'GET /api/agent/runs/r': run({ status: 'waiting', approvals: [{ ...APPROVAL, id: '../../../x?' }] }),
      'POST /api/agent/runs/r/approvals/': () => {
        service.state.answers = {
          ...service.state.answers,
          'GET /api/agent/runs/r': run({ status: 'done' }),
        };
      },
    };
    const posted = wrs('agent', '-w', 'w', 'x');
    await until(() => service.seen.some(({ url }) => url.includes('approvals')));
    expect(service.seen.map(({ url }) => url)).toContain('/api/agent/runs/r/approvals/..%2F..%2F..%2Fx%3F');
    await service.stop();
    service = await startHostileService();
    env.WRS_URL = service.url;
    expect((await posted).code).toBe(3);
  });
});

async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise((done) => setTimeout(done, 20));
}
