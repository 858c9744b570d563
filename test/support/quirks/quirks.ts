import { agentQuirks } from './agent-quirks.ts';
import {
  ANY_ERROR,
  type Asked,
  countTokens,
  FACT,
  FILE,
  goodAnswer,
  numberIn,
  type Quirk,
  type Right,
} from './quirk.ts';
import { refusalQuirks } from './refusal-quirks.ts';
import { chunk, DONE, delta, finish, pieces, type Reply, refuses, says } from './replies.ts';

/** The answer contains its source, and nothing else. */
const ANSWERED: Right = { sees: /300 seconds/, cites: [FILE] };
/** Words of the thoughts below, and every tag around them. */
const THOUGHT = 'The user asks about timeouts. Passage [2] may help.';
const NO_THOUGHT = /user asks|<\/?think|<\/?thought|<\|?channel|assistantfinal/i;
const THOUGHT_APART: Right = { ...ANSWERED, never: NO_THOUGHT, thinks: /user asks/ };

/** Rejects a prompt that doesn't fit, in the words of one server. */
function within(window: number, refuse: (tokens: number) => Reply): Quirk['reply'] {
  return (asked) => {
    const tokens = countTokens(asked);
    return tokens > window ? refuse(tokens) : says(goodAnswer(asked), { promptTokens: tokens });
  };
}

/** Silently reads only the end of a prompt that doesn't fit. */
function cutTo(window: number): Quirk['reply'] {
  return (asked) => {
    const tokens = countTokens(asked);
    if (tokens <= window) return says(goodAnswer(asked), { promptTokens: tokens });
    return says(goodAnswer({ ...asked, prompt: asked.prompt.slice(-window * 4) }), { promptTokens: window });
  };
}

const KEEP_FIRST = (tokens: number) =>
  `Trying to keep the first ${tokens} tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`;

const windows: Quirk[] = [
  {
    name: 'window-llama-cpp',
    source: 'ggml-org/llama.cpp#17284',
    reply: within(4096, (n_prompt_tokens) =>
      refuses(400, {
        ...{ code: 400, type: 'exceed_context_size_error', n_prompt_tokens, n_ctx: 4096 },
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
      }),
    ),
  },
  {
    name: 'window-llama-cpp-told',
    source: 'ggml-org/llama.cpp#15780',
    tells: { openai: { meta: { n_ctx: 4096, n_ctx_train: 32768 } } },
    reply: within(4096, (n_prompt_tokens) =>
      refuses(400, {
        code: 400,
        type: 'exceed_context_size_error',
        n_prompt_tokens,
        n_ctx: 4096,
        message: 'too long',
      }),
    ),
  },
  {
    name: 'window-vllm',
    source: 'vllm-project/vllm#20409',
    reply: within(4096, (tokens) => ({
      status: 400,
      body: {
        ...{ object: 'error', type: 'BadRequestError', param: null, code: 400 },
        message: `This model's maximum context length is 4096 tokens. However, you requested ${tokens} tokens (${tokens} in the messages, 0 in the completion). Please reduce the length of the messages or completion.`,
      },
    })),
  },
  {
    name: 'window-llama-cpp-python',
    source: 'fedora-copr/logdetective-website#193',
    reply: within(2048, (tokens) =>
      refuses(400, {
        message: `Requested tokens (${tokens}) exceed context window of 2048`,
        code: 'context_length_exceeded',
      }),
    ),
  },
  {
    name: 'window-lm-studio',
    source: 'lmstudio-ai/lmstudio-bug-tracker#237',
    reply: within(4096, (tokens) => ({ status: 400, body: { error: KEEP_FIRST(tokens) } })),
  },
  {
    name: 'window-lm-studio-stream',
    source: 'dyad-sh/dyad#925',
    reply: within(4096, (tokens) => ({ lines: [chunk({ error: { message: KEEP_FIRST(tokens) } })] })),
  },
  {
    name: 'window-ollama',
    source: 'ollama/ollama#17889',
    reply: within(4096, (tokens) =>
      refuses(400, {
        message: `prompt is too long: ${tokens} tokens, context length is 4096`,
        type: 'invalid_request_error',
      }),
    ),
  },
].map((quirk) => ({ ...quirk, many: true as const, right: { sees: /300 seconds/, cites: [FILE] } }));

