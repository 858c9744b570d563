import { oneLine } from '../../activity/record.ts';
import type { watchRun } from '../../agent/start/unattended-run.ts';
import { type CallOutcome, readOutcome } from '../../api-contract/call-outcome.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import { withEnding } from '../../ui-messages/answer-ending.ts';
import type { McpContext } from './tool.ts';

/** A call of the agent, as the client's model reads it. */
interface ReportedCall {
  tool: string;
  /** The arguments on one line. */
  input: string;
  state: CallOutcome['state'] | 'running' | 'denied';
  exitCode?: number;
  error?: string;
}

export type RunWatch = Parameters<typeof watchRun>[2];

/** A run whose stream has ended. */
export type Ended = Awaited<ReturnType<typeof watchRun>>;

/** Returns the run with its answer, for the client's model. */
export function describeEnded({ run, text, ending, citations }: Ended) {
  const { id: runId, conversationId, status, error, failedCalls } = run;
  const said = { text: withEnding(text, ending, false), citations };
  const inConversation = conversationId !== null && { conversationId };
  return { runId, ...inConversation, status, error: error ?? undefined, failedCalls, ...said };
}

const MAX_CALLS = 50;
const MAX_TEXT = 300;

/** Reports each step of a run to the client, and remembers the latest calls. */
export function watchCalls({ signal, timeLeftMs, progress }: McpContext): {
  watch: RunWatch;
  calls(): ReportedCall[];
} {
  let steps = 0;
  const made = new Map<string, ReportedCall>();
  const onPart = (part: StreamPart) => {
    if (part.type === 'start-step') progress(++steps, `step ${steps}`);
    takeCall(made, part);
  };
  progress(0, 'starting');
  return { watch: { signal, timeLeftMs, onPart }, calls: () => [...made.values()].slice(-MAX_CALLS) };
}

function takeCall(made: Map<string, ReportedCall>, part: StreamPart): void {
  if (part.type === 'tool-input-available' || part.type === 'tool-input-error') {
    const { toolName: tool, toolCallId } = part;
    const input = oneLine(JSON.stringify(part.input ?? null), MAX_TEXT);
    made.set(toolCallId, { tool, input, state: part.type === 'tool-input-error' ? 'failed' : 'running' });
  }
  if (!('toolCallId' in part)) return;
  const call = made.get(part.toolCallId);
  if (call === undefined) return;
  if (part.type === 'tool-output-available') Object.assign(call, readOutcome(part.output));
  if (part.type === 'tool-output-denied') call.state = 'denied';
  if (part.type === 'tool-output-error')
    Object.assign(call, { state: 'failed', error: oneLine(part.errorText, MAX_TEXT) });
}
