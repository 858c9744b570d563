import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Caller } from '../../lib/access/caller.ts';
import { diskObjects } from '../../lib/adapters/disk/objects.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import type { AgentPorts } from '../../lib/agent/ports.ts';
import { agentBody } from '../../lib/agent/request-schema.ts';
import { continueParked } from '../../lib/agent/start/continue.ts';
import { startAgent, workspaceToBeginIn } from '../../lib/agent/start/start.ts';
import { readFileTool } from '../../lib/agent/tools/read-file.ts';
import { defineTool, type Tool } from '../../lib/agent/tools/tool.ts';
import type { StreamPart } from '../../lib/api-contract/stream-part.ts';
import { setLogLevel } from '../../lib/log.ts';
import type {
  FinishReason,
  LanguageModel,
  ModelEvent,
  ModelRequest,
} from '../../lib/ports/language-model.ts';
import type { Objects } from '../../lib/ports/objects.ts';
import { openApprovals } from '../../lib/runs/approvals.ts';
import { followRun } from '../../lib/runs/follow-run.ts';
import { readRun } from '../../lib/runs/runs.ts';
import { runMessageSchema } from '../../lib/runs/schema.ts';
import { findWorkspace } from '../../lib/workspaces/access.ts';
import { workspaces } from '../../lib/workspaces/schema.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

export const MEMBER: Caller = { id: 'member', role: 'member', workspaceIds: null };
const REQUEST_MS = 900_000;

/** The model's behavior when called; an error that it throws is the failure of its stream. */
export type Script = (request: ModelRequest) => Iterable<ModelEvent> | AsyncIterable<ModelEvent>;

/** An answer in these chunks. */
export function says(...pieces: string[]): ModelEvent[] {
  return [...pieces.map((text) => ({ type: 'text' as const, text })), finish('stop')];
}

/** Returns an answer that calls tools. Text input is sent unchanged. */
export function calls(...wanted: { name: string; input?: unknown; id?: string }[]): ModelEvent[] {
  const events = wanted.map(({ name, input = {}, id = `call-${randomUUID()}` }): ModelEvent => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return { type: 'tool-call', call: { id, name, input: text } };
  });
  return [...events, finish('tool-calls')];
}

export function finish(reason: FinishReason): ModelEvent {
  return { type: 'finish', reason, usage: { inputTokens: 10, outputTokens: 1 } };
}

/** Gives one answer per model call, and repeats the last one. */
export function inTurn(...answers: ModelEvent[][]): Script {
  let asked = 0;
  return () => answers[Math.min(asked++, answers.length - 1)] ?? [];
}

/** The tool that reads files, for plain text files. */
export const readTextTool = readFileTool({ objects: {} as Objects });

/** A tool that records its inputs, who approved them, and the denied ones; with `asks` it needs approval. */
export function recordingTool(
  name: string,
  { asks, inEveryMode = false }: { asks?: (value: string) => Promise<string>; inEveryMode?: boolean } = {},
) {
  const inputs: unknown[] = [];
  const approvers: (string | null)[] = [];
  const refused: unknown[] = [];
  const tool = defineTool({
    name,
    description: name,
    input: z.strictObject({ value: z.string().default('nothing'), rounds: z.int().default(1) }),
    inEveryMode,
    timeoutMs: 60_000,
    approval: asks && {
      needed: () => true,
      describe: ({ value }) => asks(value),
      refused: async (input) => void refused.push(input),
    },
    async run(input, { approvedBy }) {
      inputs.push(input);
      approvers.push(approvedBy);
      return { did: input.value };
    },
  });
  return { tool, inputs, approvers, refused };
}

/** The approval request that a person sees. */
export async function doIt(value: string): Promise<string> {
  return `Do ${value}`;
}

/**
 * The agent without a host: real SQLite, a scripted model, a clock that the test sets, and a worker that the
 * test calls.
 */
