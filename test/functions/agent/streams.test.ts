import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Frame, readStream, waitForRun } from '../../support/agent-client.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

/** `npm run test:long` uses 5,000 disconnections. */
const DISCONNECTS = Number(process.env.AGENT_DISCONNECTS ?? 100);
/** Each run is disconnected dozens of times. */
const RUNS_AT_ONCE = Math.min(12, DISCONNECTS / 25);

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url });
  workspace = await makeWorkspace(service);
});
beforeEach(() => {
  provider.paceMs = 0;
});

function request(fields: Record<string, unknown> = {}) {
  return { workspaceId: workspace.id, cwd: '', messages: [{ role: 'user', content: 'Go.' }], ...fields };
}

function streamOf(runId: string): string {
  return `/api/agent/runs/${runId}/stream`;
}

/** Answers with five steps of text and a call, then with a final step. */
function workAWhile() {
  provider.paceMs = 5;
  provider.answer = ({ messages }) => {
    const round = messages.filter(({ role }) => role === 'assistant').length;
    const text = `Round ${round}: ${'blah '.repeat(40)}`;
    const input = { path: 'log.txt', content: `round ${round}` };
    return round < 5 ? { text, calls: [{ name: 'writeFile', input }] } : text;
  };
}

/** Disconnects after a random number of bytes, within an event or between two. */
function leaveSoon() {
  const after = Math.floor(Math.random() * 1500);
  return ({ bytes }: { bytes: number }) => bytes >= after;
}

/**
 * Follows with one client that is disconnected repeatedly and reconnects with the last event number. Returns
 * how often it was disconnected.
 */
async function readWithCuts(runId: string, frames: Frame[]): Promise<number> {
  for (let cuts = 0; ; cuts++) {
    const last = frames.at(-1)?.id ?? 0;
    const byHeader = Math.random() < 0.5;
    const path = byHeader ? streamOf(runId) : `${streamOf(runId)}?after=${last}`;
    const headers: Record<string, string> = byHeader ? { 'last-event-id': String(last) } : {};
    const read = await readStream(service, path, { headers, leave: leaveSoon() });
    expect(read.status).toBe(200);
    frames.push(...read.frames);
    if (read.done) return cuts;
  }
}

/**
 * A run whose first client is disconnected, and three readers that are disconnected themselves. One reader
 * continues for the client, and the others start again.
 */
async function runWithCuts() {
  const first = await readStream(service, '/api/agent', { body: request(), leave: leaveSoon() });
  const runId = first.headers.get('x-run-id') ?? '';
  const readers = [[...first.frames], [], []];
  const cuts = await Promise.all(readers.map((frames) => readWithCuts(runId, frames)));
  const whole = await readStream(service, streamOf(runId));
  expect(whole.done).toBe(true);
  expect(whole.frames.map(({ id }) => id)).toEqual(whole.frames.map((_, at) => at + 1));
  expect(whole.frames.at(-1)?.part.type).toBe('finish');
  for (const frames of readers) expect(frames).toEqual(whole.frames);
  return 1 + cuts.reduce((sum, count) => sum + count, 0);
}

describe('disconnected client', () => {
  it(
    `loses no event and gets each once (${DISCONNECTS} times)`,
    async () => {
      workAWhile();
      let cuts = 0;
      while (cuts < DISCONNECTS) {
        const counts = await Promise.all(Array.from({ length: RUNS_AT_ONCE }, runWithCuts));
        cuts += counts.reduce((sum, count) => sum + count, 0);
      }
      expect(cuts).toBeGreaterThanOrEqual(DISCONNECTS);
    },
    180_000 + DISCONNECTS * 300,
  );

  it("doesn't stop its run", async () => {
    workAWhile();
    const { headers } = await readStream(service, '/api/agent', {
      body: request(),
      leave: ({ bytes }) => bytes > 0,
    });
    const run = await waitForRun(service, headers.get('x-run-id') ?? '', 'done', 'failed', 'stopped');
    expect(run).toMatchObject({ status: 'done', steps: 6 });
  });
});

