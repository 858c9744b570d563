import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Citation } from '../../../lib/api-contract/citation.ts';
import { readStream } from '../agent-client.ts';
import { answerText, type Part } from '../event-frames.ts';
import { type Service, startService } from '../service.ts';
import { eventually, syncWorkspace } from '../sync.ts';
import { makeWorkspace, type TestWorkspace } from '../workspace.ts';
import { FACT, FILE, NO_ERROR, QUESTION, type Quirk, REQUEST, type Right } from './quirk.ts';
import { type QuirkServer, startQuirkServer } from './quirk-server.ts';

export interface QuirkWorld {
  service: Service;
  server: QuirkServer;
  few: TestWorkspace;
  /** The passages for a question take more than 4,096 tokens. */
  many: TestWorkspace;
}

/** The visible result for a person, and the number of model calls. */
export interface Seen {
  text: string;
  citations: Citation[];
  notices: { code: string; text: string }[];
  error: { code: string; text: string } | undefined;
  thoughts: string;
  /** The title of the conversation, or the query of the search, as other text that a model wrote. */
  more: string;
  calls: number;
  /** Milliseconds until a text, a notice, or an error arrived. */
  firstMs: number;
  judged: boolean;
}

/** Longer than the slowest quirk takes. */
const PATIENCE_MS = 120_000;
/** Bytes after which a person leaves an endless answer. */
const MAX_BYTES = 3_000_000;

/**
 * Starts a service that is connected to a server with these quirks, and has files that answer the question.
 * Ends with the test file.
 */
export async function makeQuirkWorld(quirks: readonly Quirk[]): Promise<QuirkWorld> {
  const server = await startQuirkServer(quirks);
  const service = await startService({ CONVERSATION_TITLES: 'on', LOG_LEVEL: 'error' });
  await connect(service, { baseUrl: `${server.origin}/v1` });
  const [few, many] = [await makeWorkspace(service), await makeWorkspace(service)];
  const own = `# Undici\n\nUndici is an HTTP/1.1 client for Node.js. ${FACT}. Its bodyTimeout is as long.\n`;
  const others = {
    'axios.md': '# Axios\n\nAxios waits without an end.\n',
    'owls.md': '# Owls\n\nOwls hunt mice at night.\n',
  };
  await writeFiles(few.root, { [FILE]: own, ...others });
  await writeFiles(many.root, { [FILE]: own, ...Object.fromEntries(Array.from({ length: 40 }, longFile)) });
  for (const { id } of [few, many]) await syncWorkspace(service, id);
  return { service, server, few, many };
}

/**
 * About the same subject, so that the search finds it, and long enough that twelve of its passages fill a
 * small window.
 */
function longFile(_: unknown, place: number): [name: string, text: string] {
  const line = (at: number) =>
    `Undici part ${place}: option ${at} of the default headersTimeout differs for host${place * 31 + at}.example.`;
  return [
    `notes/undici-${place}.md`,
    `# Undici, part ${place}\n\n${Array.from({ length: 24 }, (__, at) => line(at)).join('\n')}\n`,
  ];
}