const silentWindows: Quirk[] = [
  {
    name: 'window-ollama-cut',
    source: 'ollama/ollama#10368',
    many: true,
    reply: cutTo(2048),
    right: { notice: 'prompt-cut' },
  },
  {
    name: 'window-ollama-cut-told',
    source: 'haoxiang-xu/PuPu#227',
    many: true,
    tells: { ollama: { context_length: 2048 }, show: { model_info: { 'llama.context_length': 131072 } } },
    reply: cutTo(2048),
    right: ANSWERED,
  },
  {
    name: 'window-note-cut',
    source: 'ollama/ollama#4967',
    way: 'note',
    many: true,
    reply: cutTo(1024),
    right: { sees: /cut|window|context/i },
  },
  {
    name: 'window-empty-stream',
    source: 'lmstudio-ai/lmstudio-bug-tracker#2339',
    many: true,
    reply: () => says(''),
    right: { notice: 'answer-empty' },
  },
  {
    name: 'window-error-field',
    source: 'ggml-org/llama.cpp#16109',
    many: true,
    // The field of the event is `error`, which stream readers ignore.
    reply: () => ({
      lines: ['error: {"code":400,"type":"exceed_context_size_error","n_ctx":4096}\n\n'],
    }),
    right: { code: ANY_ERROR },
  },
];

/** Longer than a minute, after which clients give up. */
const SLOW_MS = 70_000;

const slow: Quirk[] = [
  {
    name: 'slow-headers',
    source: 'ollama/ollama-js#72',
    reply: (asked) => ({
      ...(says(goodAnswer(asked)) as Extract<Reply, { lines: unknown }>),
      headersAfterMs: SLOW_MS,
    }),
    right: { ...ANSWERED, calls: 1 },
  },
  {
    name: 'slow-first-token',
    source: 'ggml-org/llama.cpp#21952',
    reply: (asked) => ({
      lines: [delta({ role: 'assistant', content: null }), SLOW_MS, ...linesOf(says(goodAnswer(asked)))],
    }),
    right: { ...ANSWERED, calls: 1 },
  },
  {
    name: 'slow-pings',
    source: 'ggml-org/llama.cpp#24013',
    reply: (asked) => ({
      lines: [
        ...Array.from({ length: 14 }, () => [':\n\n', SLOW_MS / 14]).flat(),
        ...linesOf(says(goodAnswer(asked))),
      ],
    }),
    right: { ...ANSWERED, calls: 1 },
  },
];

function linesOf(reply: Reply): (string | number)[] {
  return 'lines' in reply ? [...reply.lines] : [];
}

