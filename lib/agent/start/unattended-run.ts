import type { Caller } from '../../access/caller.ts';
import type { Ending } from '../../api-contract/answer-notices.ts';
import { addCitation, type Citation, citationsIn } from '../../api-contract/citation.ts';
import type { Mode } from '../../api-contract/runs.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import type { Grant } from '../../permissions/schema.ts';
import { followRun } from '../../runs/follow-run.ts';
import { readRun } from '../../runs/runs.ts';
import { isRunOver, type Run } from '../../runs/schema.ts';
import { stopRun } from '../../runs/stop.ts';
import type { ParamValues } from '../../skills/params.ts';
import { readEnding } from '../../ui-messages/answer-ending.ts';
import { StreamCut } from '../../ui-messages/error-parts.ts';
import type { UiMessage } from '../../ui-messages/ui-message.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { AgentPorts } from '../ports.ts';
import { beginRun } from './begin.ts';

export interface UnattendedRun {
  workspace: Workspace;
  mode: Mode;
  prompt: string;
  skillId?: string | undefined;
  params?: ParamValues | undefined;
  /** Calls that the run may make without approval, although a rule asks about them. */
  permits?: Grant[] | undefined;
  /** The caller whose rights are checked at each step; null for the given caller's. */
  rightsOf: Caller | null;
  /** The caller's conversation, which the run starts or continues. If absent, the run has no conversation. */
  conversationId?: string | undefined;
}

interface Watch {
  timeLeftMs: number;
  signal: AbortSignal;
  /** Called with each part of the run's stream. */
  onPart?(part: StreamPart): void;
}

interface LastText {
  /** The text of the last step that wrote one. Incomplete if the run didn't end. */
  text: string;
  /** The citations of that text. */
  citations: Citation[];
  /** Undefined if the answer is complete. */
  ending: Ending | undefined;
}

/**
 * Runs an unattended run to its end. Returns its last text, its citations, and how it ended. Denies calls
 * that need approval. An aborted signal stops the run. If this process is killed, another process may
 * continue the run.
 */
export async function runToEnd(
  ports: AgentPorts,
  caller: Caller,
  { workspace, mode, prompt, skillId, params, permits = [], rightsOf, conversationId: id }: UnattendedRun,
  watch: Watch,
): Promise<LastText & { run: Run }> {
  const { timeLeftMs } = watch;
  const messages: UiMessage[] = [{ role: 'user', parts: [{ type: 'text', text: prompt }] }];
  const body = { messages, cwd: '', mode, skillId, paramValues: params, id };
  const fields = { unattended: true, permits, rightsOf };
  const { run } = await beginRun(ports, caller, workspace, body, timeLeftMs, fields);
  const watched = await watchRun(ports, run, watch);
  if (!isRunOver(watched.run.status)) await stopRun(ports, watched.run);
  return watched;
}

/**
 * Follows a run until it ends, waits for an approval, or takes too long. Returns the run with its last text
 * and citations.
 */
export async function watchRun(ports: AgentPorts, run: Run, watch: Watch): Promise<LastText & { run: Run }> {
  const said = await lastText(ports, run, watch);
  return { run: await readRun(ports.records, run.id), ...said };
}

async function lastText(
  ports: AgentPorts,
  { id }: Run,
  { timeLeftMs, signal, onPart }: Watch,
): Promise<LastText> {
  let text = '';
  let citations: Citation[] = [];
  let ending: Ending | undefined;
  let begun = false;
  try {
    for await (const part of followRun(ports, id, {
      after: 0,
      untilSuspended: 'asked',
      signal,
      timeLeftMs,
    })) {
      onPart?.(part);
      if (part.type === 'start-step') begun = true;
      citations = addCitation(citations, part);
      ending ??= readEnding(part);
      if (part.type !== 'text-delta') continue;
      text = begun ? part.delta : text + part.delta;
      begun = false;
    }
  } catch (error) {
    if (!(error instanceof StreamCut)) throw error;
  }
  return { text, citations: citationsIn(text, citations), ending };
}
