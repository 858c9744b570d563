import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import { isOwnNetwork } from '../../../lib/adapters/outbound/model-address.ts';
import type { ModelEvent, ModelRequest } from '../../../lib/ports/language-model.ts';
import { whenDone } from '../../support/temp-folder.ts';

type Answer = (body: Record<string, unknown>, response: ServerResponse, call: number) => unknown;

/** A server that answers every call with a script. */
async function startServer(answer: Answer) {
  const calls: { body: Record<string, unknown>; closed: Promise<unknown> }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as Record<string, unknown>;
    calls.push({ body, closed: once(response, 'close') });
    await answer(body, response, calls.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { calls, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function frame(delta: object, reason: string | null = null): string {
  return `data: ${JSON.stringify({ choices: [{ delta, finish_reason: reason }] })}\n\n`;
}

function say(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${frame({ content: text })}${frame({}, 'stop')}data: [DONE]\n\n`);
}

function refuse(response: ServerResponse, status: number, message: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message } }));
}

const HI: ModelRequest = { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] };

function open(
  baseUrl: string,
  ownPatienceMs: number | undefined = 60_000,
  request: Partial<ModelRequest> = {},
) {
  const model = openaiLanguageModel({ provider: 'a', model: 'm', baseUrl, ownPatienceMs });
  return model.stream({ ...HI, ...request });
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const said = (events: ModelEvent[]) => events.flatMap((event) => (event.type === 'text' ? [event.text] : []));

describe('model server in the local network', () => {
  it.each([
    ['http://127.0.0.1:1/v1', true],
    ['http://[::1]:1/v1', true],
    ['http://192.168.1.5:11434/v1', true],
    ['http://localhost:1/v1', true],
    ['http://[::ffff:10.0.0.1]/v1', true],
    ['https://8.8.8.8/v1', false],
    ['https://no-such-host.invalid/v1', false],
  ])('is recognized by its address: %s', async (url, isOwn) => {
    expect(await isOwnNetwork(url)).toBe(isOwn);
  });

  it('is not retried after a failure, unless it says when to retry', async () => {
    const failing = await startServer((_, response) => refuse(response, 500, 'out of memory'));
    await expect(collect(open(failing.baseUrl))).rejects.toThrow(/500/);
    expect(failing.calls).toHaveLength(1);
    const busy = await startServer((_, response, call) =>
      call === 1 ? refuse(response, 503, 'busy', { 'retry-after-ms': '5' }) : say(response, 'Yes.'),
    );
    expect(said(await collect(open(busy.baseUrl)))).toEqual(['Yes.']);
  });

  it('is not retried if it stays silent for longer than the person is ready to wait', async () => {
    const silent = await startServer(() => undefined);
    await expect(collect(open(silent.baseUrl, 300))).rejects.toThrow(/in time|stopped|reached/);
    expect(silent.calls).toHaveLength(1);
    await silent.calls[0]?.closed;
  });

  it('may send pings for at most three times as long', async () => {
    const pinging = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': ping\n\n'), 50);
      response.once('close', () => clearInterval(timer));
    });
    const started = performance.now();
    await expect(collect(open(pinging.baseUrl, 400))).rejects.toThrow(/stopped/);
    expect(performance.now() - started).toBeGreaterThan(1100);
  });

  it('reports its reading progress to a live reader and notices when the reader stops', async () => {
    const slow = await startServer(() => undefined);
    const stop = new AbortController();
    const events = open(slow.baseUrl, 60_000, { reader: 'live', signal: stop.signal })[
      Symbol.asyncIterator
    ]();
    expect((await events.next()).value).toEqual({ type: 'waiting', tokens: expect.any(Number) });
    stop.abort();
    await expect(events.next()).rejects.toThrow(/abort/i);
    await slow.calls[0]?.closed;
  });

  it('notices a reader who disconnected silently', async () => {
    const endless = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(frame({ content: 'on ' })), 20);
      response.once('close', () => clearInterval(timer));
    });
    for await (const event of open(endless.baseUrl)) if (event.type === 'text') break;
    await endless.calls[0]?.closed;
  });
});

describe('calls to one local server', () => {
  it('run one at a time without a reader, after the calls of readers', async () => {
    let [open_, most] = [0, 0];
    const order: unknown[] = [];
    const release: (() => void)[] = [];
    const server = await startServer(async ({ messages }, response) => {
      most = Math.max(most, ++open_);
      order.push((messages as { content: string }[])[1]?.content);
      await new Promise<void>((done) => release.push(done));
      open_ -= 1;
      say(response, 'Yes.');
    });
    const ask = (content: string, reader: ModelRequest['reader']) =>
      collect(open(server.baseUrl, 60_000, { reader, messages: [{ role: 'user', content }] }));
    const first = ask('title', 'whole');
    await until(() => release.length === 1);
    const others = [ask('judge', 'whole'), ask('plan', 'whole'), ask('question', 'live')];
    for (let call = 1; call <= 4; call++) {
      await until(() => release.length === call);
      release[call - 1]?.();
    }
    await Promise.all([first, ...others]);
    expect(order).toEqual(['title', 'question', 'judge', 'plan']);
    expect(most).toBe(1);
  });

  it('are released when a reader stops waiting, and when one leaves while another waits', async () => {
    const server = await startServer(({ messages }, response) => {
      if ((messages as { content: string }[])[1]?.content !== 'endless') return say(response, 'Yes.');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame({ content: 'on' }));
    });
    const endless = collect(
      open(server.baseUrl, 60_000, {
        ...{ reader: 'live', isAbandoned: () => true },
        messages: [{ role: 'user', content: 'endless' }],
      }),
    );
    const ended = expect(endless).rejects.toThrow(/its reader had left/);
    await until(() => server.calls.length === 1);
    const gone = collect(open(server.baseUrl, 60_000, { reader: 'live', signal: AbortSignal.timeout(50) }));
    await expect(gone).rejects.toThrow(/timeout/);
    expect(said(await collect(open(server.baseUrl, 60_000, { reader: 'live' })))).toEqual(['Yes.']);
    await ended;
    expect(server.calls).toHaveLength(2);
  }, 20_000);

  it('run in parallel once the server has answered several at a time, including calls that are already waiting', async () => {
    const release: (() => void)[] = [];
    const server = await startServer(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      await new Promise<void>((done) => release.push(done));
      response.write(frame({ content: 'Owls' }));
      await new Promise<void>((done) => release.push(done));
      response.end(`${frame({}, 'stop')}data: [DONE]\n\n`);
    });
    // The server has a queue.
    const live = [1, 2].map(() => collect(open(server.baseUrl, 60_000, { reader: 'live' })));
    await until(() => release.length === 2);
    const waiting = collect(open(server.baseUrl, 60_000, { reader: 'whole' }));
    for (const say of release.splice(0)) say();
    await until(() => release.length === 3);
    for (const done of release.splice(0)) done();
    await until(() => release.length === 1);
    release[0]?.();
    await Promise.all([...live, waiting]);
  }, 20_000);
});

describe('disabled thinking', () => {
  const side = { thinking: 'off', reader: 'whole' } as const;

  it('is requested in all forms, and each rejected form is remembered per model', async () => {
    const server = await startServer((body, response) => {
      if (body.reasoning_effort === 'none')
        return refuse(response, 400, "reasoning_effort: 'none' is not one of");
      return say(response, 'Title');
    });
    for (const _ of [1, 2])
      expect(said(await collect(open(server.baseUrl, 60_000, side)))).toEqual(['Title']);
    expect(server.calls.map(({ body }) => [body.reasoning_effort, body.chat_template_kwargs])).toEqual([
      ['none', { enable_thinking: false, thinking: false }],
      [undefined, { enable_thinking: false, thinking: false }],
      [undefined, { enable_thinking: false, thinking: false }],
    ]);
  });

  it('is omitted for a server that rejects it without naming it', async () => {
    const server = await startServer((body, response) => {
      if (body.chat_template_kwargs !== undefined)
        return refuse(response, 422, 'Extra inputs are not permitted');
      return say(response, 'Title');
    });
    for (const _ of [1, 2])
      expect(said(await collect(open(server.baseUrl, 60_000, side)))).toEqual(['Title']);
    expect(server.calls).toHaveLength(3);
  });

  it('is not remembered as rejected if the request itself was wrong', async () => {
    let refuses = true;
    const server = await startServer((_, response) =>
      refuses ? refuse(response, 400, 'too long') : say(response, 'Title'),
    );
    await expect(collect(open(server.baseUrl, 60_000, side))).rejects.toThrow(/400/);
    refuses = false;
    await collect(open(server.baseUrl, 60_000, side));
    expect(server.calls.at(-1)?.body).toHaveProperty('chat_template_kwargs');
  });

  it('is not requested for answers', async () => {
    const server = await startServer((_, response) => say(response, 'Yes.'));
    await collect(open(server.baseUrl));
    expect(server.calls[0]?.body).not.toHaveProperty('chat_template_kwargs');
  });
});

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((done) => setTimeout(done, 10));
}
