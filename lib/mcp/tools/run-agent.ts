import * as z from 'zod';
import { runToEnd, watchRun } from '../../agent/start/unattended-run.ts';
import { MODES } from '../../api-contract/runs.ts';
import { findConversation } from '../../conversations/find.ts';
import { requireOf } from '../../conversations/turn/writing.ts';
import { Conflict, NotFound } from '../../errors.ts';
import { idSchema, newId } from '../../identifiers.ts';
import { runInConversation } from '../../runs/runs.ts';
import { isRunOver, type Run } from '../../runs/schema.ts';
import { messagesToRun, sendToRun, withdrawMessage } from '../../runs/steer.ts';
import type { Workspace } from '../../workspaces/schema.ts';
import type { McpPorts } from '../ports.ts';
import { findNamed } from './find-workspace.ts';
import { defineMcpTool, type McpContext } from './tool.ts';
import { describeEnded, type Ended, type RunWatch, watchCalls } from './watch-calls.ts';

const input = z.strictObject({
  workspaceId: idSchema.describe('ID of a workspace from list_workspaces.'),
  request: z.string().trim().min(1).max(20_000).describe('Request for the agent.'),
  mode: z
    .enum(MODES)
    .default('agent')
    .describe('`agent` can change files and run commands; `plan` and `ask` only read.'),
  conversationId: idSchema
    .optional()
    .describe('`conversationId` of an earlier result, to follow up on it or to correct it.'),
});
type Asked = z.output<typeof input>;

export function runAgentTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'run_agent',
    title: 'Run the agent',
    description:
      "Gives the service's agent a request in a workspace, and returns its answer with citations, as `ask` does, which takes minutes. The agent can write files and run commands there. `calls` lists what it did; a command that ended with another exit code than 0 has the state `failed`. With `conversationId`, it continues that conversation. If it still works there, the request reaches it before its next step, and the result is that of the run in progress. Actions that need a person's approval are denied. The run continues if the call is canceled.",
    access: 'member',
    input,
    hints: { readOnly: false, destructive: true, openWorld: true },
    foreign: true,
    async run(asked, context) {
      const workspace = await findNamed(ports, context, asked.workspaceId);
      const { calls, watch } = watchCalls(context);
      const steered = await steerOpenRun(ports, asked, context, watch);
      const ended = steered ?? (await begin(ports, workspace, asked, context, watch));
      context.signal.throwIfAborted();
      return { ...describeEnded(ended), delivered: steered?.delivered, calls: calls() };
    },
  });
}

async function begin(
  ports: McpPorts,
  workspace: Workspace,
  { request: prompt, mode, conversationId = newId() }: Asked,
  context: McpContext,
  watch: RunWatch,
): Promise<Ended> {
  const task = { workspace, mode, prompt, rightsOf: null, conversationId };
  return runToEnd(ports, context.caller, task, watch);
}

/**
 * Sends the request to the run that is working in the conversation, and follows that run. Undefined if no run
 * is working. A message that arrives too late for the run is withdrawn, so that the client can send it again.
 */
async function steerOpenRun(
  ports: McpPorts,
  { workspaceId, conversationId, request }: Asked,
  { caller }: McpContext,
  watch: RunWatch,
): Promise<(Ended & { delivered: boolean }) | undefined> {
  if (conversationId === undefined) return undefined;
  const conversation = await findConversation(ports.records, caller, conversationId);
  requireOf(conversation, { workspaceId, kind: 'agent' });
  const run = await runInConversation(ports.records, conversation);
  const sent = run && (await unlessOver(sendToRun(ports, caller, run, request)));
  if (run === undefined || sent === undefined) return undefined;
  const ended = await watchRun(ports, run, watch);
  const delivered = await isDelivered(ports, caller, ended.run, sent.id);
  return { ...ended, delivered };
}

/** Returns undefined if the run has just ended. */
async function unlessOver<Value>(sending: Promise<Value>): Promise<Value | undefined> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof Conflict && error.code === 'run_over') return undefined;
    throw error;
  }
}

/**
 * Returns whether the model has the message. If a run ends without taking it, it is withdrawn. While a run
 * waits for a person's approval, or is still working, it stays queued.
 */
async function isDelivered(
  { records }: McpPorts,
  caller: McpContext['caller'],
  run: Run,
  messageId: string,
): Promise<boolean> {
  if (!isRunOver(run.status)) {
    const sent = await messagesToRun(records, run);
    return sent.some(({ id, state }) => id === messageId && state === 'delivered');
  }
  try {
    await withdrawMessage(records, caller, run, messageId);
    return false;
  } catch (error) {
    if (error instanceof Conflict || error instanceof NotFound) return true; // or a console has sent it again
    throw error;
  }
}
