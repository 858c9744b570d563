import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openaiLanguageModel } from '../../../lib/adapters/openai/language-model.ts';
import { cleanMessage } from '../../../lib/adapters/outbound/clean-message.ts';
import { providerFailure } from '../../../lib/adapters/outbound/provider-failure.ts';
import type { UpstreamFailed } from '../../../lib/errors.ts';

interface Said {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Answers each chat with `said.now`, and lists two models. */
const said: { now: Said; requests: number } = { now: { status: 200, body: '' }, requests: 0 };
const server = createServer((request, response) => {
  request.resume();
  const { status, body, headers } = request.url?.endsWith('/models')
    ? { status: 200, body: { data: [{ id: 'qwen3:8b' }, { id: 'gemma3:4b' }] }, headers: {} }
    : said.now;
  if (!request.url?.endsWith('/models')) said.requests += 1;
  const isText = typeof body === 'string';
  const type = isText && body.startsWith('<') ? 'text/html' : isText ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(isText ? body : JSON.stringify(body));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
afterAll(() => new Promise((done) => server.close(done)));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

let model = 0;

async function fail(now: Said, asked: { apiKey?: string; path?: string } = {}): Promise<UpstreamFailed> {
  Object.assign(said, { now, requests: 0 });
  const { apiKey = 'k-123', path = '/v1' } = asked;
  const settings = { provider: 'a' as const, baseUrl: `${origin}${path}`, apiKey, model: `m${++model}` };
  const events = openaiLanguageModel(settings).stream({
    system: 'Be kind.',
    messages: [{ role: 'user', content: 'Hi' }],
  });
  try {
    for await (const _ of events);
  } catch (error) {
    return error as UpstreamFailed;
  }
  throw new Error('it did not fail');
}

const error = (message: string, fields: object = {}) => ({ error: { message, ...fields } });

describe('providerFailure', () => {
  it.each<[string, number, unknown, string]>([
    [
      'OpenAI: quota',
      429,
      error('You exceeded your current quota, please check your plan.', {
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
      'model_quota_used_up',
    ],
    [
      'OpenAI: billing',
      429,
      error('Your account is not active.', { type: 'billing_not_active', code: 'billing_not_active' }),
      'model_quota_used_up',
    ],
    [
      'OpenAI: hard limit',
      400,
      error('Billing hard limit has been reached', { code: 'billing_hard_limit_reached' }),
      'model_quota_used_up',
    ],
    [
      'Anthropic in a gateway: credit',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the API.',
        },
      },
      'model_quota_used_up',
    ],
    [
      'DeepSeek: balance',
      402,
      error('Insufficient Balance', { type: 'unknown_error' }),
      'model_quota_used_up',
    ],
    [
      'OpenRouter: credits',
      402,
      error('This request requires more credits', { code: 402 }),
      'model_quota_used_up',
    ],
    [
      'DashScope: arrears',
      400,
      error('Access denied, please make sure your account is in good standing.', { code: 'Arrearage' }),
      'model_quota_used_up',
    ],
    ['Zhipu: balance', 429, error('您的账户已欠费，请充值后重试。', { code: '1113' }), 'model_quota_used_up'],
    [
      'Gemini: per day',
      429,
      [
        {
          error: {
            code: 429,
            status: 'RESOURCE_EXHAUSTED',
            message: 'You exceeded your current quota',
            details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }] }],
          },
        },
      ],
      'model_quota_used_up',
    ],
    [
      'OpenAI: key',
      401,
      error('Incorrect API key provided: sk-abcdefgh', { code: 'invalid_api_key' }),
      'model_credential_refused',
    ],
    [
      'Gemini: key',
      400,
      [
        {
          error: {
            code: 400,
            status: 'INVALID_ARGUMENT',
            message: 'API key not valid.',
            details: [{ reason: 'API_KEY_INVALID' }],
          },
        },
      ],
      'model_credential_refused',
    ],
    ['vLLM: key', 401, { error: 'Unauthorized' }, 'model_credential_refused'],
    [
      'OpenAI: model',
      404,
      error('The model `gpt-9` does not exist or you do not have access to it.', { code: 'model_not_found' }),
      'model_not_found',
    ],
    [
      'vLLM: model',
      404,
      { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 },
      'model_not_found',
    ],
    [
      'Ollama: model',
      404,
      error('model "llama9" not found, try pulling it first', { type: 'api_error' }),
      'model_not_found',
    ],
    ['OpenRouter: model', 400, error('foo/bar is not a valid model ID', { code: 400 }), 'model_not_found'],
    [
      'LM Studio: none loaded',
      404,
      error('No models loaded. Please load a model in the developer page.', {
        type: 'invalid_request_error',
      }),
      'model_not_found',
    ],
    [
      'Azure: deployment',
      404,
      error('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' }),
      'model_not_found',
    ],
    ['FastAPI: path', 404, { detail: 'Not Found' }, 'model_url_wrong'],
    ['Go: path', 404, '404 page not found', 'model_url_wrong'],
    ['nginx: path', 404, '<html><head><title>404 Not Found</title></head></html>', 'model_url_wrong'],
    ['Azure: path', 404, error('Resource not found', { code: '404' }), 'model_url_wrong'],
    [
      'LM Studio: path, with 200',
      200,
      { error: 'Unexpected endpoint or method. (POST /chat/completions)' },
      'model_url_wrong',
    ],
    ['a web server: path, with 200', 200, '<!doctype html><html></html>', 'model_url_wrong'],
    ['a proxy: page', 502, '<html><body>Bad gateway</body></html>', 'model_unreachable'],
    ['a proxy: login', 403, '<!DOCTYPE html><html>Log in to continue</html>', 'model_unreachable'],
    [
      'Ollama: tools',
      400,
      error('registry.ollama.ai/library/gemma:2b does not support tools', { type: 'api_error' }),
      'model_tools_refused',
    ],
    [
      'vLLM: tools',
      400,
      {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        type: 'BadRequestError',
        code: 400,
      },
      'model_tools_refused',
    ],
    [
      'llama.cpp: tools',
      500,
      error('tools param requires --jinja flag', { code: 500, type: 'server_error' }),
      'model_tools_refused',
    ],
    [
      'OpenRouter: tools',
      404,
      error('No endpoints found that support tool use.', { code: 404 }),
      'model_tools_refused',
    ],
    [
      'llama.cpp: loading',
      503,
      error('Loading model', { code: 503, type: 'unavailable_error' }),
      'model_loading',
    ],
    [
      'Hugging Face: loading',
      503,
      { error: 'Model meta-llama/Llama-3 is currently loading', estimated_time: 20 },
      'model_loading',
    ],
    [
      'Gemini: overloaded',
      503,
      [
        {
          error: {
            code: 503,
            status: 'UNAVAILABLE',
            message: 'The model is overloaded. Please try again later.',
          },
        },
      ],
      'model_overloaded',
    ],
    [
      'Ollama: busy',
      503,
      error('server busy, please try again. maximum pending requests exceeded'),
      'model_overloaded',
    ],
    ['TGI: busy', 429, { error: 'Model is overloaded', error_type: 'overloaded' }, 'model_overloaded'],
    [
      'Azure: filter',
      400,
      error('The response was filtered due to the prompt triggering the content management policy.', {
        code: 'content_filter',
      }),
      'model_content_refused',
    ],
    [
      'DashScope: filter',
      400,
      error('Input data may contain inappropriate content.', { code: 'data_inspection_failed' }),
      'model_content_refused',
    ],
    ['unknown', 400, error('`top_k` must be positive.'), 'model_request_refused'],
    [
      'unknown from FastAPI',
      422,
      { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] },
      'model_request_refused',
    ],
    [
      'Ollama: memory',
      500,
      error('model requires more system memory (8.0 GiB) than is available (6.0 GiB)'),
      'model_failed',
    ],
  ])('recognizes by the body: %s', async (_what, status, body, code) => {
    const failure = await fail({ status, body, headers: { 'retry-after-ms': '1' } });
    expect(failure.code).toBe(code);
    expect(failure.message).not.toContain('sk-abc');
  });

  it('recognizes an error within a stream', async () => {
    const body = `event: error\ndata: ${JSON.stringify(error('Model "x" does not support tools'))}\n\n`;
    const headers = { 'content-type': 'text/event-stream' };
    expect((await fail({ status: 200, body, headers })).code).toBe('model_tools_refused');
  });

  it('lists the available models', async () => {
    const { message } = await fail({ status: 404, body: error('model "llama9" not found') });
    expect(message).toContain('It has: qwen3:8b, gemma3:4b.');
  });

  it('explains a wrong URL or key', async () => {
    const wrong = await fail({ status: 404, body: '404 page not found' }, { path: '/openai' });
    expect(wrong.message).toContain('/v1');
    const refused = { status: 401, body: error('no') };
    expect((await fail(refused, { apiKey: 'sk-ant-api03-x1' })).message).toContain('one of Anthropic');
    expect((await fail(refused, { apiKey: 'two words' })).message).toContain('a space');
  });

  it("doesn't retry a permanent failure", async () => {
    await fail({ status: 500, body: error('tools param requires --jinja flag') });
    expect(said.requests).toBe(1);
    await fail({ status: 429, body: error('no', { code: 'insufficient_quota' }) });
    expect(said.requests).toBe(1);
  });

  it.each<[string, Said, number]>([
    ['a header', { status: 429, body: error('no'), headers: { 'retry-after': '90' } }, 90],
    [
      'an exhausted limit',
      {
        status: 429,
        body: error('no'),
        headers: {
          'x-ratelimit-remaining-tokens': '0',
          'x-ratelimit-reset-tokens': '1m30s',
          'x-ratelimit-remaining-requests': '5',
          'x-ratelimit-reset-requests': '1s',
        },
      },
      90,
    ],
    ['a text', { status: 429, body: error('Rate limit reached. Please try again in 1m30.2s.') }, 91],
    [
      'the details of Gemini',
      {
        status: 429,
        body: [
          {
            error: {
              code: 429,
              status: 'RESOURCE_EXHAUSTED',
              message: 'quota',
              details: [{ retryDelay: '90s' }],
            },
          },
        ],
      },
      90,
    ],
  ])('reads the seconds of a rate limit from %s', async (_what, now, seconds) => {
    const failure = await fail(now);
    expect([failure.code, failure.headers['retry-after']]).toEqual(['model_rate_limited', String(seconds)]);
  });

  it('reads only the start of a long page', async () => {
    const failure = await fail({
      status: 502,
      body: `<html>${'x'.repeat(5_000_000)}`,
      headers: { 'x-should-retry': 'false' },
    });
    expect(failure.code).toBe('model_unreachable');
  });
});

