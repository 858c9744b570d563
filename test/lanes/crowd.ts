import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { percentile, timed } from '../bench/load.ts';
import { answerText, readFrames } from '../support/event-frames.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { peakMegabytes, residentMegabytes } from '../support/processes/process-memory.ts';
import { threadTimes } from '../support/processes/thread-time.ts';
import { startService } from '../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { cleanUp } from '../support/temp-folder.ts';

/**
 * Many clients of one answer, many that disconnect at once, and a workspace with very many files, with the
 * delays of another client in the meantime. Exits with 1 if a client misses the end of the answer, a
 * connection stays open, or a file isn't indexed. `npm run test:crowd -- --listeners 1000 --files 100000`
 */
const { values } = parseArgs({
  options: {
    listeners: { type: 'string', default: '1000' },
    files: { type: 'string', default: '100000' },
  },
});
const LISTENERS = Number(values.listeners);
const FILES = Number(values.files);
const FILES_A_FOLDER = 1000;
const PATIENCE_MS = 3_600_000;
/** The length of one answer, which gives every client time to connect before its end. */
const PIECES = 300;
const PACE_MS = 200;

const provider = await startFakeOpenai({ paceMs: PACE_MS });
provider.answer = () => Array.from({ length: PIECES }, (_, n) => `piece ${n} `);
const service = await startService({ PROVIDER_A_BASE_URL: provider.url });
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
try {
  const outcomes = [await listenToAnswer(), await leaveAtOnce(), await indexFiles()];
  process.exitCode = outcomes.every(Boolean) ? 0 : 1;
} finally {
  agent.destroy();
  await provider.stop();
  await cleanUp();
}

/** Another client's response times during the work. */
async function besides(what: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const state = { isOver: false };
  const asking = (async () => {
    while (!state.isOver) {
      times.push(await timed(() => service.call('GET', '/api/health')));
      await sleep(50);
    }
  })();
  const before = threadTimes(service.pid);
  const seconds = (await timed(work)) / 1000;
  const after = threadTimes(service.pid);
  state.isOver = true;
  await asking;
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(0));
  const memory = `${residentMegabytes(service.pid).toFixed(0)} MB, at most ${peakMegabytes(service.pid).toFixed(0)}`;
  const [worked, queued] = [after.worked - before.worked, after.queued - before.queued].map((ms) =>
    (ms / 1000).toFixed(1),
  );
  console.log(
    `${what}: ${seconds.toFixed(1)} s; /api/health p50 ${p50} ms, p99 ${p99}, most ${most}; ` +
      `the thread that answers worked ${worked} s, waited ${queued} s for a processor; ${memory}`,
  );
}

/** Reads a stream to its end or to its interruption. */
function listen(path: string, opened: () => void, signal?: AbortSignal): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    let text = '';
    const done = () => resolve(text);
    const options = { hostname, port, path, agent, ...(signal && { signal }) };
    const asking = request(options, (response) => {
      opened();
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('close', done).on('error', done);
    });
    asking.on('error', done).end();
  });
}

async function startAnswer(id: string, workspaceId: string): Promise<void> {
  const messages = [{ role: 'user', content: 'What is there?' }];
  void service.call('POST', '/api/chat', { id, workspaceId, messages }).catch(() => undefined);
  await eventually(
    () => service.call<{ answering?: boolean }>('GET', `/api/conversations/${id}`),
    ({ body }) => body.answering === true,
  );
}

async function listenToAnswer(): Promise<boolean> {
  await besides('nobody listens', () => sleep(10_000));
  const workspaceId = await createWorkspace(service, 'listened');
  await startAnswer('listened', workspaceId);
  let texts: string[] = [];
  let opened = 0;
  await besides(`${LISTENERS} listeners of one answer`, async () => {
    const listeners = Array.from({ length: LISTENERS }, () =>
      listen('/api/chat/listened/stream', () => opened++),
    );
    texts = await Promise.all(listeners);
  });
  const whole = texts.filter(isWhole);
  console.log(`opened: ${opened}; heard the answer to its end: ${whole.length}`);
  const cut = texts.find((text) => !whole.includes(text));
  if (cut !== undefined) console.log(`one that did not heard last: ${cut.slice(-300)}`);
  return whole.length === LISTENERS;
}

function isWhole(text: string): boolean {
  const { parts, last } = readFrames(text);
  return answerText(parts).includes(`piece ${PIECES - 1}`) && last === 'data: [DONE]';
}

async function leaveAtOnce(): Promise<boolean> {
  const before = await openFiles();
  const workspaceId = await createWorkspace(service, 'left');
  await startAnswer('left', workspaceId);
  await besides(`${LISTENERS} listeners that leave at once`, async () => {
    const leaving = new AbortController();
    let opened = 0;
    const listeners = Array.from({ length: LISTENERS }, () =>
      listen('/api/chat/left/stream', () => opened++, leaving.signal),
    );
    await eventually(
      async () => opened,
      (count) => count === LISTENERS,
    );
    leaving.abort();
    await Promise.all(listeners);
  });
  await service.call('POST', '/api/chat/left/stop', {});
  const after = await eventually(openFiles, (count) => count < before + 50, 30_000).catch(openFiles);
  console.log(`open files of the service: ${before} before, ${after} after`);
  return after < before + 50;
}

async function openFiles(): Promise<number> {
  return (await readdir(`/proc/${service.pid}/fd`)).length;
}

async function indexFiles(): Promise<boolean> {
  const root = join(service.root, 'many');
  for (let folder = 0; folder * FILES_A_FOLDER < FILES; folder++) await writeFolder(root, folder);
  const id = await createWorkspace(service, 'many');
  let done = 0;
  await besides(`${FILES} files indexed`, async () => {
    done = (await syncWorkspace(service, id, PATIENCE_MS)).done;
  });
  await besides('the same, nothing changed', () => syncWorkspace(service, id, PATIENCE_MS));
  for (const path of [
    `/api/workspaces/${id}/search?q=w${FILES - 1}`,
    `/api/files/browse?workspaceId=${id}&path=`,
    `/api/workspaces/${id}/sync`,
  ]) {
    const ms = await timed(() => service.call('GET', path));
    console.log(`GET ${path.replace(id, '…')}: ${ms.toFixed(0)} ms`);
  }
  console.log(`indexed: ${done} of ${FILES}`);
  return done === FILES;
}

async function writeFolder(root: string, folder: number): Promise<void> {
  const path = join(root, `folder-${folder}`);
  await mkdir(path, { recursive: true });
  const numbers = Array.from({ length: FILES_A_FOLDER }, (_, n) => folder * FILES_A_FOLDER + n);
  const writing = numbers
    .filter((n) => n < FILES)
    .map((n) => writeFile(join(path, `${n}.md`), `# Note ${n}\n\nThe word of this file is w${n}.\n`));
  await Promise.all(writing);
}