const thoughts: Quirk[] = [
  {
    name: 'think',
    source: 'open-webui/open-webui#8706',
    reply: (asked) => says(`<think>\n${THOUGHT}\n</think>\n\n${goodAnswer(asked)}`),
    right: THOUGHT_APART,
  },
  {
    name: 'think-close-only',
    source: 'ggml-org/llama.cpp#11861',
    reply: (asked) => says(`${THOUGHT}\n</think>\n\n${goodAnswer(asked)}`),
    right: { ...ANSWERED, never: NO_THOUGHT },
  },
  {
    name: 'think-split',
    source: 'Quack6765/Eidon-AI#222',
    reply: (asked) => ({
      lines: [...`<think>${THOUGHT}</think>${goodAnswer(asked)}`]
        .map((content) => delta({ content }))
        .concat(finish('stop'), DONE),
    }),
    right: THOUGHT_APART,
  },
  {
    name: 'thought-tag',
    source: 'kwaroran/Risuai#764',
    reply: (asked) => says(`<thought>${THOUGHT}</thought>${goodAnswer(asked)}`),
    right: THOUGHT_APART,
  },
  {
    name: 'think-unclosed',
    source: '1CatAI/1Cat-vLLM#47',
    reply: () => says(`<think>\n${THOUGHT}`, { reason: 'length' }),
    right: { never: NO_THOUGHT, sees: /\S/ },
  },
  {
    name: 'think-in-code',
    source: 'QuantumNous/new-api#802',
    reply: (asked) =>
      says(`${goodAnswer(asked)}\n\nIn templates, \`<think>\` begins a thought and \`</think>\` ends it.`),
    right: { ...ANSWERED, sees: /`<think>` begins a thought and `<\/think>` ends it/ },
  },
  ...(['reasoning_content', 'reasoning'] as const).map((field, place) => ({
    name: field,
    source: place === 0 ? 'langroid/langroid#691' : 'anomalyco/opencode#37553',
    reply: (asked: Asked) => says(goodAnswer(asked), { thoughts: THOUGHT, field }),
    right: THOUGHT_APART,
  })),
  {
    name: 'reasoning-only',
    source: 'codelibs/fess#3061',
    reply: () => says('', { thoughts: THOUGHT, reason: 'length' }),
    right: { notice: 'answer-empty' },
  },
  {
    name: 'harmony',
    source: 'scouzi1966/maclocal-api#121',
    reply: (asked) =>
      says(
        `<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>${goodAnswer(asked)}<|return|>`,
      ),
    right: { ...THOUGHT_APART, never: /user asks|<\|/ },
  },
  {
    name: 'harmony-bare',
    source: 'Augustas11/macprovider#743',
    reply: (asked) => says(`analysis${THOUGHT}assistantfinal${goodAnswer(asked)}`),
    right: { ...ANSWERED, never: NO_THOUGHT },
  },
  {
    name: 'gemma-channel',
    source: 'qwersyk/Newelle#427',
    reply: (asked) => says(`<|channel>thought\n${THOUGHT}<channel|>${goodAnswer(asked)}`),
    right: THOUGHT_APART,
  },
  {
    name: 'think-title',
    source: 'open-webui/open-webui#8981',
    way: 'title',
    reply: (asked) =>
      says(`<think>\n${THOUGHT}\n</think>\n\n${isTitle(asked) ? 'Timeouts of undici' : goodAnswer(asked)}`),
    right: { sees: /300 seconds/, never: NO_THOUGHT },
  },
  {
    name: 'think-second-question',
    source: 'Quack6765/Eidon-AI#222',
    way: 'second question',
    reply: (asked) =>
      says(
        `<think>\n${THOUGHT}\n</think>\n\n${isRewriting(asked) ? 'What is the bodyTimeout of undici?' : goodAnswer(asked)}`,
      ),
    right: { sees: /300 seconds/, never: NO_THOUGHT },
  },
  {
    name: 'think-note',
    source: 'sipeed/picoclaw#1233',
    way: 'note',
    reply: (asked) => says(`<think>\n${THOUGHT}\n</think>\n\n${goodAnswer(asked)}`),
    right: { sees: /300 seconds/, never: /user asks|think>/ },
  },
];

function isTitle({ request }: Asked): boolean {
  return /title of a conversation/.test(String(request.messages[0]?.content));
}

function isRewriting({ prompt }: Asked): boolean {
  return /Rewrite the last question/.test(prompt);
}

const WORDS = 'Undici is an HTTP client that keeps connections open and waits for headers. ';

