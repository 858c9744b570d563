import type OpenAI from 'openai';
import type { ModelAttachment, ModelMessage, ModelRequest } from '../../ports/language-model.ts';

export type CompletionBody = OpenAI.ChatCompletionCreateParamsStreaming;

/** A request as a chat-completions API takes it. A server other than OpenAI's is known by its base URL. */
export function completionBody(
  { model, baseUrl }: { model: string; baseUrl?: string },
  request: ModelRequest,
): CompletionBody {
  const { system, messages, tools, maxOutputTokens } = request;
  const body: CompletionBody = {
    model,
    stream: true,
    messages: [{ role: 'system', content: system }, ...messages.map(toMessage)],
  };
  if (tools !== undefined && tools.length > 0) {
    body.tools = tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
  }
  // Reasoning models of OpenAI refuse max_tokens; many other servers know nothing else.
  if (maxOutputTokens !== undefined) {
    body[baseUrl === undefined ? 'max_completion_tokens' : 'max_tokens'] = maxOutputTokens;
  }
  return body;
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
