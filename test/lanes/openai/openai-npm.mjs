import assert from 'node:assert/strict';
import { loadSdk } from './load-sdk.mjs';

const { default: OpenAI } = await loadSdk('openai');
const { BASE_URL: baseURL, API_KEY: apiKey, MODEL: model, SENTENCE } = process.env;
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const TEXT = `${SENTENCE} [1]`;
const messages = [{ role: 'user', content: 'When was the Firth bridge opened?' }];
const input = messages[0].content;

const models = [];
for await (const each of client.models.list()) models.push(each.id);
assert.deepEqual(models, [model]);

const completion = await client.chat.completions.create({ model, messages });
assert.equal(completion.choices[0].message.content, TEXT);
assert.equal(completion.choices[0].message.annotations[0].x_citation.quote, SENTENCE);
assert.ok(completion.usage.total_tokens > 0);

let text = '';
let annotations = [];
const chunks = await client.chat.completions.create({ model, messages, stream: true });
for await (const { choices } of chunks) {
  text += choices[0].delta.content ?? '';
  annotations = choices[0].delta.annotations ?? annotations;
}
assert.equal(text, TEXT);
assert.equal(annotations[0].url_citation.title, 'bridges.md');

const helper = client.chat.completions.stream({ model, messages });
assert.equal((await helper.finalChatCompletion()).choices[0].message.content, TEXT);

const response = await client.responses.create({ model, input, store: true });
assert.equal(response.output_text, TEXT);
assert.equal(response.output[0].content[0].annotations[0].filename, 'bridges.md');
const next = await client.responses.create({ model, input, previous_response_id: response.id });
assert.equal(next.previous_response_id, response.id);

const types = new Set();
const events = client.responses.stream({ model, input });
for await (const { type } of events) types.add(type);
assert.ok(types.has('response.output_text.annotation.added'));
assert.equal((await events.finalResponse()).output_text, TEXT);

await assert.rejects(
  client.chat.completions.create({ model, messages, temperature: 0 }),
  (error) =>
    error instanceof OpenAI.BadRequestError &&
    error.code === 'unsupported_parameter' &&
    error.param === 'temperature',
);
await assert.rejects(client.responses.create({ model: 'gpt-5', input }), OpenAI.NotFoundError);
await assert.rejects(
  new OpenAI({ baseURL, apiKey: 'wrs_wrong', maxRetries: 0 }).models.list(),
  (error) => error instanceof OpenAI.AuthenticationError && error.code === 'invalid_api_key',
);
console.log(`openai ${client.constructor.VERSION ?? ''}: models, completions, responses, streams, errors`);
