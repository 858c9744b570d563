import { notice } from '../../ui-messages/notice.ts';
import type { StreamPart } from '../../ui-messages/stream-part.ts';
import type { Message } from '../schema.ts';

/** The message that the parts of an answer, or of a run, make, as the AI SDK puts it together. */
export interface AnswerMessage {
  add(part: StreamPart): void;
  message(): Message;
}

type Part = Message['parts'][number];

/** The code of the notice in an answer that did not come to its end. */
export const ANSWER_CUT = 'answer-cut';

export function newAnswerMessage(id: string): AnswerMessage {
  const parts: Part[] = [];
  let metadata: Record<string, unknown> | undefined;
  return {
    add(part) {
      if ('messageMetadata' in part && part.messageMetadata !== undefined)
        metadata = { ...metadata, ...(part.messageMetadata as Record<string, unknown>) };
      if ('transient' in part && part.transient) return; // for who watches
      if ('toolCallId' in part) addToCall(parts, part);
      else addPart(parts, part);
    },
    message: () => ({ id, role: 'assistant', parts, ...(metadata && { metadata }) }),
  };
}

function addPart(parts: Part[], part: StreamPart): void {
  if (part.type === 'start-step') parts.push({ type: 'step-start' });
  if (part.type === 'text-start') parts.push({ type: 'text', text: '', state: 'done' });
  if (part.type === 'reasoning-start') parts.push({ type: 'reasoning', text: '', state: 'done' });
  if (part.type === 'text-delta') addText(parts, 'text', part.delta);
  if (part.type === 'reasoning-delta') addText(parts, 'reasoning', part.delta);
  if (part.type === 'source-document' || part.type.startsWith('data-')) parts.push({ ...part });
}

function addText(parts: Part[], type: string, delta: string): void {
  const last = parts.findLast((part) => part.type === type);
  if (last !== undefined) last.text = `${last.text}${delta}`;
}

function addToCall(parts: Part[], part: Extract<StreamPart, { toolCallId: string }>): void {
  const { toolCallId } = part;
  const call = parts.find((each) => each.toolCallId === toolCallId);
  if (part.type === 'tool-input-available' || part.type === 'tool-input-error') {
    const { toolName, input } = part;
    const state = part.type === 'tool-input-error' ? 'output-error' : 'input-available';
    const failed = part.type === 'tool-input-error' ? { errorText: part.errorText } : {};
    if (call === undefined) parts.push({ type: `tool-${toolName}`, toolCallId, state, input, ...failed });
  }
  if (call === undefined) return;
  if (part.type === 'tool-output-available')
    Object.assign(call, { state: 'output-available', output: part.output });
  if (part.type === 'tool-output-error')
    Object.assign(call, { state: 'output-error', errorText: part.errorText });
  if (part.type === 'tool-output-denied') Object.assign(call, { state: 'output-denied' });
}

/** What ends an answer before its end, said in the stream and in the message that is kept. */
export function cutParts(reason: 'stopped' | 'failed', text: string): StreamPart[] {
  const cut = notice(ANSWER_CUT, text);
  return reason === 'stopped'
    ? [cut, { type: 'abort', reason: 'stopped' }]
    : [cut, { type: 'error', errorText: text }];
}
