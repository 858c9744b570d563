import type { Caller } from '../access/caller.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';
import { type KeepAttachmentPorts, keepAttachments } from '../conversations/attachments/keep.ts';
import { textOf } from '../conversations/messages.ts';
import {
  type Conversation,
  conversationKeyOf,
  conversations,
  type Message,
} from '../conversations/schema.ts';
import { type Prompt, titleConversation } from '../conversations/title.ts';
import {
  type AnswerMessage,
  brokenParts,
  cutParts,
  newAnswerMessage,
} from '../conversations/turn/answer-message.ts';
import { claimTurn, type Turn } from '../conversations/turn/claim-turn.ts';
import { endCutTurn, endTurn, forgetFrames } from '../conversations/turn/end-turn.ts';
import { holdTurn, TurnLost, TurnStopped } from '../conversations/turn/lease.ts';
import { planTurn } from '../conversations/turn/plan-turn.ts';
import { DIED } from '../conversations/turn/stop-turn.ts';
import type { ErrorCode } from '../error-codes.ts';
import { errorDetails, errorText } from '../known-error.ts';
import { log } from '../log.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import { MODEL_ERRORS } from '../ports/language-model.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { searchFilter } from '../retrieval/filter/filter-schema.ts';
import { hasFollowers, tellFollowers } from '../run-events/frame-signal.ts';
import { FramesTaken, openRecorder, type Recorder } from '../run-events/record-frames.ts';
import { report } from '../telemetry/events.ts';
import { STREAM_ERRORS, StreamCut } from '../ui-messages/error-parts.ts';
import { type AnswerPorts, type AnswerRequest, answerChat, findGround } from './answer.ts';
import { attachToQuestion, recallHistory, type SentQuestion } from './attach-files.ts';

/** The error codes with which an answer's stream may end. */
export const ANSWER_STREAM_ERRORS = [
  ...MODEL_ERRORS,
  ...STREAM_ERRORS,
  'answer_interrupted',
  'rights_lost',
] as const satisfies ErrorCode[];

/** Milliseconds that remain for the last events and the record before Lambda ends the function. */
const RESERVE_MS = 20_000;

interface StoredRequest extends Omit<AnswerRequest, 'signal' | 'messages' | 'paths' | 'filter'> {
  timeLeftMs: number;
  /** True if the model titles new conversations. */
  makesTitle?: boolean;
}

/**
 * Answers a question in a stored conversation as a stream. Refusals come before the first byte, and the
 * search runs while the turn is claimed. Throws InvalidInput, TooLarge, Forbidden, Conflict.
 */
export async function answerInConversation(
  ports: AnswerPorts & KeepAttachmentPorts,
  caller: Caller,
  body: SentQuestion,
  { timeLeftMs, makesTitle = false, ...asked }: StoredRequest,
): Promise<() => AsyncIterable<StreamPart>> {
  const { workspace } = asked;
  const conversation = {
    id: body.id,
    key: await conversationKeyOf(ports.records, caller.id, body.id),
    ownerId: caller.id,
  };
  const place = { workspace, conversation };
  const { added, asked: question } = await attachToQuestion(ports, place, body);
  const plan = await planTurn(ports, caller, workspace.id, question);
  const wishes = body.messages.filter(({ role }) => role === 'system');
  const messages = [...wishes, ...(await recallHistory(ports, place, plan, added))];
  const leaving = new AbortController();
  const ownFacts = plan.conversation?.shared ? ('shared' as const) : ('all' as const);
  const request = { ...asked, messages, ...limitsOf(plan.question), ownFacts };
  const ground = findGround(ports, { ...request, signal: leaving.signal });
  ground.catch(() => undefined); // callers who await it get the failure
  try {
    const keepFirst = (conversation: Conversation) =>
      keepAttachments(ports, conversation, plan.added.includes(plan.question) ? added : []);
    const turn = await claimTurn(
      ports,
      caller.id,
      { workspaceId: workspace.id, workspaceIds: asked.workspaces?.map(({ id }) => id), id: body.id },
      plan,
      keepFirst,
    );
    let prompt: Prompt | undefined;
    const title = makesTitle ? titleOfTurn(ports, turn, asked.model, () => prompt) : undefined;
    const onPrompt = (answered: Prompt) => {
      prompt = answered;
    };
    const parts = startAnswer(ports, turn, { caller, timeLeftMs, title }, (signal, isAbandoned) => {
      signal.addEventListener('abort', () => leaving.abort(signal.reason), { once: true });
      return answerChat(ports, { ...request, signal, answerId: turn.id, isAbandoned, onPrompt }, ground);
    });
    return () => parts;
  } catch (error) {
    leaving.abort(error);
    throw error;
  }
}

/** Returns the stored limits, because a question that is answered again is about the same files. */
function limitsOf({ metadata = {} }: Message): Pick<AnswerRequest, 'paths' | 'filter'> {
  const { paths, filter } = metadata;
  return {
    paths: Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : undefined,
    filter: searchFilter.optional().parse(filter),
  };
}

function titleOfTurn(
  ports: TimedRecords,
  { conversation, plan }: Turn,
  model: LanguageModel,
  promptOf: () => Prompt | undefined,
) {
  const question = textOf(plan.question);
  return (answer: Message) =>
    titleConversation(ports, model, conversation, { question, answer: textOf(answer), prompt: promptOf() });
}

