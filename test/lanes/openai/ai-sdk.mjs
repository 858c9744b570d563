import assert from 'node:assert/strict';
import { loadSdk } from './load-sdk.mjs';

const { generateText, streamText } = await loadSdk('ai');
const { createOpenAI } = await loadSdk('@ai-sdk/openai');
const { createOpenAICompatible } = await loadSdk('@ai-sdk/openai-compatible');
const { BASE_URL: baseURL, API_KEY: apiKey, MODEL: id, SENTENCE } = process.env;
const openai = createOpenAI({ baseURL, apiKey });
const compatible = createOpenAICompatible({ name: 'research', baseURL, apiKey, includeUsage: true });
const TEXT = `${SENTENCE} [1]`;
const prompt = 'When was the Firth bridge opened?';
const options = { providerOptions: { openai: { store: false } }, maxRetries: 0 };

const models = [
  ['responses', openai.responses(id), 'bridges.md'],
  ['chat', openai.chat(id), 'bridges.md'],
  ['compatible', compatible(id), undefined],
];
for (const [name, model, title] of models) {
  const whole = await generateText({ model, prompt, ...options });
  assert.deepEqual([name, whole.text, whole.sources[0]?.title], [name, TEXT, title]);
  assert.ok(whole.usage.totalTokens > 0);
  const stream = streamText({ model, prompt, ...options });
  assert.deepEqual([name, await stream.text, await stream.finishReason], [name, TEXT, 'stop']);
  assert.deepEqual([name, (await stream.sources)[0]?.title], [name, title]);
  const messages = [
    { role: 'user', content: prompt },
    ...whole.response.messages,
    { role: 'user', content: prompt },
  ];
  assert.equal((await generateText({ model, messages, system: 'Be brief.', ...options })).text, TEXT);
  await assert.rejects(
    generateText({ model, prompt, temperature: 0.3, ...options }),
    ({ statusCode, message }) => statusCode === 400 && message.includes('temperature'),
  );
}
console.log(
  '@ai-sdk/openai (responses, chat), @ai-sdk/openai-compatible: text, streams, sources, turns, errors',
);
