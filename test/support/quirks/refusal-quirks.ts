import { ANY_ERROR, type Asked, FILE, goodAnswer, type Quirk, type Right } from './quirk.ts';
import { chunk, type Reply, refuses, says } from './replies.ts';

const ANSWERED: Right = { sees: /300 seconds/, cites: [FILE] };

/** Answers, unless the request contains something that this server doesn't accept. */
function unless(has: (asked: Asked) => boolean, refusal: Reply): Quirk['reply'] {
  return (asked) => (has(asked) ? refusal : says(goodAnswer(asked)));
}

const ROLES = 'Conversation roles must alternate user/assistant/user/assistant/...';

/** Each message has another role than the previous one; a system message may come first. */
function alternates({ request: { messages } }: Asked): boolean {
  const roles = messages.map(({ role }) => role).filter((role, place) => place > 0 || role !== 'system');
  return roles.every((role, place) => (role === 'user') === (place % 2 === 0));
}

/** Judges every sentence with "yes", with this model's extra words. */
function judges(wrap: (json: string) => string): Quirk['reply'] {
  const verdicts = '{"verdicts":[{"number":1,"says":"yes","why":"It says so."}]}';
  return (asked) => says(/"verdicts"/.test(asked.prompt) ? wrap(verdicts) : goodAnswer(asked));
}

