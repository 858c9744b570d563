import type OpenAI from 'openai';
import type { ModelAttachment, ModelMessage, ModelRequest, ProviderId } from '../../ports/language-model.ts';
import { isOwnServer } from '../../text/vendor-names.ts';
import { OF_FORM, type Option } from './refused-options.ts';
import { withToolsAsText } from './tools-as-text.ts';

export type CompletionBody = OpenAI.ChatCompletionCreateParamsStreaming;

interface Target {
  provider: ProviderId;
  model: string;
  baseUrl?: string;
}

/** For JSON, whose form a small model loses at the temperatures that suit prose. */
const JSON_TEMPERATURE = 0.2;

/** The options of a request that the server may refuse. The providers' own are only asked as they always were. */
export function optionsOf(target: Target, request: ModelRequest): Set<Option> {
  const options = new Set<Option>(['usage']);
  if (!isOwnServer(target)) return options;
  const { system, tools = [], messages, responseSchema } = request;
  if (responseSchema !== undefined) for (const each of OF_FORM) options.add(each);
  if (tools.length > 0 || messages.some(({ role }) => role === 'tool')) options.add('tools');
  if (system !== '') options.add('system');
  return options;
}

/** A request as a chat-completions API takes it, with `options`. */
export function completionBody(
  target: Target,
  given: ModelRequest,
  options: ReadonlySet<Option>,
): CompletionBody {
  const request = isOwnServer(target) && !options.has('tools') ? withToolsAsText(given) : given;
  const { tools = [], maxOutputTokens } = request;
  const body: CompletionBody = {
    model: target.model,
    stream: true,
    messages: toMessages(request, !isOwnServer(target) || options.has('system')),
    ...formOf(request, options),
  };
  if (options.has('usage')) body.stream_options = { include_usage: true };
  if (tools.length > 0) {
    body.tools = tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
  }
  // Reasoning models of OpenAI refuse max_tokens; many other servers know nothing else.
  if (maxOutputTokens !== undefined) {
    body[target.baseUrl === undefined ? 'max_completion_tokens' : 'max_tokens'] = maxOutputTokens;
  }
  return body;
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

/** Some templates have no system role: its text then begins the first message. */
function toMessages({ system, messages }: ModelRequest, hasSystem: boolean) {
  if (hasSystem) return [{ role: 'system' as const, content: system }, ...messages.map(toMessage)];
  const [first, ...rest] = messages;
  if (first?.role !== 'user') return [{ role: 'user' as const, content: system }, ...messages.map(toMessage)];
  return [{ ...first, content: [system, first.content].join('\n\n') }, ...rest].map(toMessage);
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

/** A text where no picture is among it: there are servers that take nothing else. */
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
