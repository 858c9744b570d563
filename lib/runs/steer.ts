import * as z from 'zod';
import type { Caller } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, Forbidden, NotFound } from '../errors.ts';
import { idSchema, newId } from '../identifiers.ts';
import { timestamp, timestampSchema } from '../ports/clock.ts';
import { ifExpected, type Records, wasExpected } from '../ports/records.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { collection } from '../records/collection.ts';
import { framesSoFar } from '../run-events/follow-frames.ts';
import { isMessagePart } from '../ui-messages/message-part.ts';
import { readRun } from './runs.ts';
import { isRunOver, type Run, runParams, runPartition } from './schema.ts';

/** Error codes of a message to a run. */
export const STEERING_ERRORS = [
  'owner_only',
  'run_message_delivered',
  'run_message_not_found',
  'run_messages_full',
  'run_over',
  'run_takes_no_messages',
] as const satisfies ErrorCode[];

/** The maximum number of messages that wait for one run. */
const MAX_QUEUED = 20;
const MAX_CHARACTERS = 20_000;

const messageFields = {
  id: idSchema.describe('ID of the message.'),
  text: z.string().describe('Text of the message.'),
  createdAt: timestampSchema,
  state: z
    .enum(['queued', 'delivered'])
    .describe(
      '`queued`: the model gets it before its next step, or the run ended before. `delivered`: the model has it.',
    ),
};

const storedMessageSchema = z.object({ ...messageFields, runId: z.string(), expiresAt: z.int() });

/** A message from the person who started a run, sent while it works. */
export type SteeringMessage = z.infer<typeof storedMessageSchema>;

const runMessages = collection({
  kind: 'agent-message',
  schema: storedMessageSchema,
  key: ({ runId, id }: { runId: string; id: string }) => ({
    partition: runPartition(runId),
    sort: `MESSAGE#${id}`,
  }),
  expiresAt: ({ expiresAt }) => expiresAt,
});

export const steeringSchema = z.strictObject(messageFields).meta({ id: 'AgentRunMessage' });
export const steeringBody = z.strictObject({
  text: z.string().trim().min(1).max(MAX_CHARACTERS).describe('Text of the message.'),
});
export const steeringParams = runParams.extend({ messageId: idSchema.describe('ID of the message.') });

/**
 * Queues a message for a run that works or waits. Throws Forbidden for anyone except the caller who started the run,
 * Conflict if the run is over, isn't the agent's, or has too many messages waiting.
 */
export async function sendToRun(
  { records, clock }: TimedRecords,
  caller: Caller,
  run: Run,
  text: string,
): Promise<SteeringMessage> {
  requireStarter(caller, run);
  if (run.kind !== 'agent')
    throw new Conflict('run_takes_no_messages', 'Only runs of the agent take messages.');
  requireOpen(run);
  const waiting = (await listMessages(records, run.id)).filter(isQueued);
  if (waiting.length >= MAX_QUEUED)
    throw new Conflict('run_messages_full', `At most ${MAX_QUEUED} messages can wait for a run.`);
  const createdAt = timestamp(clock);
  const { id: runId, expiresAt } = run;
  const message = {
    id: newId(),
    runId,
    text: text.toWellFormed(),
    createdAt,
    state: 'queued' as const,
    expiresAt,
  };
  await runMessages.create(records, message);
  await requireStillOpen(records, message);
  return message;
}

/** The run may have ended since it was read. Then no step takes the message, unless one already did. */
async function requireStillOpen(records: Records, { runId, id }: SteeringMessage): Promise<void> {
  const run = await readRun(records, runId);
  if (!isRunOver(run.status)) return;
  if (await wasExpected(runMessages.delete(records, { runId, id }, { state: 'queued' }))) requireOpen(run);
}

/**
 * Returns the messages to a run, oldest first. A message that a process took but didn't record before it died
 * counts as queued.
 */
export async function messagesToRun(records: Records, run: Run): Promise<SteeringMessage[]> {
  const all = await listMessages(records, run.id);
  if (!isRunOver(run.status) || all.every(isQueued)) return all;
  const recorded = await recordedIn(records, run.id);
  return all.map((message) => (recorded.has(message.id) ? message : { ...message, state: 'queued' }));
}

/**
 * Withdraws a message that the model hasn't got. Of several concurrent calls, only one succeeds, because its
 * client sends the text again. Throws NotFound, Forbidden, Conflict.
 */
export async function withdrawMessage(records: Records, caller: Caller, run: Run, id: string): Promise<void> {
  requireStarter(caller, run);
  const message = (await messagesToRun(records, run)).find((each) => each.id === id);
  if (message === undefined) throw noSuchMessage();
  const stored = isRunOver(run.status) ? undefined : { state: 'queued' };
  const isDeleted = isQueued(message)
    ? await ifExpected(runMessages.delete(records, { runId: run.id, id }, stored))
    : undefined;
  if (isDeleted === undefined)
    throw new Conflict('run_message_delivered', 'The model already has this message.');
  if (!isDeleted) throw noSuchMessage(); // another client was faster
}

function noSuchMessage(): NotFound {
  return new NotFound('run_message_not_found', 'This message does not exist.');
}

/** Takes the messages that wait, oldest first. Each is taken once, and can then no longer be withdrawn. */
export async function takeMessages(records: Records, runId: string): Promise<SteeringMessage[]> {
  const taken: SteeringMessage[] = [];
  for (const { id } of (await listMessages(records, runId)).filter(isQueued)) {
    const set = { state: 'delivered' as const };
    const message = await ifExpected(
      runMessages.update(records, { runId, id }, { set }, { state: 'queued' }),
    );
    if (message !== undefined) taken.push(message);
  }
  return taken;
}

/** True if a message waits for the run's next step. */
export async function hasMessages(records: Records, runId: string): Promise<boolean> {
  return (await listMessages(records, runId)).some(isQueued);
}

async function recordedIn(records: Records, runId: string): Promise<Set<string>> {
  const parts = await framesSoFar(records, runId);
  return new Set(parts.filter(isMessagePart).map(({ id }) => id));
}

async function listMessages(records: Records, runId: string): Promise<SteeringMessage[]> {
  const query = { partition: runPartition(runId), sortPrefix: 'MESSAGE#' };
  return Array.fromAsync(runMessages.all(records, query));
}

function isQueued({ state }: SteeringMessage): boolean {
  return state === 'queued';
}

function requireOpen({ status }: Run): void {
  if (isRunOver(status)) throw new Conflict('run_over', `This run is already over (${status}).`);
}

function requireStarter(caller: Caller, run: Run): void {
  if (run.caller.id !== caller.id)
    throw new Forbidden('owner_only', 'Only the person who started this run can send it messages.');
}

/** Returns the message in the API's form. */
export function describeMessage({ id, text, createdAt, state }: SteeringMessage) {
  return { id, text, createdAt, state };
}
