import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readStream } from '../support/agent-client.ts';
import type { Part } from '../support/event-frames.ts';
import { type Service, startService } from '../support/service.ts';
import { syncWorkspace } from '../support/sync.ts';
import { cleanUp, whenDone } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { installLiveModel } from './live/install.ts';

/**
 * The main job with a real model, which runs on this host's processor: a question, a follow-up, a note, a
 * draft with the judge, the agent. It checks the form, not the quality: each ends, and the shown result is
 * complete, or says that it isn't. Prints what the model read and wrote, and what a person saw in the
 * meantime. `-- --minutes 5` is the limit for each, `--window 8192` the model's.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    window: { type: 'string', default: '4096' },
    /** The text that the names of the parts to run must contain. */
    only: { type: 'string', default: '' },
  },
});
const LIMIT_MS = Number(values.minutes) * 60_000;
const FILES = {
  'undici.md':
    '# Undici\n\nUndici is an HTTP/1.1 client for Node.js. Its default headersTimeout is 300 seconds.\n',
  'owls.md': '# Owls\n\nOwls hunt mice at night. The barn owl weighs 500 grams.\n',
};
const DRAFT = 'The default headersTimeout of undici is 300 seconds. The barn owl weighs 900 grams.';
/** Matches text that no reader may see: marks of the model's turns, and tags of thoughts and tools. */
const LEFTOVER = /<\|\w+\|>|<\/?think>|<\/?tool_call>/;

const began = performance.now();
const since = (start = began) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
let wrong = 0;

/** Prints each line that the model's process writes; returns its URL. */
async function startModel(): Promise<string> {
  const { engine, weights } = await installLiveModel();
  const program = resolve(import.meta.dirname, 'live/model-process.ts');
  const child: ChildProcess = spawn(process.execPath, [program, engine, weights, values.window], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  whenDone(async () => void child.kill());
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`the model ended with ${code}`)));
    if (child.stdout === null) return;
    createInterface(child.stdout).on('line', (line) => {
      const { listening } = JSON.parse(line) as { listening?: string };
      if (listening === undefined) console.log(`  model  ${line}`);
      else done(listening);
    });
  });
}

interface Outcome {
  text: string;
  /** The last part of the stream, or an error part. */
  end: string;
}

/** Runs one part of the job within its time limit. `check` returns the problems of its result. */
async function play(
  name: string,
  work: () => Promise<Outcome>,
  check: (outcome: Outcome) => string[],
): Promise<void> {
  if (!name.includes(values.only)) return;
  const start = performance.now();
  console.log(`${name}`);
  // A running stream is left before that, with its text so far.
  const late = sleep(LIMIT_MS + 5000, { text: '', end: 'nothing came' }, { ref: false });
  const outcome = await Promise.race([work(), late]).catch((error: unknown) => ({
    text: '',
    end: String(error),
  }));
  const problems = [
    ...check(outcome),
    ...(LEFTOVER.test(outcome.text) ? ['marks of the model are shown'] : []),
  ];
  if (problems.length > 0) wrong += 1;
  console.log(`  text   ${JSON.stringify(outcome.text.slice(0, 500))}`);
  console.log(
    `  ${problems.length === 0 ? 'ok    ' : 'WRONG '} ${since(start)}, ${outcome.end}${problems.map((each) => `; ${each}`)}`,
  );
}

/** Reads a stream, and prints when a person sees something new. */
async function watch(service: Service, path: string, body: unknown): Promise<Outcome> {
  const start = performance.now();
  const outcome: Outcome = { text: '', end: `not done after ${values.minutes} minutes` };
  let handed = 0;
  let shown = '';
  const see = (part: Part) => {
    const { type, data, delta, errorText } = part as Part & {
      data?: { code?: string; text?: string; path?: string };
    };
    if (type === 'text-delta') outcome.text += String(delta);
    if (['finish', 'error', 'abort'].includes(type))
      outcome.end = [type, part.finishReason ?? errorText].filter(Boolean).join(' ');
    // Keeps only the first of consecutive deltas.
    if (type !== shown)
      console.log(
        `  sees   ${since(start)} ${[type, data?.code, data?.path, errorText].filter(Boolean).join(' ')}`,
      );
    shown = type;
  };
  const leave = ({ frames }: { frames: { part: Part }[] }) => {
    for (const { part } of frames.slice(handed)) see(part);
    handed = frames.length;
    return performance.now() - start > LIMIT_MS;
  };
  const { status, text } = await readStream(service, path, { body, leave });
  return status === 200 ? outcome : { text: '', end: `${status} ${text}` };
}