const endings: Quirk[] = [
  {
    name: 'length',
    source: 'ollama/ollama#3839',
    reply: (asked) => says(`${goodAnswer(asked)} Its default`, { reason: 'length' }),
    right: { ...ANSWERED, notice: 'answer-cut' },
  },
  {
    name: 'length-note',
    source: 'pfrankov/obsidian-ai-providers#28',
    way: 'note',
    reply: (asked) => says(`${goodAnswer(asked)} Its default`, { reason: 'length' }),
    right: { sees: /300 seconds[\s\S]*(cut|incomplete|limit)|(cut|incomplete|limit)[\s\S]*300 seconds/i },
  },
  {
    name: 'content-filter',
    source: 'microsoft/semantic-kernel#5289',
    reply: () => says('Undici is', { reason: 'content_filter' }),
    right: { notice: 'answer-filtered' },
  },
  {
    name: 'empty',
    source: 'ollama/ollama#17274',
    reply: () => says(''),
    right: { notice: 'answer-empty' },
  },
  {
    name: 'repeats',
    source: 'QwenLM/qwen-code#1403',
    reply: (asked) => says(`${goodAnswer(asked)} ${WORDS.repeat(400)}`, { reason: 'length' }),
    right: { ...ANSWERED, notice: 'answer-repeats' },
  },
  {
    name: 'endless',
    source: 'ollama/ollama#7078',
    reply: ({ request }) => ({ lines: endlessLines(bound(request)) }),
    right: { sees: /\S/, notice: 'answer-cut' },
  },
  {
    name: 'no-finish-reason',
    source: 'diegosouzapw/OmniRoute#7800',
    reply: (asked) => ({ lines: [...pieces(goodAnswer(asked)), DONE] }),
    right: ANSWERED,
  },
  {
    name: 'no-done',
    source: 'ikawrakow/ik_llama.cpp#467',
    reply: (asked) => ({ lines: [...pieces(goodAnswer(asked)), finish('stop')] }),
    right: ANSWERED,
  },
  {
    name: 'never-closes',
    source: 'waybarrios/vllm-mlx#101',
    reply: (asked) => ({ lines: [...pieces(goodAnswer(asked)), finish('stop')], end: 'open' }),
    right: ANSWERED,
  },
  {
    name: 'cut-off',
    source: 'vercel/ai#19165',
    reply: (asked) => ({ lines: [...pieces(goodAnswer(asked)), 100], end: 'cut' }),
    right: { sees: /300 seconds/, code: ANY_ERROR },
  },
  {
    name: 'error-in-stream',
    source: 'aaif-goose/goose#8027',
    reply: (asked) => ({
      lines: [
        ...pieces(goodAnswer(asked)),
        chunk({ error: { message: 'Internal server error', code: 500 } }),
      ],
    }),
    right: { sees: /300 seconds/, code: ANY_ERROR },
  },
  {
    name: 'no-choices',
    source: 'cline/cline#8527',
    reply: (asked) => ({
      lines: [
        chunk({ choices: [] }),
        ...pieces(goodAnswer(asked)),
        finish('stop'),
        chunk({ choices: null, usage: null }),
        DONE,
      ],
    }),
    right: ANSWERED,
  },
  {
    name: 'no-delta',
    source: 'agentuniverse-ai/agentUniverse#772',
    reply: (asked) => ({
      lines: [
        ...pieces(goodAnswer(asked)),
        chunk({ choices: [{ index: 0, delta: null, finish_reason: 'stop' }] }),
        DONE,
      ],
    }),
    right: ANSWERED,
  },
  ...[
    ['end-of-turn', 'ggml-org/llama.cpp#6924', '<|im_end|>'],
    ['end-of-text', 'Vali-98/ChatterUI#66', '<|end|><|endoftext|>'],
    ['end-of-sequence', 'NVIDIA/TensorRT-LLM#425', '</s>'.repeat(20)],
    ['end-of-gemma', 'LostRuins/koboldcpp#990', '<end_of_turn>\n<start_of_turn>model\n'],
  ].map(
    ([name = '', source = '', tokens = '']): Quirk => ({
      name,
      source,
      reply: (asked) => says(goodAnswer(asked) + tokens),
      right: { ...ANSWERED, never: /<\||<\/s>|_of_turn/ },
    }),
  ),
];