const requests: Quirk[] = [
  {
    name: 'no-system',
    source: 'huggingface/chat-ui#1386',
    reply: unless(({ request }) => request.messages[0]?.role === 'system', {
      status: 400,
      body: { object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 },
    }),
    right: ANSWERED,
  },
  {
    name: 'alternation',
    source: 'nextai-translator/raycast-openai-translator#34',
    way: 'second question',
    // The first answer fails, so the conversation has two questions in a row.
    reply: (asked) => {
      if (asked.turn === 0) return { lines: [chunk({ error: { message: 'CUDA error' } })] };
      return alternates(asked)
        ? says(goodAnswer(asked))
        : refuses(500, { code: 500, message: `Error: Jinja Exception: ${ROLES}`, type: 'server_error' });
    },
    right: { sees: /300 seconds/ },
  },
  {
    name: 'no-stream-options',
    source: 'avante-corp/avante.nvim#2347',
    reply: unless(({ request }) => 'stream_options' in request, {
      status: 422,
      body: {
        object: 'error',
        message: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'stream_options', 'include_usage'],
              msg: 'Extra inputs are not permitted',
            },
          ],
        },
        type: 'invalid_request_error',
      },
    }),
    right: ANSWERED,
  },
  {
    name: 'no-max-tokens',
    source: 'anomalyco/opencode#37964',
    reply: unless(
      ({ request }) => 'max_tokens' in request,
      refuses(400, {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ...{ type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
      }),
    ),
    right: ANSWERED,
  },
  {
    name: 'no-temperature',
    source: 'QwenLM/qwen-code#921',
    way: 'judge',
    reply: (asked) =>
      'temperature' in asked.request
        ? refuses(400, {
            message:
              "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
            ...{ type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' },
          })
        : judges((json) => json)(asked),
    right: { ...ANSWERED, judged: true },
  },
  {
    name: 'no-json-schema',
    source: 'llm-exe/llm-exe#662',
    way: 'judge',
    reply: (asked) =>
      'response_format' in asked.request
        ? refuses(400, {
            ...{ message: 'This response_format type is unavailable now', type: 'invalid_request_error' },
            ...{ param: null, code: 'invalid_request_error' },
          })
        : judges((json) => json)(asked),
    right: { ...ANSWERED, judged: true },
  },
  {
    name: 'json-in-fence',
    source: 'vectorize-io/hindsight#645',
    way: 'judge',
    reply: judges((json) => `\`\`\`json\n${json}\n\`\`\``),
    right: { ...ANSWERED, judged: true },
  },
  {
    name: 'json-after-words',
    source: 'Muhanad-husn/axial#72',
    way: 'judge',
    reply: judges(
      (json) =>
        `<think>\nOne sentence, {so} one verdict.\n</think>\nHere is the JSON:\n${json}\nI hope this helps!`,
    ),
    right: { ...ANSWERED, judged: true },
  },
];

/** Expects an error for a person that explains the problem, without any key. */
function told(sees: RegExp, more: Right = {}): Right {
  return {
    sees,
    never: /sk-\w{4}|<html|\[object|could be too long|may be too long/i,
    code: ANY_ERROR,
    ...more,
  };
}

const RATE =
  'Rate limit reached for model `gemma2-9b-it` on tokens per minute (TPM): Limit 15000, Used 11972, Requested 4351.';

const errors: Quirk[] = [
  {
    name: 'quota',
    source: 'langchain-ai/langchainjs#1929',
    reply: () =>
      refuses(429, {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        ...{ type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
      }),
    right: told(/quota|credit|billing/i, { calls: 1 }),
  },
  {
    name: 'rate-limit',
    source: 'Aider-AI/aider#3265',
    reply: () =>
      refuses(429, { message: RATE, type: 'tokens', code: 'rate_limit_exceeded' }, { 'retry-after': '20' }),
    right: told(/\b(1\d|20)\b ?s/i, { code: /^model_rate_limited$/, withinMs: 10_000 }),
  },
  {
    name: 'rate-limit-called-quota',
    source: 'LibreChat-AI/agents#357',
    reply: () => ({
      status: 429,
      body: {
        status: 429,
        error: 'INSUFFICIENT QUOTA',
        message: 'You exceeded your current limit of concurrent requests.',
      },
    }),
    right: told(/limit/i, { code: /^model_rate_limited$/ }),
  },
  {
    name: 'loading',
    source: 'mostlygeek/llama-swap#146',
    reply: () => refuses(503, { code: 503, message: 'Loading model', type: 'unavailable_error' }),
    right: told(/load/i),
  },
  {
    name: 'memory',
    source: 'home-assistant/core#139085',
    reply: () => refuses(500, 'model requires more system memory (7.3 GiB) than is available (6.0 GiB)'),
    right: told(/memory/i),
  },
  {
    name: 'model-missing',
    source: 'netease-youdao/QAnything#555',
    reply: ({ request }) =>
      refuses(404, {
        message: `model "${request.model}" not found, try pulling it first`,
        type: 'api_error',
      }),
    // It names one of the existing models.
    right: told(/model-missing|window-llama-cpp/, { code: /^model_not_found$/ }),
  },
  {
    name: 'html-502',
    source: 'Mintplex-Labs/anything-llm#3223',
    reply: () => ({
      status: 502,
      body: '<html><head><title>502 Bad Gateway</title></head><body>nginx/1.21.6</body></html>',
    }),
    right: told(/502|gateway|proxy/i),
  },
  {
    name: 'html-200',
    source: 'Mintplex-Labs/anything-llm#3223',
    reply: () => ({ status: 200, body: '<!doctype html><html><body>Sign in</body></html>' }),
    right: told(/\S/),
  },
  {
    name: 'refused-otherwise',
    source: 'Mangi-11/Eta#59',
    // Administrators may read the error, but anything that looks like a key is never shown.
    reply: () =>
      refuses(400, {
        message: "Cannot determine type of 'item'. Key: sk-abcdefghijklmnop1234",
        type: 'invalid_request_error',
      }),
    right: told(/determine type/),
  },
];

const connections: Omit<Quirk, 'way'>[] = [
  {
    name: 'no-v1',
    source: 'sigoden/aichat#1100',
    path: '/gateway',
    reply: (asked: Asked) => says(goodAnswer(asked)),
    right: told(/base URL|\/v1/i),
  },
  {
    name: 'key-with-newline',
    source: 'openai-php/client#82',
    key: ' sk-0123456789abcdef\n',
    reply: (asked: Asked) => says(goodAnswer(asked)),
    right: ANSWERED,
  },
  {
    name: 'key-of-another',
    source: 'topoteretes/cognee#1311',
    key: 'sk-or-v1-0123456789abcdef',
    reply: () =>
      refuses(401, {
        message:
          'Incorrect API key provided: sk-or-v1-0123456789abcdef. You can find your API key at https://platform.openai.com/account/api-keys.',
        ...{ type: 'invalid_request_error', param: null, code: 'invalid_api_key' },
      }),
    right: told(/key/i, { code: /^model_credential_refused$/ }),
  },
].map((quirk) => ({ ...quirk, way: 'connect' as const }));

export const refusalQuirks: Quirk[] = [...requests, ...errors, ...connections];
