import type { Part } from '../chat/message-view.ts';
import { addPart, NO_STEPS, type RunPart, type RunSteps } from './run-steps.ts';

interface StoredMessage {
  parts: readonly Part[];
  metadata?: unknown;
}

/** Returns the steps of a stored answer of an ended run, or of a chat. Omits malformed parts. */
export function stepsOfMessage({ parts, metadata }: StoredMessage): RunSteps {
  const sent = parts.flatMap(sentParts);
  return [...sent, { type: 'finish', messageMetadata: metadata }].reduce(addPart, NO_STEPS);
}

/** Returns the events that a stored part was made from. */
function sentParts(part: Part): RunPart[] {
  if (part.type === 'text' || part.type === 'reasoning')
    return [{ type: `${part.type}-start` }, { type: `${part.type}-delta`, delta: part.text }];
  if (part.type.startsWith('tool-')) return sentCall(part);
  return [part];
}

function sentCall({ type, toolCallId, state, input, output, errorText, approval }: Part): RunPart[] {
  const call = { toolCallId, toolName: type.slice('tool-'.length), input };
  const { reason } = (approval ?? {}) as { reason?: unknown };
  const begun = { ...call, type: 'tool-input-available' };
  if (state === 'output-available') return [begun, { type: 'tool-output-available', toolCallId, output }];
  if (state === 'output-error') return [begun, { type: 'tool-output-error', toolCallId, errorText }];
  const denied = { type: 'data-approval-response', data: { toolCallId, approved: false, reason } };
  return state === 'output-denied' ? [begun, denied, { type: 'tool-output-denied', toolCallId }] : [begun];
}
