import type Anthropic from '@anthropic-ai/sdk';
import type { ModelAttachment, ModelMessage, ToolCall } from '../../ports/language-model.ts';

type Message = Anthropic.MessageParam;
type Block = Anthropic.ContentBlockParam;

/** Turns must alternate, so adjacent messages of one role are merged; tool results come first in the user's turn. */
export function toMessages(messages: ModelMessage[]): Message[] {
  const turns: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...toBlocks(message));
    else turns.push({ role, content: toBlocks(message) });
  }
  return turns.filter(({ content }) => content.length > 0);
}

/** Omits texts that are empty or only white space, because the API rejects them. */
function toBlocks(message: ModelMessage): Block[] {
  if (message.role === 'tool') {
    const { toolCallId, content, isError = false } = message;
    return [{ type: 'tool_result', tool_use_id: toolCallId, content, is_error: isError }];
  }
  const text: Block[] = message.content.trim() === '' ? [] : [{ type: 'text', text: message.content }];
  if (message.role === 'user') return [...(message.attachments ?? []).flatMap(showAttachment), ...text];
  const calls = message.toolCalls ?? [];
  return [...calls.flatMap(readThinking), ...text, ...calls.map(toToolUse)];
}

function showAttachment({ text, picture }: ModelAttachment): Block[] {
  const said: Block = { type: 'text', text };
  if (picture === undefined) return [said];
  const { mediaType, base64: data } = picture;
  return [said, { type: 'image', source: { type: 'base64', media_type: mediaType, data } }];
}

/** Returns the signed reasoning, which the API expects before the tool calls that followed from it. */
function readThinking({ echo }: ToolCall): Block[] {
  return Array.isArray(echo?.thinking) ? (echo.thinking as Block[]) : [];
}

function toToolUse({ id, name, input }: ToolCall): Block {
  return { type: 'tool_use', id, name, input: parseInput(input) };
}

/** The API accepts only objects. Any other input goes back to the model exactly as it wrote it. */
function parseInput(input: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {}
  return { invalid: input };
}
