import type { Caller } from '../access/caller.ts';
import { cutParts, newAnswerMessage } from '../conversations/answer-message.ts';
import { claimTurn, type Turn } from '../conversations/claim-turn.ts';
import { endTurn, forgetFrames } from '../conversations/end-turn.ts';
import { keepTurn, TurnLost, TurnStopped } from '../conversations/keep-turn.ts';
import { textOf } from '../conversations/messages.ts';
import { type Asked, planTurn } from '../conversations/plan-turn.ts';
import type { Message } from '../conversations/schema.ts';
import { ServiceError } from '../errors.ts';
import { tellFollowers } from '../frames/frame-signal.ts';
import { FramesTaken, openRecorder, type Recorder } from '../frames/record-frames.ts';
import { log } from '../log.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { StreamCut, type StreamPart } from '../ui-messages/stream-part.ts';
import { type AnswerPorts, type AnswerRequest, answerChat, findGround } from './answer.ts';
import type { ChatMessage } from './schema.ts';

/** Left for the last frames and the record, before the platform ends the function. */
const RESERVE_MS = 20_000;

/**
 * The answer to a question in a conversation that is kept, as a stream makes it. Refuses before the first byte; the search
 * goes on beside the write that takes the turn. Throws InvalidInput, Forbidden, Conflict.
 */
export async function answerInConversation(
  ports: AnswerPorts,
  caller: Caller,
  body: Asked,
  { timeLeftMs, ...asked }: Omit<AnswerRequest, 'signal'> & { timeLeftMs: number },
): Promise<() => AsyncIterable<StreamPart>> {
  const plan = await planTurn(ports, caller, asked.workspace.id, body);
  const wishes = body.messages.filter(({ role }) => role === 'system');
  const messages = [...wishes, ...plan.history.map(toChatMessage)];
  const leaving = new AbortController();
  const request = { ...asked, messages };
  const ground = findGround(ports, { ...request, signal: leaving.signal });
  ground.catch(() => undefined); // whoever waits hears of it
  try {
    const turn = await claimTurn(ports, caller.id, { workspaceId: asked.workspace.id, id: body.id }, plan);
    const parts = keepAnswer(ports, turn, { caller, timeLeftMs }, (signal) => {
      signal.addEventListener('abort', () => leaving.abort(signal.reason), { once: true });
      return answerChat(ports, { ...request, signal, answerId: turn.id }, ground);
    });
    return () => parts;
  } catch (error) {
    leaving.abort(error);
    throw error;
  }
}

function toChatMessage(message: Message): ChatMessage {
  return { role: message.role, text: textOf(message) };
}

/**
 * Makes the answer of a turn to its end, whether or not anybody listens: what comes of it is kept in the conversation. The
 * parts go to the client at once, and into the store beside that, for those who come later. They end when all is kept.
 */
function keepAnswer(
  ports: TimedRecords,
  turn: Turn,
  { caller, timeLeftMs }: { caller: Caller; timeLeftMs: number },
  answer: (signal: AbortSignal) => AsyncIterable<StreamPart>,
): AsyncIterable<StreamPart> {
  const { signal, end } = keepTurn(ports, turn, caller, timeLeftMs - RESERVE_MS);
  let isRead = true;
  return new ReadableStream<StreamPart>({
    start(reader) {
      const send = (part: StreamPart) => isRead && reader.enqueue(part);
      makeAnswer(ports, turn, answer(signal), { signal, send })
        .then(
          () => isRead && reader.close(),
          (error: unknown) => isRead && reader.error(error),
        )
        .finally(end);
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
  { signal, send }: { signal: AbortSignal; send: (part: StreamPart) => unknown },
): Promise<void> {
  const recorder = carefully(openRecorder(ports, turn.id, 0), turn);
  const answer = newAnswerMessage(turn.id);
  const pass = (part: StreamPart) => {
    recorder.write(part);
    answer.add(part);
    send(part);
  };
  try {
    await turn.kept;
    for await (const part of parts) pass(part);
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (reason instanceof TurnLost || reason instanceof FramesTaken) {
      await recorder.flush().catch(() => undefined);
      await forgetFrames(ports, turn);
      throw new StreamCut();
    }
    for (const part of endingOf(turn, reason)) pass(part);
  }
  await recorder.flush();
  const { added, replaceFrom, question } = turn.plan;
  const isLonger = replaceFrom === undefined && added.length === 1;
  const isEnded = await endTurn(ports, turn.conversation, answer.message(), isLonger ? question : undefined);
  if (!isEnded) await forgetFrames(ports, turn);
  tellFollowers(turn.id);
}

/** Frames are for those who come later: when the store takes none for a moment, the answer that is paid for goes on. */
function carefully(recorder: Recorder, { id }: Turn): Recorder {
  let isBroken = false;
  const unlessTaken = (error: unknown) => {
    if (error instanceof FramesTaken) throw error;
    isBroken = true;
    log.error('the frames of an answer are not kept any more', { turnId: id }, error);
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
  if (reason instanceof TurnStopped) return cutParts('stopped', 'The answer was stopped.');
  log.error('an answer failed', { turnId: id }, reason);
  return cutParts('failed', reason instanceof ServiceError ? reason.message : 'internal error');
}