interface StartOptions {
  caller: Caller;
  timeLeftMs: number;
  /** Called with the complete answer, to start the title. */
  title: ((answer: Message) => void) | undefined;
}

/**
 * Starts the answer of a turn, and keeps the turn claimed until the answer is complete and stored, even if no
 * one reads the stream. The parts go to the client and, in parallel, to the store for later readers. The
 * stream ends when everything is stored.
 */
function startAnswer(
  ports: TimedRecords,
  turn: Turn,
  { caller, timeLeftMs, title }: StartOptions,
  answer: (signal: AbortSignal, isAbandoned: () => boolean) => AsyncIterable<StreamPart>,
): AsyncIterable<StreamPart> {
  const { signal, stop } = holdTurn(ports, turn.conversation, caller, timeLeftMs - RESERVE_MS);
  let isRead = true;
  return new ReadableStream<StreamPart>({
    start(reader) {
      const send = (part: StreamPart) => isRead && reader.enqueue(part);
      const isAbandoned = () => !isRead && !hasFollowers(turn.id);
      makeAnswer(ports, turn, answer(signal, isAbandoned), { signal, send, title })
        .then(
          () => isRead && reader.close(),
          (error: unknown) => isRead && reader.error(error),
        )
        .finally(stop);
    },
    cancel() {
      isRead = false;
    },
  });
}

async function makeAnswer(
  ports: TimedRecords,
  turn: Turn,
  parts: AsyncIterable<StreamPart>,
  {
    signal,
    send,
    title,
  }: Pick<StartOptions, 'title'> & { signal: AbortSignal; send: (part: StreamPart) => unknown },
): Promise<void> {
  const recorder = carefully(openRecorder(ports, turn.id, 0), turn);
  const answer = newAnswerMessage(turn.id);
  const pass = (part: StreamPart) => {
    recorder.write(part);
    answer.add(part);
    send(part);
  };
  const reason = await passAll(turn, parts, { signal, pass });
  const isEnded =
    (await completeFrames(turn, reason, recorder, pass)) && (await endWith(ports, turn, answer, reason));
  tellFollowers(turn.id);
  if (!isEnded) return endLost(ports, turn, send);
  if (reason === undefined) title?.(answer.message());
}

/** Completes the events of the answer. Returns false if another process has done so. */
async function completeFrames(
  turn: Turn,
  reason: unknown,
  recorder: Recorder,
  pass: (part: StreamPart) => void,
): Promise<boolean> {
  try {
    const isLost = reason instanceof TurnLost || reason instanceof FramesTaken;
    if (reason !== undefined && !isLost) for (const part of endingOf(turn, reason)) pass(part);
    await recorder.flush();
    return !isLost;
  } catch (error) {
    if (error instanceof FramesTaken) return false;
    throw error;
  }
}

function endWith(ports: TimedRecords, turn: Turn, answer: AnswerMessage, reason: unknown): Promise<boolean> {
  const { added, question } = turn.plan;
  const isFound = added.length <= 1; // messages that were taken over have no terms
  const end = reason === undefined ? endTurn : endCutTurn;
  return end(ports, turn.conversation, answer.message(), isFound ? question : undefined);
}

/**
 * Yields the end of an answer that ended elsewhere: this process stalled past its lease, so another one
 * considered it dead and stored the answer as interrupted. Throws StreamCut if the conversation was deleted.
 */
async function endLost(ports: TimedRecords, turn: Turn, send: (part: StreamPart) => unknown): Promise<void> {
  await forgetFrames(ports, turn);
  if ((await conversations.get(ports.records, turn.conversation)) === undefined) throw new StreamCut();
  for (const part of brokenParts(DIED, { code: 'answer_interrupted' })) send(part);
}

/** Returns why the events ended early; undefined if they are complete. */
async function passAll(
  turn: Turn,
  parts: AsyncIterable<StreamPart>,
  { signal, pass }: { signal: AbortSignal; pass: (part: StreamPart) => void },
): Promise<unknown> {
  try {
    await turn.kept;
    for await (const part of parts) pass(part);
    return undefined;
  } catch (error) {
    return (signal.aborted ? signal.reason : error) ?? new Error('an answer ended without a reason');
  }
}

/**
 * Continues the answer if the store briefly accepts no events. The answer is already paid for, and events are
 * only for later readers.
 */
function carefully(recorder: Recorder, { id }: Turn): Recorder {
  let isBroken = false;
  const unlessTaken = (error: unknown) => {
    if (error instanceof FramesTaken) throw error;
    isBroken = true;
    log.error('failed to store the frames of an answer', { turnId: id }, error);
  };
  return {
    write(part) {
      if (isBroken) return;
      try {
        recorder.write(part);
      } catch (error) {
        unlessTaken(error);
      }
    },
    flush: async () => (isBroken ? undefined : recorder.flush().catch(unlessTaken)),
  };
}

function endingOf({ id }: Turn, reason: unknown): StreamPart[] {
  if (reason instanceof TurnStopped) return cutParts('The answer was stopped.');
  report('stream_failed', 'an answer failed', { turnId: id }, reason);
  return brokenParts(errorText(reason), errorDetails(reason));
}
