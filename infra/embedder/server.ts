import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { InvalidInput, NotFound, ServiceError, TooLarge, Unauthorized } from '../../lib/errors.ts';
import { log } from '../../lib/log.ts';
import type { Manifest } from './manifest.ts';
import type { EmbedTexts } from './model.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_TEXTS = 100;
/** Texts per run of the model: after each run a question may go first. */
const TEXTS_AT_ONCE = 4;
/** Requests waiting for the model; more are rejected. */
const MAX_WAITING = 50;

const requestSchema = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string())]).transform((input) => [input].flat()),
  input_type: z.enum(['query', 'passage']).default('passage'),
});

interface Options {
  /** Pending while the model is loaded: requests wait for it. */
  embed: Promise<EmbedTexts>;
  key: string;
  manifest: Pick<Manifest, 'model' | 'prefixes'>;
}

/** The embeddings part of OpenAI's protocol, for one model. Requires the key. */
export function embedderServer({ embed, key, manifest }: Options): Server {
  const run = oneRunAtATime(embed);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { input, input_type: kind } = await readAsked(request, key, manifest.model);
    if (run.waiting() >= MAX_WAITING) throw new ServiceError('server_busy', 'too many requests wait');
    const texts = input.map((text) => manifest.prefixes[kind] + text);
    const vectors = await run.embed(texts, kind === 'query', () => response.destroyed);
    const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: [...vector] }));
    const usage = { prompt_tokens: 0, total_tokens: 0 };
    send(response, 200, { object: 'list', model: manifest.model, data, usage });
  };
  return createServer((request, response) => {
    answer(request, response).catch((error: Error) => refuse(response, error));
  });
}

/** Throws the reason for a rejection. */
async function readAsked(request: IncomingMessage, key: string, model: string) {
  if (!hasKey(request, key)) throw new Unauthorized('invalid_credential');
  if (request.method !== 'POST' || request.url !== '/v1/embeddings')
    throw new NotFound('not_found', 'no such path');
  const asked = requestSchema.safeParse(parse(await readBody(request))).data;
  if (asked === undefined) throw new InvalidInput('invalid_value', 'not a request for vectors');
  if (asked.model !== model) throw new NotFound('not_found', `this embedder has ${model} only`);
  if (asked.input.length > MAX_TEXTS || asked.input.includes(''))
    throw new InvalidInput('invalid_value', `input: at most ${MAX_TEXTS} texts, none of them empty`);
  return asked;
}

/** Several runs at once take as long as one after the other, and more memory. Questions go before passages. */
function oneRunAtATime(model: Promise<EmbedTexts>) {
  const questions: (() => void)[] = [];
  const passages: (() => void)[] = [];
  let busy = false;
  const turn = async (isQuestion: boolean) => {
    if (busy) await new Promise<void>((enter) => (isQuestion ? questions : passages).push(enter));
    busy = true;
  };
  const pass = () => {
    busy = false;
    const next = questions.shift() ?? passages.shift();
    if (next !== undefined) {
      busy = true;
      next();
    }
  };
  return {
    waiting: () => questions.length + passages.length,
    /** Ends early, with fewer vectors, when no client waits for them any longer. */
    async embed(texts: string[], isQuestion: boolean, isGone: () => boolean): Promise<Float32Array[]> {
      const embed = await model;
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length && !isGone(); start += TEXTS_AT_ONCE) {
        await turn(isQuestion);
        try {
          vectors.push(...(await embed(texts.slice(start, start + TEXTS_AT_ONCE))));
        } finally {
          pass();
        }
      }
      return vectors;
    },
  };
}

function hasKey({ headers }: IncomingMessage, key: string): boolean {
  const [shown, wanted] = [Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${key}`)];
  return shown.length === wanted.length && timingSafeEqual(shown, wanted);
}

/** Reads to the end, even if the body is too large: otherwise its connection would be lost. Throws TooLarge. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BODY_BYTES) throw new TooLarge('too_large', 'over 4 MB');
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, error: Error): void {
  const isTold = error instanceof ServiceError;
  if (!isTold) log.error('the model failed', {}, error);
  const message = isTold ? error.message : 'the model failed';
  send(response, isTold ? error.status : 500, { error: { message, type: 'embedder', code: null } });
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