export async function startAgentRig(tools: Tool[] = []) {
  setLogLevel('error');
  const dataDir = await tempFolder();
  const database = openDatabase(dataDir);
  whenDone(async () => database.close());
  createQueues(database, [{ name: 'agent', fifo: false, visibilityTimeoutSeconds: 900 }]);
  const model = { answer: inTurn(says('Done.')), requests: [] as ModelRequest[] };
  /** `requestMs` is the time limit of a request, or of the worker. */
  const time = { offsetMs: 0, requestMs: REQUEST_MS };
  const clock = { now: () => Date.now() + time.offsetMs };
  const ports: AgentPorts = {
    records: sqliteRecords(database, clock),
    objects: diskObjects(join(dataDir, 'objects'), () => Promise.reject(new Error('no uploads here'))),
    agentQueue: sqliteQueue(database, 'agent'),
    undo: { folder: join(dataDir, 'undo'), changed: async () => {} },
    clock,
    tools,
    maxSteps: 50,
    openModel: () => scripted(model),
  };
  const workspace = {
    id: randomUUID(),
    name: 'w',
    rootPath: await tempFolder(),
    createdAt: new Date().toISOString(),
  };
  await workspaces.create(ports.records, workspace);
  return { ports, model, time, workspace, database, ...conversing(ports, workspace.id, time) };
}

export type AgentRig = Awaited<ReturnType<typeof startAgentRig>>;

function scripted(model: { answer: Script; requests: ModelRequest[] }): LanguageModel {
  return {
    provider: 'a',
    model: 'scripted',
    async *stream(request) {
      model.requests.push({ ...request, messages: structuredClone(request.messages) });
      yield* model.answer(request);
    },
  };
}

function conversing(ports: AgentPorts, workspaceId: string, time: { requestMs: number }) {
  const user = (text: string) => ({ role: 'user', content: text });

  /** Sends a request as the API accepts it; the run continues in the background. */
  async function send(fields: Record<string, unknown> = {}, caller = MEMBER) {
    const body = agentBody.parse({ workspaceId, cwd: '', messages: [user('Do it.')], ...fields });
    const id = workspaceToBeginIn(caller, body);
    const workspace = id === undefined ? undefined : await findWorkspace(ports.records, caller, id);
    return startAgent(ports, caller, workspace, body, time.requestMs);
  }

  /** Returns the events of a run up to its end, or to an approval. */
  async function read(runId: string, after = 0): Promise<StreamPart[]> {
    const options = { after, untilSuspended: true, signal: new AbortController().signal, timeLeftMs: 60_000 };
    const parts: StreamPart[] = [];
    for await (const part of followRun(ports, runId, options)) parts.push(part);
    return parts;
  }

  /** Sends a request and returns its events, and the run afterwards. */
  async function ask(fields: Record<string, unknown> = {}, caller = MEMBER) {
    const { run, after } = await send(fields, caller);
    const parts = await read(run.id, after);
    return { run: await readRun(ports.records, run.id), parts };
  }

  /** Passes the queued messages to the worker; returns how many there were. */
  async function work(): Promise<number> {
    const messages = await ports.agentQueue.receive({ max: 10 });
    for (const { body, receipt } of messages) {
      await continueParked(ports, runMessageSchema.parse(JSON.parse(body)).runId, time.requestMs);
      await ports.agentQueue.delete([receipt]);
    }
    return messages.length;
  }

  /** Returns the one approval that a run waits for. */
  async function approvalOf(runId: string) {
    const [approval] = await openApprovals(ports, runId);
    if (approval === undefined) throw new Error('the run waits for nothing');
    return approval;
  }
  return { send, read, ask, work, approvalOf, find: (runId: string) => readRun(ports.records, runId) };
}

export function typesOf(parts: { type: string }[]): string[] {
  return parts.map(({ type }) => type);
}

/** Starts a rig with a tool that needs approval and one that only reads. */
export async function startRigWithTools() {
  const launch = recordingTool('launch', { asks: doIt });
  const look = recordingTool('look', { inEveryMode: true });
  return { launch, look, rig: await startAgentRig([launch.tool, look.tool]) };
}