async function writeFiles(root: string, files: Record<string, string>): Promise<void> {
  await mkdir(join(root, 'notes'), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
}

/** Connects the provider as the settings do, without a key unless the body has one. */
async function connect(service: Service, body: Record<string, unknown>): Promise<void> {
  const answer = await service.call('PUT', '/api/settings/models/a', { apiKey: null, ...body });
  if (answer.status !== 200) throw new Error(`not connected: ${answer.bytes.toString()}`);
}

/** Runs one quirk as a person would trigger it. */
export async function playQuirk(world: QuirkWorld, quirk: Quirk): Promise<Seen> {
  const started = performance.now();
  const seen: Seen = {
    ...{ text: '', citations: [], notices: [], error: undefined, thoughts: '', more: '' },
    ...{ calls: 0, firstMs: Number.POSITIVE_INFINITY, judged: false },
  };
  const see = (parts: Part[]) => {
    for (const part of parts) seePart(seen, part);
    const isVisible = seen.text + seen.thoughts !== '' || seen.notices.length > 0 || seen.error !== undefined;
    if (isVisible) seen.firstMs = Math.min(seen.firstMs, performance.now() - started);
  };
  await WAYS[quirk.way ?? 'chat'](world, quirk, see, seen);
  return { ...seen, calls: world.server.asked.get(quirk.name)?.length ?? 0 };
}

type Play = (world: QuirkWorld, quirk: Quirk, see: (parts: Part[]) => void, seen: Seen) => Promise<void>;

const WAYS: Record<NonNullable<Quirk['way']>, Play> = {
  chat: (world, quirk, see) => ask(world, quirk, see, {}),
  judge: (world, quirk, see) => ask(world, quirk, see, { judge: true }),
  async 'second question'(world, quirk, see) {
    const id = randomUUID();
    await ask(world, quirk, () => {}, { id });
    await ask(world, quirk, see, { id }, 'And what is its bodyTimeout, besides the headersTimeout?');
  },
  async title(world, quirk, see, seen) {
    const id = randomUUID();
    await ask(world, quirk, see, { id });
    const titleNow = async () =>
      (await world.service.call<{ title: string }>('GET', `/api/conversations/${id}`)).body.title;
    const asked = () => world.server.asked.get(quirk.name)?.length ?? 0;
    await eventually(
      async () => asked(),
      (count) => count >= 2,
    );
    seen.more = await eventually(titleNow, (title) => !title.startsWith('What is'), 3000).catch(titleNow);
  },
  async note({ service, few, many }, quirk, see) {
    const workspaceId = (quirk.many ? many : few).id;
    const body = { workspaceId, type: 'summary' };
    await withModel(service, quirk.name, async () => {
      const {
        status,
        body: note,
        headers,
      } = await service.call<{ content: string; error?: string }>('POST', '/api/generate', body);
      const isMade = status === 201;
      see([
        isMade
          ? { type: 'text-delta', delta: note.content }
          : { type: 'data-error', data: { code: headers['x-error-code'] ?? status } },
      ]);
      if (!isMade) see([{ type: 'error', errorText: note.error ?? '' }]);
    });
  },
  async agent({ service, few }, { name }, see) {
    const body = {
      workspaceId: few.id,
      cwd: few.root,
      mode: 'ask',
      provider: 'a',
      model: name,
      messages: [message(REQUEST)],
    };
    await readParts(service, '/api/agent', body, see);
  },
  async connect(world, quirk, see) {
    const { service, server } = world;
    await connect(service, {
      baseUrl: server.origin + (quirk.path ?? '/v1'),
      ...(quirk.key && { apiKey: quirk.key }),
    });
    await ask(world, quirk, see, {});
    await connect(service, { baseUrl: `${server.origin}/v1` });
  },
};

/** Notes use the default model. */
async function withModel(service: Service, model: string, work: () => Promise<void>): Promise<void> {
  await service.call('PUT', '/api/settings', { llmProvider: 'a', llmModel: model });
  await work();
}

async function ask(
  { service, few, many }: QuirkWorld,
  { name, many: isMany }: Quirk,
  see: (parts: Part[]) => void,
  more: Record<string, unknown>,
  question = QUESTION,
): Promise<void> {
  const workspaceId = (isMany ? many : few).id;
  const body = { workspaceId, provider: 'a', model: name, messages: [message(question)], ...more };
  await readParts(service, '/api/chat', body, see);
}

function message(text: string) {
  return { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
}

/** Passes on each part as it arrives. */
async function readParts(
  service: Service,
  path: string,
  body: unknown,
  see: (parts: Part[]) => void,
): Promise<void> {
  let handed = 0;
  const leave = ({ frames, bytes }: { frames: { part: Part }[]; bytes: number }) => {
    see(frames.slice(handed).map(({ part }) => part));
    handed = frames.length;
    return bytes > MAX_BYTES;
  };
  const late = sleep(PATIENCE_MS, undefined, { ref: false });
  const read = await Promise.race([readStream(service, path, { body, leave }), late]);
  if (read === undefined) return see([{ type: 'error', errorText: 'a person has left by now' }]);
  if (read.status === 200) return;
  const { error = read.text } = JSON.parse(read.text) as { error?: string };
  see([
    { type: 'data-error', data: { code: read.headers.get('x-error-code') } },
    { type: 'error', errorText: error },
  ]);
}

function seePart(seen: Seen, part: Part): void {
  const { type, data, delta, errorText, messageMetadata } = part as Part & {
    data: { code: string; text: string };
  };
  if (type === 'data-thought') seen.text = '';
  if (type === 'text-delta') seen.text += answerText([part]);
  if (type === 'reasoning-delta') seen.thoughts += String(delta);
  if (type === 'data-notice') seen.notices.push(data);
  if (type === 'data-citation') seen.citations.push(data as unknown as Citation);
  if (type === 'data-citation-support') seen.judged ||= (data as { judged?: boolean }).judged === true;
  if (type === 'data-error') seen.error = { text: seen.error?.text ?? '', code: data.code };
  if (type === 'error') seen.error = { code: seen.error?.code ?? '', text: String(errorText) };
  const { retrieval } = (messageMetadata ?? {}) as { retrieval?: { query?: string } };
  if (retrieval?.query !== undefined) seen.more = retrieval.query;
}

type Check<Key extends keyof Right> = (wanted: NonNullable<Right[Key]>, seen: Seen) => string | false;

/** The checks that compare the result with the expectation. */
const CHECKS: { [Key in keyof Right]-?: Check<Key> } = {
  sees: (wanted, seen) => !wanted.test(wordsOf(seen)) && `lacks ${wanted}`,
  never: (wanted, seen) => wanted.test(wordsOf(seen)) && `shows ${wanted.exec(wordsOf(seen))?.[0]}`,
  cites: (wanted, seen) =>
    `${filesOf(seen)}` !== `${wanted.toSorted()}` && `cites ${filesOf(seen).join(', ') || 'nothing'}`,
  notice: (wanted, { notices }) => !notices.some(({ code }) => code === wanted) && `no notice ${wanted}`,
  code: (wanted, { error }) =>
    !wanted.test(error?.code ?? 'none') && (error === undefined ? 'no error' : `error ${error.code}`),
  thinks: (wanted, { thoughts }) => !wanted.test(thoughts) && 'no thoughts apart',
  calls: (wanted, { calls }) => calls > wanted && `${calls} calls`,
  withinMs: (wanted, { firstMs }) => firstMs > wanted && `nothing for ${Math.round(firstMs / 1000)} s`,
  judged: (_, { judged }) => !judged && 'not judged',
};

/** Returns the differences in words; empty if there are no differences. */
export function whatIsWrong(seen: Seen, right: Right): string[] {
  const wanted = Object.entries({ code: NO_ERROR, ...right }) as [keyof Right, never][];
  return wanted.flatMap(([key, value]) => CHECKS[key](value, seen) || []);
}

function wordsOf({ text, notices, error, more }: Seen): string {
  return [text, ...notices.map((each) => each.text), error?.text ?? '', more].join('\n');
}

function filesOf({ citations }: Seen): string[] {
  return [...new Set(citations.map(({ path }) => path))].sort();
}

/** Returns the result on one line. */
export function describeSeen(seen: Seen): string {
  const { text, notices, error, thoughts, more, calls, firstMs } = seen;
  const short = (words: string) => JSON.stringify(words.replace(/\s+/g, ' ').slice(0, 90));
  const files = filesOf(seen);
  return [
    text === '' ? 'no text' : short(text),
    ...(files.length === 0 ? [] : [`cites ${files.join(', ')}`]),
    ...(thoughts === '' ? [] : ['thoughts apart']),
    ...notices.map(({ code }) => `notice ${code}`),
    ...(error === undefined ? [] : [`error ${error.code} ${short(error.text)}`]),
    ...(more === '' ? [] : [`also ${short(more)}`]),
    `${calls} calls`,
    ...(firstMs > 5000 && Number.isFinite(firstMs) ? [`first after ${Math.round(firstMs / 1000)} s`] : []),
  ].join(' · ');
}
