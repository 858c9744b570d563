import type OpenAI from 'openai';
import type { ModelAttachment, ModelMessage, ModelRequest, ProviderId } from '../../ports/language-model.ts';
import { isOwnServer } from '../../text/vendor-names.ts';
import { OF_FORM, OF_THOUGHTS, type Option } from './refused-options.ts';
import { withToolsAsText } from './tools-as-text.ts';

export type CompletionBody = OpenAI.ChatCompletionCreateParamsStreaming;

interface Target {
  provider: ProviderId;
  model: string;
  baseUrl?: string;
  /** The output limit for requests that set none. */
  maxOutputTokens?: number | undefined;
}

/** The temperature for JSON. Temperatures that suit prose make a small model write malformed JSON. */
const JSON_TEMPERATURE = 0.2;

/** Returns the options that a server may refuse. Requests to the vendors' own APIs have none. */
export function optionsOf(target: Target, request: ModelRequest): Set<Option> {
  const options = new Set<Option>(['usage']);
  if (!isOwnServer(target)) return options;
  const { system, tools = [], messages, responseSchema, maxOutputTokens = target.maxOutputTokens } = request;
  if (maxOutputTokens !== undefined) options.add('limit');
  if (responseSchema !== undefined) for (const each of OF_FORM) options.add(each);
  if (request.thinking === 'off') for (const each of OF_THOUGHTS) options.add(each);
  if (tools.length > 0 || messages.some(({ role }) => role === 'tool')) options.add('tools');
  if (system !== '') options.add('system');
  return options;
}

/** Returns the body of a chat-completions request with these `options`. */
export function completionBody(
  target: Target,
  given: ModelRequest,
  options: ReadonlySet<Option>,
): CompletionBody {
  const request = isOwnServer(target) && !options.has('tools') ? withToolsAsText(given) : given;
  const { tools = [], maxOutputTokens = target.maxOutputTokens } = request;
  const body: CompletionBody = {
    model: target.model,
    stream: true,
    messages: toMessages(request, !isOwnServer(target) || options.has('system')),
    ...formOf(request, options),
    ...withoutThoughts(options),
  };
  if (options.has('usage')) body.stream_options = { include_usage: true };
  if (tools.length > 0) {
    body.tools = tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
  }
  // OpenAI's reasoning models reject max_tokens; many other servers know only max_tokens.
  if (maxOutputTokens !== undefined && (options.has('limit') || !isOwnServer(target))) {
    body[target.baseUrl === undefined ? 'max_completion_tokens' : 'max_tokens'] = maxOutputTokens;
  }
  return body;
}

/**
 * Returns the fields that disable reasoning in the templates of vLLM, llama.cpp, SGLang, and LM Studio, and
 * in Ollama.
 */
function withoutThoughts(options: ReadonlySet<Option>): object {
  return {
    ...(options.has('no-thoughts') && { chat_template_kwargs: { enable_thinking: false, thinking: false } }),
    ...(options.has('no-effort') && { reasoning_effort: 'none' }),
  };
}

function formOf({ responseSchema }: ModelRequest, options: ReadonlySet<Option>): Partial<CompletionBody> {
  if (responseSchema === undefined) return {};
  return {
    ...(options.has('temperature') && { temperature: JSON_TEMPERATURE }),
    ...(options.has('json') && { response_format: { type: 'json_object' } }),
    ...(options.has('schema') && {
      response_format: { type: 'json_schema', json_schema: { ...responseSchema, strict: true } },
    }),
  };
}

/**
 * Converts the messages. Some templates have no system role, so the first message then starts with the system
 * text.
 */
function toMessages({ system, messages }: ModelRequest, hasSystem: boolean) {
  const role = hasSystem ? 'system' : 'user';
  return joinNeighbors([{ role, content: system }, ...messages.map(toMessage)]);
}

/**
 * Merges consecutive messages of one role, because many models' templates reject them. An unanswered question
 * leaves two in a row.
 */
function joinNeighbors(messages: OpenAI.ChatCompletionMessageParam[]): OpenAI.ChatCompletionMessageParam[] {
  const joined: OpenAI.ChatCompletionMessageParam[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === 'user' && message.role === 'user')
      joined[joined.length - 1] = { role: 'user', content: joinContent(last.content, message.content) };
    else if (last?.role === 'assistant' && message.role === 'assistant' && last.tool_calls === undefined)
      joined[joined.length - 1] = { ...message, content: joinTexts(last.content, message.content) };
    else joined.push(message);
  }
  return joined;
}

type UserContent = OpenAI.ChatCompletionUserMessageParam['content'];

function joinContent(one: UserContent, other: UserContent): UserContent {
  if (typeof one === 'string' && typeof other === 'string') return joinTexts(one, other);
  return [one, other].flatMap((each) =>
    typeof each === 'string' ? [{ type: 'text' as const, text: each }] : each,
  );
}

/** Joins texts. The assistant's messages contain only texts, because `toMessage` makes no others. */
function joinTexts(...texts: unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n\n');
}

function toMessage(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'user') return { role: 'user', content: toUserContent(message) };
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  const { content, toolCalls = [] } = message;
  if (toolCalls.length === 0) return { role: 'assistant', content };
  const calls = toolCalls.map(({ id, name, input, echo }) => ({
    ...echo,
    id,
    type: 'function' as const,
    function: { name, arguments: input },
  }));
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
}

/** Returns plain text if there is no image, because some servers accept nothing else. */
function toUserContent({
  content,
  attachments = [],
}: {
  content: string;
  attachments?: ModelAttachment[];
}): string | OpenAI.ChatCompletionContentPart[] {
  if (attachments.every(({ picture }) => picture === undefined))
    return [...attachments.map(({ text }) => text), content].join('\n\n');
  return [...attachments.flatMap(showAttachment), { type: 'text', text: content }];
}

function showAttachment({ text, picture }: ModelAttachment): OpenAI.ChatCompletionContentPart[] {
  const said = { type: 'text' as const, text };
  if (picture === undefined) return [said];
  const url = `data:${picture.mediaType};base64,${picture.base64}`;
  return [said, { type: 'image_url', image_url: { url } }];
}
