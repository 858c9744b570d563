import type { ModelAttachment, ModelMessage, ToolCall } from '../../ports/language-model.ts';
import { deniedText } from '../../ui-messages/approval-parts.ts';
import { readMessagePart } from '../../ui-messages/message-part.ts';
import { joinText, type MessagePart, type UiMessage } from '../../ui-messages/ui-message.ts';
import { withoutCitations } from '../../ui-messages/without-citations.ts';

const NOT_RUN = 'This call was not run.';

/** Converts the conversation, with its tool calls and their results, to model messages. */
export function toModelMessages(
  messages: UiMessage[],
  attachments: ModelAttachment[][] = [],
): ModelMessage[] {
  const turns = messages.flatMap(({ role, parts }, at): ModelMessage[] => {
    if (role === 'assistant') return assistantTurns(parts);
    const content = joinText(parts);
    const attached = attachments[at]?.length ? { attachments: attachments[at] } : {};
    return role === 'user' && content !== '' ? [{ role, content, ...attached }] : [];
  });
  while (turns.length > 0 && turns[0]?.role !== 'user') turns.shift(); // some models require it
  return turns;
}

/** Returns additional instructions from the client, which aren't part of the conversation. */
export function systemWishes(messages: UiMessage[]): string[] {
  return messages.filter(({ role }) => role === 'system').map(({ parts }) => joinText(parts));
}

/**
 * Converts a message of the client, which contains all steps of a run. Each step becomes a turn, followed by
 * the results of its calls. Passage numbers are removed, because they mean other passages in another run.
 */
function assistantTurns(parts: MessagePart[]): ModelMessage[] {
  return splitSteps(parts).flatMap((step) => {
    const calls = step.filter(isCall);
    const content = withoutCitations(joinText(step), parts);
    const turn: ModelMessage = { role: 'assistant', content, toolCalls: calls.map(toCall) };
    const said = content === '' && calls.length === 0 ? [] : [turn, ...calls.map(toResult)];
    return [...said, ...step.flatMap(toSteering)];
  });
}

/** Returns the message that the person sent to the run at this point. */
function toSteering(part: MessagePart): ModelMessage[] {
  const content = readMessagePart(part);
  return content === undefined ? [] : [{ role: 'user', content }];
}

function splitSteps(parts: MessagePart[]): MessagePart[][] {
  const steps: MessagePart[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else steps.at(-1)?.push(part);
  }
  return steps;
}

type CallPart = MessagePart & { toolCallId: string };

/**
 * Returns whether a part is a call. A call without arguments was interrupted, and the model doesn't see it.
 */
function isCall(part: MessagePart): part is CallPart {
  return part.type.startsWith('tool-') && part.toolCallId !== undefined && part.input !== undefined;
}

function toCall({ type, toolCallId, input }: CallPart): ToolCall {
  return { id: toolCallId, name: type.slice('tool-'.length), input: JSON.stringify(input) };
}

function toResult({ type, toolCallId, output, errorText, approval }: CallPart): ModelMessage {
  if (errorText !== undefined) return { role: 'tool', toolCallId, content: errorText, isError: true };
  if (output === undefined) {
    const content = approval?.approved === false ? deniedText(approval.reason) : NOT_RUN;
    return { role: 'tool', toolCallId, content, isError: true };
  }
  const isNumbered = NUMBERED.includes(type);
  return { role: 'tool', toolCallId, content: resultText(isNumbered ? withoutNumbers(output) : output) };
}

/** The parts of tools whose results have citation numbers. */
const NUMBERED = ['tool-readFile', 'tool-searchWorkspace'];

function withoutNumbers(output: unknown): unknown {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return output;
  const { number: _, passages, ...rest } = output as Record<string, unknown>;
  return Array.isArray(passages) ? { ...rest, passages: passages.map(withoutNumbers) } : rest;
}

/** Returns a tool's output as the model reads it. */
export function resultText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