it.each([
  ['http://user:secret@localhost:11434/v1', /^No model server answers at localhost:11434\. Start it/],
  ['http://10.0.0.5:11434/v1', /^The OpenAI-compatible endpoint can't be reached/],
  [undefined, /^The OpenAI-compatible endpoint can't be reached/],
])('provider failure reports that nothing listens only for URLs on the host itself: %s', (baseUrl, text) => {
  const cause = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
  const error = new Error('Connection error.', { cause });
  expect(providerFailure('The OpenAI-compatible endpoint', error, { baseUrl }).message).toMatch(text);
});

describe("provider's own message", () => {
  it.each([
    ['key sk-very-secret-1 is wrong', 'sk-very'],
    ['Bearer abc.def.ghi9 was refused', 'ghi9'],
    ['connect to http://admin:pw@10.0.0.7:8000/v1 failed', '10.0.0.7'],
    ['host llm.corp.internal:8000 is down', 'corp'],
    ['token AIzaSyD4567890123456789 was refused', 'AIza'],
    ['id 0123456789abcdef0123456789abcdef is unknown', '0123456789abcdef'],
    ['file /srv/models/secret/llama.gguf is broken', '/srv'],
    ['the own key Zz9 is wrong: my-own-key', 'my-own-key'],
    ['address [fe80::1ff:fe23:4567:890a] is down', 'fe80'],
  ])('is shown without possible secrets: %s', (text, secret) => {
    expect(cleanMessage(text, ['my-own-key'])).not.toContain(secret);
  });

  it('is reduced to one short line of plain text', () => {
    const clean =
      cleanMessage(`**Look**\n<img src=x> [here](https://evil.example)\u202e ${'word '.repeat(200)}`) ?? '';
    expect(clean).not.toMatch(/[<>*[\]\n\u202e]|evil/);
    expect(clean.length).toBeLessThanOrEqual(300);
    expect(cleanMessage('***')).toBeUndefined();
  });

  it('keeps model names and numbers', () => {
    const text = 'The model meta-llama/Llama-3.1-8B-Instruct-AWQ-INT4 requires 8.0 GiB, top_k must be 5.';
    expect(cleanMessage(text)).toBe(text.replace('top_k', 'top k'));
  });
});
