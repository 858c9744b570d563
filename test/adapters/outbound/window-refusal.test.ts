import { describe, expect, it } from '@jest/globals';
import { BadRequestError } from 'openai';
import { providerFailure } from '../../../lib/adapters/outbound/provider-failure.ts';
import { windowRefusal } from '../../../lib/adapters/outbound/window-refusal.ts';

/** Rejections for length in the wording of the servers, with the window that they name. */
const REFUSALS: [server: string, error: unknown, window: number | undefined][] = [
  [
    'llama.cpp',
    {
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 5419,
      n_ctx: 4096,
    },
    4096,
  ],
  [
    'llama.cpp, newer',
    { message: 'request (5419 tokens) exceeds the available context size (4096 tokens), try increasing it' },
    4096,
  ],
  [
    'vLLM',
    "This model's maximum context length is 4096 tokens. However, you requested 5419 tokens (4907 in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
    4096,
  ],
  ['vLLM, older', 'The decoder prompt (length 5419) is longer than the maximum model length of 4096.', 4096],
  ['SGLang', "The input (5419 tokens) is longer than the model's context length (4096 tokens).", 4096],
  [
    'OpenAI',
    {
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    },
    undefined,
  ],
  [
    'Anthropic',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 205419 tokens > 200000 maximum' },
    },
    200_000,
  ],
  [
    'Anthropic, with its answer',
    {
      message:
        'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    },
    200_000,
  ],
  [
    'Gemini',
    { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' },
    1_048_576,
  ],
  [
    'LM Studio',
    'Trying to keep the first 5419 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    4096,
  ],
  [
    'LM Studio, newer',
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5419>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    4096,
  ],
  ['Ollama', { code: 400, message: 'the input length exceeds the context length' }, undefined],
  ['Ollama in its cloud', 'prompt too long; exceeded max context length by 1200 tokens', undefined],
  ['llama-cpp-python', { message: 'Requested tokens (5419) exceed context window of 4096' }, 4096],
  [
    'TGI',
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 419 `max_new_tokens`',
    },
    4096,
  ],
  [
    'TGI, for its input',
    'Input validation error: `inputs` must have less than 1024 tokens. Given: 5419',
    1024,
  ],
  [
    'Mistral',
    {
      message:
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    },
    32_768,
  ],
  [
    'xAI',
    { error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
    131_072,
  ],
  ['MLX', 'Prompt too long: 5419 tokens exceeds max context window of 4,096 tokens', 4096],
  ['Bedrock', { message: 'Input is too long for requested model.' }, undefined],
  [
    'LiteLLM',
    {
      message:
        'litellm.ContextWindowExceededError: OpenAIException - the prompt exceeds what the model takes',
    },
    undefined,
  ],
  ['Fireworks', { message: 'The prompt is too long: 5419, model maximum context length: 4096' }, 4096],
];

/** Rejections for other reasons. */
const OTHERS = [
  'Conversation roles must alternate user/assistant/user/assistant/...',
  'registry.ollama.ai/library/gemma:2b does not support tools',
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  'max_tokens is too large: 16384. This model supports at most 8192 completion tokens, whereas you provided 16384.',
  'max_tokens: 20000 > 8192, which is the maximum allowed number of output tokens for this model',
  'Rate limit reached on tokens per minute (TPM): Limit 6000, Requested 7000. Please try again in 10 s.',
  'You exceeded your current quota, please check your plan and billing details.',
  'System role not supported',
  'Invalid image: the file must be at most 5 MB',
];

describe('windowRefusal', () => {
  it.each(REFUSALS)('reads the rejection of %s', (_server, error, window) => {
    const refusal = windowRefusal('The model', error);
    expect(refusal?.code).toBe('model_window_exceeded');
    expect(refusal?.contextTokens).toBe(window);
  });

  it.each(OTHERS)('ignores another rejection: %s', (text) => {
    expect(windowRefusal('The model', { message: text })).toBeUndefined();
  });

  it('reads SDK errors, without passing on their text', () => {
    const error = { message: 'prompt is too long: 5419 tokens > 4096 maximum. Key sk-secret.' };
    const failure = providerFailure('Ollama', new BadRequestError(400, error, undefined, new Headers()));
    expect(failure.code).toBe('model_window_exceeded');
    expect(failure.refusedRequest).toBe(true);
    expect(failure.message).toBe(
      "Ollama refused the request, because it doesn't fit the model's context window of 4,096 tokens. Enlarge the window on the model server, or send less text.",
    );
  });

  it('does not mistake a status code for a window, wherever the SDK puts the code', () => {
    const body = { error: { message: 'the input length exceeds the context length', code: 400 } };
    for (const error of [body, { body }])
      expect(
        windowRefusal('Ollama', new BadRequestError(400, error, undefined, new Headers())),
      ).toMatchObject({
        code: 'model_window_exceeded',
        contextTokens: undefined,
      });
  });

  it('reads nothing from a text of unlimited length', () => {
    const text = `${'a '.repeat(100_000)} context length exceeded 4096`;
    expect(windowRefusal('The model', { message: text })).toBeUndefined();
  });
});