describe('GET /api/agent/runs/{runId}/stream', () => {
  let runId: string;
  let frames: Frame[];
  beforeAll(async () => {
    provider.answer = () => 'A few words about it.';
    const read = await readStream(service, '/api/agent', { body: request() });
    runId = read.headers.get('x-run-id') ?? '';
    ({ frames } = read);
  });

  it('returns the stream of the protocol, with the ID of the run', async () => {
    const { status, headers, done } = await readStream(service, streamOf(runId));
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-run-id': runId,
    });
    expect(done).toBe(true);
  });

  it('replays the events after a number, with the same numbers', async () => {
    for (const after of frames.map((_, at) => at)) {
      const { frames: rest, done } = await readStream(service, `${streamOf(runId)}?after=${after}`);
      expect(rest).toEqual(frames.slice(after));
      expect(done).toBe(true);
    }
  });

  it('uses `after` if both are given', async () => {
    const headers = { 'last-event-id': '1' };
    const { frames: rest } = await readStream(service, `${streamOf(runId)}?after=3`, { headers });
    expect(rest).toEqual(frames.slice(3));
  });

  it('ends immediately after the last event', async () => {
    const { frames: rest, done } = await readStream(service, `${streamOf(runId)}?after=${frames.length}`);
    expect(rest).toEqual([]);
    expect(done).toBe(true);
  });

  it.each([
    ['?after=-1', {}, 400, /after/],
    ['?after=two', {}, 400, /after/],
    ['?after=1.5', {}, 400, /after/],
    ['?after=99999999999', {}, 400, /after/],
    ['', { 'last-event-id': 'x' }, 400, /Last-Event-ID/],
    ['', { 'last-event-id': '-1' }, 400, /Last-Event-ID/],
  ])('rejects %s %j', async (query, headers, status, error) => {
    const answer = await service.call(
      'GET',
      `${streamOf(runId)}${query}`,
      undefined,
      headers as Record<string, string>,
    );
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(error) } });
  });
});

describe('POST /api/agent/runs/{runId}/stop', () => {
  async function startLong(fields: Record<string, unknown> = {}) {
    const read = await readStream(service, '/api/agent', {
      body: request(fields),
      leave: ({ frames }) => frames.length > 2,
    });
    return read.headers.get('x-run-id') ?? '';
  }

  it('stops the model traffic, for any number of runs', async () => {
    provider.paceMs = 20;
    provider.answer = () => Array.from({ length: 10_000 }, () => 'word ');
    const runIds = await Promise.all(Array.from({ length: 5 }, () => startLong()));
    expect(provider.openChats).toBe(5);
    const answers = await Promise.all(runIds.map((id) => service.call('POST', `/api/agent/runs/${id}/stop`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    await eventually(
      async () => provider.openChats,
      (count) => count === 0,
    );
    for (const id of runIds) {
      expect(await waitForRun(service, id, 'stopped')).toMatchObject({
        finishedAt: expect.any(String),
        error: null,
      });
      const { frames } = await readStream(service, streamOf(id));
      expect(frames.at(-1)?.part).toEqual({ type: 'abort', reason: 'stopped' });
    }
  });

  it('stops a running command', async () => {
    const command = 'sleep 280; echo late > late.txt';
    provider.answer = () => ({ calls: [{ name: 'bash', input: { command } }] });
    const called = ({ frames }: { frames: Frame[] }) => frames.at(-1)?.part.type === 'tool-input-available';
    const { headers } = await readStream(service, '/api/agent', { body: request(), leave: called });
    const runId = headers.get('x-run-id') ?? '';
    await service.call('POST', `/api/agent/runs/${runId}/stop`);
    const { frames, done } = await readStream(service, streamOf(runId));
    expect(frames.at(-1)?.part).toEqual({ type: 'abort', reason: 'stopped' });
    expect(done).toBe(true);
  });

  it('returns 409 if the run is over, and 404 for an unknown one', async () => {
    provider.answer = () => 'Done.';
    const { headers } = await readStream(service, '/api/agent', { body: request() });
    const path = `/api/agent/runs/${headers.get('x-run-id')}/stop`;
    expect(await service.call('POST', path)).toMatchObject({
      status: 409,
      body: { error: 'This run is already over (done).' },
    });
    expect((await service.call('POST', '/api/agent/runs/nope/stop')).status).toBe(404);
  });
});
