import { ANY_END, type Asked, FACT, FILE, type Quirk, type Right } from './quirk.ts';
import { calls, type Reply, refuses, says } from './replies.ts';

/** The file is read, and the answer isn't a call. */
const READ: Right = {
  sees: /300 seconds/,
  never: /readFile|tool_call|TOOL_CALLS|"arguments"|python_/,
  calls: 6,
};

/** Calls the tool in the model's own format until the file is read. */
function reads(call: (asked: Asked) => Reply): Quirk['reply'] {
  return (asked) => (asked.prompt.includes(FACT) ? says(`${FACT}.`) : call(asked));
}

const INPUT = { path: FILE };
const CALL = { type: 'function', function: { name: 'readFile', arguments: JSON.stringify(INPUT) } };

/** Calls that are written into the text. */
const asText: [name: string, source: string, text: string][] = [
  [
    'tag',
    'nugget/thane-ai-agent#21',
    `<tool_call>\n${JSON.stringify({ name: 'readFile', arguments: INPUT })}\n</tool_call>`,
  ],
  ['json', 'jundot/omlx#2565', JSON.stringify({ name: 'readFile', arguments: INPUT })],
  [
    'fence',
    'ollama/ollama-vscode#20',
    `\`\`\`json\n${JSON.stringify({ name: 'readFile', arguments: INPUT })}\n\`\`\``,
  ],
  ['parameters', 'jundot/omlx#1153', JSON.stringify({ name: 'readFile', parameters: INPUT })],
  [
    'python-tag',
    'vllm-project/vllm#16214',
    `<|python_start|>${JSON.stringify({ name: 'readFile', parameters: INPUT })}<|python_end|>`,
  ],
  [
    'mistral',
    'ml-explore/mlx-lm#1374',
    `[TOOL_CALLS] ${JSON.stringify([{ name: 'readFile', arguments: INPUT }])}`,
  ],
  [
    'function',
    'ollama/ollama#17742',
    `<function=readFile>\n<parameter=path>\n${FILE}\n</parameter>\n</function>\n</tool_call>`,
  ],
  [
    'tag-function',
    'QwenLM/qwen-code#10692',
    `<tool_call>\n<function=readFile>\n<parameter=path>\n${FILE}\n</parameter>\n</function>\n</tool_call>`,
  ],
];

/** Calls in their own field, but in another format than OpenAI's. */
const asCall: [name: string, source: string, call: Reply][] = [
  [
    'object',
    'ggml-org/llama.cpp#20198',
    calls({ index: 0, id: 'c1', ...CALL, function: { name: 'readFile', arguments: INPUT } }),
  ],
  [
    'index-zero-twice',
    'huggingface/smolagents#1958',
    calls(
      { index: 0, id: '', ...CALL },
      { index: 0, id: '', ...CALL, function: { ...CALL.function, arguments: '{"path":"axios.md"}' } },
    ),
  ],
  ['empty-id', 'lmstudio-ai/lmstudio-bug-tracker#830', calls({ index: 0, id: '', ...CALL })],
  [
    'empty-id-later',
    'anomalyco/opencode#37841',
    calls(
      { index: 0, id: 'call_8c1f', type: 'function', function: { name: 'readFile', arguments: '{"path":' } },
      { index: 0, id: '', function: { name: '', arguments: JSON.stringify(FILE) } },
      { index: 0, id: '', function: { name: '', arguments: '}' } },
    ),
  ],
  [
    'channel-in-name',
    'vllm-project/vllm#35906',
    calls({
      index: 0,
      id: 'c1',
      ...CALL,
      function: { ...CALL.function, name: 'readFile<|channel|>commentary' },
    }),
  ],
];

/** Calls without progress. A person is told why the run ended, after few calls. */
const useless: [name: string, source: string, call: (asked: Asked) => Reply][] = [
  [
    'loop',
    'openai/openai-agents-python#1544',
    () =>
      calls({ index: 0, id: 'c1', ...CALL, function: { ...CALL.function, arguments: '{"path":"owls.md"}' } }),
  ],
  [
    'broken-json',
    'OpenHands/software-agent-sdk#2488',
    () =>
      calls({
        index: 0,
        id: 'c1',
        ...CALL,
        function: { ...CALL.function, arguments: '{"path": \\n["undici.md"' },
      }),
  ],
  [
    'unknown-tool',
    'simonw/llm#1104',
    ({ turn }) =>
      calls({ index: 0, id: `c${turn}`, ...CALL, function: { name: `quickjs_${turn}`, arguments: '{}' } }),
  ],
  [
    'bad-arguments',
    'MarimerLLC/rockbot#249',
    ({ turn }) =>
      calls({
        index: 0,
        id: `c${turn}`,
        ...CALL,
        function: { ...CALL.function, arguments: `{"file":"data-${turn}.txt"}` },
      }),
  ],
];

/** Servers without tool support. */
const noTools: [name: string, source: string, status: number, message: string][] = [
  ['ollama', 'ollama/ollama#14795', 400, 'registry.ollama.ai/library/gemma3:4b does not support tools'],
  ['llama-cpp', 'defilantech/LLMKube#126', 500, 'tools param requires --jinja flag'],
  [
    'vllm',
    'vllm-project/vllm#9986',
    400,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ],
];

export const agentQuirks: Quirk[] = [
  ...asText.map(
    ([name, source, text]): Quirk => ({
      name: `call-as-text-${name}`,
      source,
      reply: reads(() => says(text)),
      right: READ,
    }),
  ),
  ...asCall.map(
    ([name, source, call]): Quirk => ({
      name: `call-${name}`,
      source,
      reply: reads(() => call),
      right: READ,
    }),
  ),
  ...useless.map(
    ([name, source, reply]): Quirk => ({
      name: `call-${name}`,
      source,
      reply,
      right: { sees: /\S/, calls: 8, code: ANY_END },
    }),
  ),
  ...noTools.map(
    ([name, source, status, message]): Quirk => ({
      name: `no-tools-${name}`,
      source,
      reply: reads(({ request }) =>
        request.tools === undefined ? says(`${FACT}.`) : refuses(status, message),
      ),
      right: { sees: /300 seconds|tools/, never: /too long/, code: ANY_END },
    }),
  ),
].map((quirk) => ({ ...quirk, way: 'agent' as const }));