function bound({ max_tokens: most, max_completion_tokens: other }: Record<string, unknown>): number {
  return Number(most ?? other ?? Number.POSITIVE_INFINITY);
}

/** Yields words that never repeat, up to the requested limit of output tokens. */
function* endlessLines(most: number): Iterable<string | number> {
  for (let count = 0; count < most; count++) {
    yield delta({ content: `word${(count * 7919) % 99_991} ` });
    if (count % 50 === 0) yield 5;
  }
  yield finish('length');
  yield DONE;
}

/**
 * The text with which a model names its passage after a sentence. It knows the number and the file. The
 * source uses this form, or reports models that ignore the requested form.
 */
const markers: [name: string, source: string, mark: (number: number, code: string) => string][] = [
  ['source', 'linagora/openrag#351', (number) => `[Source ${number}]`],
  ['source-low', 'linagora/openrag#837', (number) => `[source ${number}]`],
  ['document', 'Center-for-AI-Innovation/uiuc-chat-frontend#381', (number) => `[Document ${number}]`],
  ['passage', 'langchain-ai/chat-langchain#263', (number) => `[Passage ${number}]`],
  ['parentheses', 'Future-House/paper-qa#29', (number) => `(${number})`],
  ['wide-parentheses', 'langchain-ai/chat-langchain#263', (number) => `（${number}）`],
  ['footnote', 'nuclia/nucliadb#3296', (number) => `[^${number}]`],
  ['superscript', 'VirtualPatientEngine/AIAgents4Pharma#167', (number) => `<sup>${number}</sup>`],
  ['dagger', 'https://tech.ldas.jp/en/posts/28f552dca8a962', (number) => `【${number}†source】`],
  ['file', 'schuecl/nexus-rag#880', () => `[${FILE}]`],
  ['source-file', 'Azure-Samples/azure-search-openai-demo#2305', () => `[source:${FILE}]`],
  ['element', 'schuecl/nexus-rag#880', (number, code) => `[passage-${code} number="${number}"]`],
  ['link', 'vectara/py-vectara-agentic#118', (number) => `[${number}](${FILE})`],
  ['list', 'vectara/open-rag-eval#19', (number) => `[${number}, ${number}]`],
];

const citations: Quirk[] = [
  ...markers.map(
    ([name, source, mark]): Quirk => ({
      name: `marker-${name}`,
      source,
      reply: ({ prompt }) => {
        const code = /<passage-(\w+)/.exec(prompt)?.[1] ?? '0';
        return says(`${FACT} ${mark(numberIn(prompt), code)}.`);
      },
      right: ANSWERED,
    }),
  ),
  {
    name: 'marker-none',
    source: 'Cinnamon/kotaemon#541',
    reply: () => says(`${FACT}.`),
    right: ANSWERED,
  },
  {
    name: 'marker-none-invented',
    source: 'Cinnamon/kotaemon#541',
    reply: () => says('Undici was written in COBOL in 1959.'),
    right: { sees: /COBOL/, cites: [] },
  },
  {
    name: 'marker-list-at-end',
    source: 'oracle-samples/oracle-aidp-samples#62',
    // The list numbers files in the model's own order.
    reply: ({ prompt }) => {
      const number = numberIn(prompt);
      return says(`${FACT}.\n\nSources:\n[${number + 1}] ${FILE}\n[${number + 2}] axios.md`);
    },
    right: ANSWERED,
  },
  {
    name: 'marker-placeholder',
    source: 'mamei16/LLM_Web_search_OWUI#3',
    reply: () => says(`${FACT} [source_id].`),
    right: ANSWERED,
  },
];

/** Each quirk once. Its name is also the model. */
export const quirks: readonly Quirk[] = [
  ...windows,
  ...silentWindows,
  ...slow,
  ...thoughts,
  ...endings,
  ...citations,
  ...refusalQuirks,
  ...agentQuirks,
];
