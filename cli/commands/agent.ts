import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../infra/command-line.ts';
import type { Citation } from '../../lib/api-contract/citation.ts';
import { MODES } from '../../lib/api-contract/runs.ts';
import { askApproval, askNext, canAsk, type WaitingApproval } from '../approvals.ts';
import { printSources } from '../citations.ts';
import type { AnswerStream, Client } from '../client.ts';
import { type Command, textOf } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { readFolderAndText } from '../folder-and-text.ts';
import { MAX_EMPTY } from '../follow-run.ts';
import {
  JUDGE_OPTIONS,
  JUDGE_TEXTS,
  MODEL_OPTIONS,
  MODEL_TEXTS,
  readJudge,
  readModel,
} from '../model-choice.ts';
import { NO_STEERING, type Steering, steerByTyping } from '../steering.ts';
import { createShower, type StepShower } from '../steps.ts';
import { pluralize, printJson, printLine, red, shortLine, tellLine } from '../terminal.ts';
import { type Context, openWorkspace, type Place } from '../workspace.ts';
import { requireModel } from './ask.ts';

const SHOWN_LEFT = 400;
const LOOK_EVERY_MS = 100;
/** The number of latest conversations among which `--continue` looks. */
const MAX_LOOKED_AT = 100;
/** Milliseconds to wait, because a run that needs an approval finishes its other tools first. */
const PARKING_MS = 10 * 60 * 1000;

interface Run {
  id: string;
  status: string;
  steps: number;
  failedCalls: number;
  error: string | null;
  approvals?: WaitingApproval[];
}

export const agent: Command = {
  name: 'agent',
  usage: '[FOLDER] REQUEST',
  summary: 'run the agent in a folder, and approve its actions here',
  uses: 'workspace',
  options: {
    ...MODEL_OPTIONS,
    ...JUDGE_OPTIONS,
    mode: { type: 'string', short: 'm' },
    continue: { type: 'boolean', short: 'c' },
    interactive: { type: 'boolean', short: 'i' },
  },
  optionTexts: {
    ...MODEL_TEXTS,
    ...JUDGE_TEXTS,
    mode: 'agent (default), plan, or ask; plan and ask only read files',
    continue: 'continue your latest conversation with the agent in this folder',
    interactive:
      'send the lines that you type to the run, and ask for the next request after it, until Enter alone',
  },
  completes: 'folder',
  async run({ context, words, values }) {
    const { folder, text } = await readFolderAndText(words, context, 'request');
    const mode = MODES.find((name) => name === (textOf(values, 'mode') ?? 'agent'));
    if (mode === undefined) throw new UsageError('--mode must be agent, plan, or ask.');
    const place = await openWorkspace(context, folder);
    await requireModel(place);
    const id = values.continue === true ? await latestConversation(place) : randomUUID();
    const chosen = { ...readModel(values), ...readJudge(values), mode, id };
    const asksNext = values.interactive === true && canAsk() && !context.isJson;
    for (let request = text; request !== ''; ) {
      const left = await runOnce(place, { ...chosen, request, isSteered: asksNext }, context);
      request = left === '' && asksNext ? await askNext(context.signal) : left;
    }
  },
};

/** Returns the caller's latest conversation with the agent. Throws Failure if there is none. */
async function latestConversation({ client, workspace }: Place): Promise<string> {
  const query = { workspaceId: workspace.id, limit: MAX_LOOKED_AT };
  const [me, listed] = await Promise.all([
    client.call((api) => api.GET('/api/me')),
    client.call((api) => api.GET('/api/conversations', { params: { query } })),
  ]);
  const own = listed.filter(({ kind, ownerId }) => kind === 'agent' && ownerId === me.id);
  const [latest] = own.sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  if (latest === undefined)
    throw new Failure('There is no conversation with the agent to continue. Start one without --continue.', {
      exit: EXIT.usage,
    });
  return latest.id;
}

type Request = {
  request: string;
  id: string;
  mode: (typeof MODES)[number];
  /** True if lines that the person types go to the run. */
  isSteered: boolean;
} & ReturnType<typeof readModel> &
  ReturnType<typeof readJudge>;

/** Runs the agent with one request of the conversation. Returns what was typed too late for the run. */
async function runOnce(
  place: Place,
  { request, isSteered, ...chosen }: Request,
  context: Context,
): Promise<string> {
  const { client, workspace } = place;
  const messages = [{ role: 'user' as const, content: request }];
  const body = { workspaceId: workspace.id, cwd: '', messages, ...chosen };
  const stream = await client.stream((api) => api.POST('/api/agent', { body }));
  const runId = stream.headers.get('x-run-id') ?? '';
  // When the command ends, it always stops the run, which would otherwise continue unseen.
  const state = { isOver: false };
  context.whenDone(async () => {
    if (!state.isOver)
      await client.lastCall((api) =>
        api.POST('/api/agent/runs/{runId}/stop', { params: { path: { runId } } }),
      );
  });
  const shower = createShower(context.isJson);
  const unasked: Unasked[] = [];
  const steering = isSteered ? steerByTyping(client, runId) : NO_STEERING;
  const run = await follow(client, runId, stream, { shower, unasked, steering }, context);
  state.isOver = true;
  const left = await steering.leftovers();
  if (left !== '' && run.status !== 'done') tellLine(red('not delivered: '), shortLine(left, SHOWN_LEFT));
  report(run, { shower, unasked }, place, context);
  return left;
}

