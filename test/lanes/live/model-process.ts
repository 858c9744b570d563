import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs a real language model behind the OpenAI API, on a free loopback port. It gives one answer at a time,
 * like small servers. `node model-process.ts ENGINE WEIGHTS WINDOW`. Prints its URL, then one line of JSON
 * for each finished request.
 */
const [engine = '', weights = '', window = '4096'] = process.argv.slice(2);
const WINDOW = Number(window);
/** Tokens that are read without checking whether the client is still connected. */
const STEP = 256;
const MODEL = 'smollm2-135m-instruct';
/** Tokens that end this model's turns, and tokens that start other turns. */
const ENDS = ['<|im_end|>', '<|im_start|>'];
/** The engine's grammars continue with empty lines after the JSON. */
const END_OF_JSON = '\n\n\n\n';

const { getLlama, LlamaGrammarEvaluationState } = await import(
  pathToFileURL(join(engine, 'node_modules/node-llama-cpp/dist/index.js')).href
);
const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' });
const model = await llama.loadModel({ modelPath: weights });
// On a busy processor, threads that synchronize at every layer are much slower than one.
const context = await model.createContext({ contextSize: WINDOW, threads: 1 });
const sequence = context.getSequence();

interface Body {
  messages: { role: string; content: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  max_tokens?: number;
  temperature?: number;
  tools?: unknown[];
  response_format?: { json_schema?: { schema: unknown } };
}

/** The answer in progress, and the waiting answers. */
let slot: Promise<unknown> = Promise.resolve();

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (path === '/v1/models')
    return sendJson(response, 200, { data: [{ id: MODEL, meta: { n_ctx: WINDOW } }] });
  if (path === '/props')
    return sendJson(response, 200, { default_generation_settings: { n_ctx: WINDOW }, total_slots: 1 });
  if (path !== '/v1/chat/completions')
    return sendJson(response, 404, { error: { code: 404, message: 'File Not Found' } });
  void readJson(request).then((body) => {
    slot = slot.then(() => answer(body, response)).catch((error) => response.destroy(error));
  });
});
server.listen(0, '127.0.0.1', () =>
  tell({ listening: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }),
);

// The lane that started this process has ended.
process.stdin.resume().once('end', () => process.exit());

function tell(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function readJson(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text) as Body;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function textOf(content: unknown): string {
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('\n') : String(content ?? '');
}

/** Returns the model's prompt format: each turn between two marks, then the start of the model's turn. */
function toPrompt(messages: Body['messages']): string {
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${textOf(content)}<|im_end|>\n`);
  return `${turns.join('')}<|im_start|>assistant\n`;
}

async function answer(body: Body, response: ServerResponse): Promise<void> {
  const began = performance.now();
  const tokens: number[] = model.tokenize(toPrompt(body.messages), true);
  const about = {
    promptTokens: tokens.length,
    system: textOf(body.messages[0]?.content).slice(0, 60),
    tools: body.tools?.length ?? 0,
  };
  if (tokens.length >= WINDOW) {
    tell({ ...about, refused: true });
    const message = `request (${tokens.length} tokens) exceeds the available context size (${WINDOW} tokens)`;
    const error = {
      code: 400,
      type: 'exceed_context_size_error',
      message,
      n_prompt_tokens: tokens.length,
      n_ctx: WINDOW,
    };
    return sendJson(response, 400, { error });
  }
  const freshTokens = await readPrompt(tokens, response);
  const readMs = Math.round(performance.now() - began);
  if (freshTokens === undefined) return tell({ ...about, leftWhileReadMs: readMs });
  const written = await writeAnswer(tokens, body, response);
  tell({ ...about, freshTokens, readMs, ms: Math.round(performance.now() - began), ...written });
}

/**
 * Returns how many tokens weren't cached; undefined if the client left. The last token is left for the
 * answer.
 */
async function readPrompt(tokens: number[], response: ServerResponse): Promise<number | undefined> {
  const before = tokens.slice(0, -1);
  await sequence.adaptStateToTokens(before, false);
  const fresh = before.slice(sequence.nextTokenIndex);
  for (let at = 0; at < fresh.length; at += STEP) {
    if (response.destroyed) return undefined;
    await sequence.evaluateWithoutGeneratingNewTokens(fresh.slice(at, at + STEP));
  }
  return fresh.length;
}

async function writeAnswer(prompt: number[], body: Body, response: ServerResponse) {
  const most = Math.min(body.max_tokens ?? Number.POSITIVE_INFINITY, WINDOW - prompt.length - 1);
  const send = sender(body, response);
  send({ role: 'assistant', content: null });
  let [text, outTokens, reason] = ['', 0, 'stop'];
  for await (const whole of generate(prompt, body)) {
    outTokens += 1;
    // A character may consist of several tokens.
    const isWhole = !whole.endsWith('\ufffd');
    if (isWhole) send({ content: whole.slice(text.length) });
    if (isWhole) text = whole;
    if (response.destroyed) reason = 'left';
    else if (outTokens >= most) reason = 'length';
    if (reason !== 'stop') break;
  }
  const usage = { prompt_tokens: prompt.length, completion_tokens: outTokens };
  endAnswer(body, response, { text, reason, usage });
  return { outTokens, reason, text: text.slice(0, 400) };
}

/** Yields the text so far after each token, until the model ends its turn. */
async function* generate(prompt: number[], body: Body): AsyncGenerator<string> {
  const out: number[] = [];
  for await (const token of sequence.evaluate(prompt.slice(-1), await samplingOf(body))) {
    if (model.isEogToken(token)) return;
    out.push(token);
    const whole: string = model.detokenize(out, false);
    if (ENDS.some((end) => whole.includes(end))) return;
    if (body.response_format !== undefined && whole.endsWith(END_OF_JSON)) return;
    if (out.length % 500 === 0) tell({ outTokensSoFar: out.length, text: whole.slice(-100) });
    yield whole;
  }
}

async function samplingOf({ temperature = 0.7, response_format: format }: Body) {
  const schema = format?.json_schema?.schema;
  const grammar = schema === undefined ? undefined : await llama.createGrammarForJsonSchema(schema);
  const grammarEvaluationState = grammar && new LlamaGrammarEvaluationState({ model, grammar });
  return { temperature, topP: 0.95, topK: 40, minP: 0.05, grammarEvaluationState };
}

function sender({ stream }: Body, response: ServerResponse) {
  return (delta: unknown, finish_reason: string | null = null) => {
    if (!stream || response.destroyed) return;
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      `data: ${JSON.stringify({ model: MODEL, choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  };
}

function endAnswer(
  body: Body,
  response: ServerResponse,
  { text, reason, usage }: { text: string; reason: string; usage: unknown },
) {
  if (response.destroyed) return;
  if (!body.stream) {
    const message = { role: 'assistant', content: text };
    return sendJson(response, 200, {
      model: MODEL,
      choices: [{ index: 0, message, finish_reason: reason }],
      usage,
    });
  }
  sender(body, response)({}, reason);
  if (body.stream_options?.include_usage)
    response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}