/** Returns whether an answer has a text and an end, or an error that says what to do. */
function isWhole({ text, end }: Outcome): string[] {
  if (/^error .{20}/.test(end)) return [];
  return [
    ...(/^finish/.test(end) ? [] : ['it has no end']),
    ...(text.trim() === '' ? ['it has no text'] : []),
  ];
}

function ask(text: string) {
  return { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
}

async function checkDraft(service: Service, workspaceId: string): Promise<Outcome> {
  interface Check {
    status: string;
    calls: number;
    error: unknown;
    sentences: { text: string; verdict: string }[];
  }
  const started = await service.call<{ runId: string }>('POST', '/api/verify', {
    workspaceId,
    text: DRAFT,
    judge: true,
  });
  for (;;) {
    const { body } = await service.call<Check>('GET', `/api/verify/${started.body.runId}`);
    const text = body.sentences?.map((sentence) => `${sentence.verdict}: ${sentence.text}`).join('\n') ?? '';
    if (['done', 'failed', 'stopped'].includes(body.status))
      return { text, end: `${body.status}, ${body.calls} calls` };
    await sleep(1000);
  }
}

async function makeNote(service: Service, workspaceId: string): Promise<Outcome> {
  // If the response is late, the first one has its URL.
  const response = await fetch(`${service.url}/api/generate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ workspaceId, type: 'summary' }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const body = (await response.json()) as { content?: string; error?: string };
  return { text: body.content ?? '', end: `${response.status} ${body.error ?? ''}`.trim() };
}

try {
  const baseUrl = await startModel();
  const service = await startService({ CONVERSATION_TITLES: 'off', LOG_LEVEL: 'error' });
  const { id: workspaceId, root } = await makeWorkspace(service);
  for (const [path, text] of Object.entries(FILES)) await writeFile(join(root, path), text);
  await syncWorkspace(service, workspaceId, LIMIT_MS);
  const model = 'smollm2-135m-instruct';
  const connection = await service.call('PUT', '/api/settings/models/a', { apiKey: null, baseUrl, model });
  console.log(`connected after ${since()}: ${connection.status}, a window of ${values.window} tokens`);
  const id = randomUUID();
  const chat = (text: string) => watch(service, '/api/chat', { workspaceId, id, messages: [ask(text)] });
  await play('question', () => chat('What is the default headersTimeout of undici?'), isWhole);
  await play('second question', () => chat('And what is undici?'), isWhole);
  await play(
    'note',
    () => makeNote(service, workspaceId),
    ({ text, end }) =>
      /^(201|50[24] .{20})/.test(end) && (text !== '' || !end.startsWith('201'))
        ? []
        : ['no note and no reason'],
  );
  await play(
    'draft',
    () => checkDraft(service, workspaceId),
    ({ text, end }) => [
      ...(/^(done|failed)/.test(end) ? [] : ['it has no end']),
      ...(text.split('\n').length === 2 ? [] : ['a sentence has no verdict']),
    ],
  );
  const agent = {
    workspaceId,
    cwd: root,
    mode: 'ask',
    messages: [ask('Read undici.md. What is its default headersTimeout?')],
  };
  await play('agent', () => watch(service, '/api/agent', agent), isWhole);
} finally {
  await cleanUp();
}
console.log(
  wrong === 0 ? `all parts have their form, ${since()}` : `${wrong} parts lack their form, ${since()}`,
);
process.exitCode = wrong === 0 ? 0 : 1;