/** A call that was denied because there was no terminal for the question. */
interface Unasked {
  toolName: string;
  input: unknown;
}

/** The parts of a run that the terminal shows. */
interface Shown {
  shower: StepShower;
  unasked: Unasked[];
  steering: Steering;
}

/** Shows the run to its end. At each approval, leaves the stream, and resumes it after the answer. */
async function follow(
  client: Client,
  runId: string,
  first: AnswerStream,
  { shower, unasked, steering }: Shown,
  context: Context,
): Promise<Run> {
  let stream = first;
  let after = 0;
  const answered = new Set<string>();
  for (let empty = 0; empty <= MAX_EMPTY; ) {
    const { last, asks } = await steering.during(() => show(stream, shower, answered));
    empty = last === undefined ? empty + 1 : 0;
    after = last ?? after;
    const run = await settle(client, runId, { asks, unasked, answered }, context);
    if (isOver(run) && stream.end.isDone) return run;
    stream = await client.stream((api) =>
      api.GET('/api/agent/runs/{runId}/stream', { params: { path: { runId }, query: { after } } }),
    );
  }
  throw new Failure(`The stream of run ${runId} sends no more events. Check the run in the console.`);
}

interface Seen {
  /** The number of the last event, if any. */
  last?: number;
  /** True if the stream ended with an approval request. */
  asks: boolean;
}

/** Shows the stream to its end, or to an approval request. All requests of a step are answered at the first one. */
async function show(
  { parts }: AnswerStream,
  shower: StepShower,
  answered: ReadonlySet<string>,
): Promise<Seen> {
  const shown: Seen = { asks: false };
  for await (const { id, part } of parts) {
    shown.last = id;
    shower.take(part);
    shown.asks = part.type === 'tool-approval-request' && !answered.has(part.approvalId);
    if (shown.asks) break;
  }
  return shown;
}

const isOver = ({ status }: Run) => status !== 'running' && status !== 'waiting';

/** Answers the approvals that the run waits for, if any. */
async function settle(
  client: Client,
  runId: string,
  { asks, unasked, answered }: { asks: boolean; unasked: Unasked[]; answered: Set<string> },
  context: Context,
): Promise<Run> {
  const run = await readSettled(client, runId, asks, context.signal);
  for (const approval of run.approvals ?? []) {
    const answer = await askApproval(approval, context.signal);
    if (!canAsk()) unasked.push({ toolName: approval.toolName, input: approval.input });
    const params = { path: { runId, approvalId: approval.id } };
    await client.call((api) =>
      api.POST('/api/agent/runs/{runId}/approvals/{approvalId}', { params, body: answer }),
    );
    answered.add(approval.id);
  }
  return run;
}

/**
 * Reads the run's record, which is behind the stream. Waits until a run that needs an approval waits, because
 * no event follows then.
 */
async function readSettled(client: Client, runId: string, asks: boolean, signal: AbortSignal): Promise<Run> {
  const until = performance.now() + (asks ? PARKING_MS : 0);
  for (;;) {
    const run = await client.call((api) =>
      api.GET('/api/agent/runs/{runId}', { params: { path: { runId } } }),
    );
    if (run.status !== 'running' || performance.now() > until) return run;
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Ends the text's line, and lists the cited sources. */
function showEnd(text: string, citations: Citation[], place: Place): void {
  if (!text.endsWith('\n')) printLine();
  if (citations.length > 0) printLine();
  printSources(citations, false, place);
}

function report(
  run: Run,
  { shower, unasked }: Omit<Shown, 'steering'>,
  place: Place,
  { isJson }: Context,
): void {
  const { text, citations } = { text: shower.text(), citations: shower.citations() };
  const { id, steps, error, failedCalls } = run;
  const isRefused = run.status === 'done' && unasked.length > 0;
  const status = isRefused ? 'refused' : run.status;
  if (isJson)
    printJson({
      ...{ runId: id, status, steps, failedCalls },
      ...{ text: text.trimEnd(), citations, error, refused: unasked },
    });
  else showEnd(text, citations, place);
  if (!isJson && failedCalls > 0) tellLine(red(`${pluralize(failedCalls, 'call')} failed.`));
  if (status === 'failed') throw new Failure(error ?? 'The run failed.');
  if (status === 'stopped') throw new Failure('The run was stopped.', { exit: EXIT.interrupted });
  if (isRefused) process.exitCode = EXIT.unapproved;
}
