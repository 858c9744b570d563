import { WAITING } from '../../api-contract/answer-notices.ts';
import { type Citation, type CitationSupport, withJudgment } from '../../api-contract/citation.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { ErrorDetails } from '../../known-error.ts';
import { beginning } from '../../text/cut-text.ts';
import { type ApprovalAnswered, readApprovalAnswered } from '../../ui-messages/approval-parts.ts';
import { failureParts } from '../../ui-messages/error-parts.ts';
import { notice } from '../../ui-messages/notice.ts';
import type { Message } from '../schema.ts';

/** The message made from the parts of an answer or a run, as the AI SDK assembles it. */
export interface AnswerMessage {
  add(part: StreamPart): void;
  message(): Message;
  /** Returns the message after its last part. A call that has no result by then never gets one. */
  endedMessage(): Message;
}

type Part = Message['parts'][number];

/** The code of the notice in an interrupted answer. */
export const ANSWER_CUT = 'answer-cut';

export function newAnswerMessage(id: string): AnswerMessage {
  const parts: Part[] = [];
  let metadata: Record<string, unknown> | undefined;
  const message = (): Message => ({ id, role: 'assistant', parts, ...(metadata && { metadata }) });
  return {
    add(part) {
      if ('messageMetadata' in part && part.messageMetadata !== undefined)
        metadata = { ...metadata, ...(part.messageMetadata as Record<string, unknown>) };
      const answered = readApprovalAnswered(part);
      if (answered !== undefined) addAnswer(parts, answered);
      if ('transient' in part && part.transient) return; // only for live readers
      if ('toolCallId' in part) addToCall(parts, part);
      else addPart(parts, part);
    },
    message,
    endedMessage: () => ({ ...message(), parts: parts.map(endCall) }),
  };
}

function addPart(parts: Part[], part: StreamPart): void {
  if (part.type === 'start-step') parts.push({ type: 'step-start' });
  if (part.type === 'text-start') parts.push({ type: 'text', text: '', state: 'done' });
  if (part.type === 'reasoning-start') parts.push({ type: 'reasoning', text: '', state: 'done' });
  if (part.type === 'text-delta') addText(parts, 'text', part.delta);
  if (part.type === 'reasoning-delta') addThought(parts, part.delta);
  if (part.type === 'data-thought') moveThought(parts);
  if (part.type === 'data-citation-support') addSupport(parts, part.data as CitationSupport);
  const isPassing = part.type === 'data-thought' || isWaiting(part);
  if (part.type === 'source-document' || (part.type.startsWith('data-') && !isPassing))
    parts.push({ ...part });
}

function isWaiting(part: StreamPart): boolean {
  return 'data' in part && (part.data as { code?: unknown } | null)?.code === WAITING;
}

/** The number of characters to store of each thought, so that the record has room for the answer. */
const MAX_THOUGHT = 20_000;

function addThought(parts: Part[], delta: string): void {
  const stored = parts.findLast(({ type }) => type === 'reasoning')?.text;
  const room = Math.max(0, MAX_THOUGHT - String(stored ?? '').length);
  addText(parts, 'reasoning', beginning(delta, room));
}

/** Converts the last text to a thought, because it turned out to be one. */
function moveThought(parts: Part[]): void {
  const text = parts.findLast(({ type }) => type === 'text');
  if (text === undefined) return;
  Object.assign(text, { type: 'reasoning', text: beginning(String(text.text), MAX_THOUGHT) });
}

/** Adds a judgment to its citation, so that readers of the message needn't join the two. */
function addSupport(parts: Part[], support: CitationSupport): void {
  const cited = parts.find(({ type, id }) => type === 'data-citation' && id === support.id);
  if (cited !== undefined) cited.data = withJudgment(cited.data as Citation, support);
}

function addText(parts: Part[], type: string, delta: string): void {
  const last = parts.findLast((part) => part.type === type);
  if (last !== undefined) last.text = `${last.text}${delta}`;
}

type CallPart = Extract<StreamPart, { toolCallId: string }>;

function addToCall(parts: Part[], part: CallPart): void {
  const call = parts.find(({ toolCallId }) => toolCallId === part.toolCallId);
  if (call !== undefined) Object.assign(call, changeOf(part));
  else if (part.type === 'tool-input-available' || part.type === 'tool-input-error')
    parts.push(newCall(part));
}

function newCall(part: Extract<CallPart, { toolName: string; input: unknown }>): Part {
  const { toolCallId, toolName, input } = part;
  const call = { type: `tool-${toolName}`, toolCallId, state: 'input-available', input };
  return part.type === 'tool-input-error'
    ? { ...call, state: 'output-error', errorText: part.errorText }
    : call;
}

function changeOf(part: CallPart): object {
  if (part.type === 'tool-approval-request')
    return { state: 'approval-requested', approval: { id: part.approvalId } };
  if (part.type === 'tool-output-available') return { state: 'output-available', output: part.output };
  if (part.type === 'tool-output-error') return { state: 'output-error', errorText: part.errorText };
  if (part.type === 'tool-output-denied') return { state: 'output-denied' };
  return {};
}

function addAnswer(parts: Part[], { approvalId, toolCallId, approved, reason }: ApprovalAnswered): void {
  const call = parts.find((each) => each.toolCallId === toolCallId);
  const approval = { id: approvalId, approved, ...(reason !== undefined && { reason }) };
  if (call !== undefined) Object.assign(call, { state: 'approval-responded', approval });
}

const UNENDED = ['input-streaming', 'input-available', 'approval-requested', 'approval-responded'];
const NO_RESULT = 'The run ended before this call finished.';

/** Ends a call that would otherwise wait for approval or a result forever. */
function endCall(part: Part): Part {
  if (part.toolCallId === undefined || !UNENDED.includes(String(part.state))) return part;
  const { approval, ...call } = part;
  const { approved } = (approval ?? {}) as { approved?: boolean };
  if (approved === false) return { ...part, state: 'output-denied' };
  return { ...call, state: 'output-error', errorText: NO_RESULT, ...(approved && { approval }) };
}

/** Returns the last parts of an answer that a user stopped, for the stream and the stored message. */
export function cutParts(text: string): StreamPart[] {
  return [notice(ANSWER_CUT, text), { type: 'abort', reason: 'stopped' }];
}

/** Returns the last parts of an answer that failed, for the stream and the stored message. */
export function brokenParts(text: string, details: ErrorDetails): StreamPart[] {
  return [notice(ANSWER_CUT, text), ...failureParts(text, details)];
}
