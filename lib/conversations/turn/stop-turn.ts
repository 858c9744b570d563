import { Conflict } from '../../errors.ts';
import { log } from '../../log.ts';
import { ifExpected } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { framesSoFar } from '../../run-events/follow-frames.ts';
import { listenFor, tellFollowers } from '../../run-events/frame-signal.ts';
import { FramesTaken, lastFrame, openRecorder } from '../../run-events/record-frames.ts';
import { readAgain } from '../change.ts';
import { type Conversation, conversations } from '../schema.ts';
import { brokenParts, newAnswerMessage } from './answer-message.ts';
import { endCutTurn } from './end-turn.ts';
import { turnLeases } from './lease.ts';

/** Milliseconds, longer than the interval at which the answering process checks. */
const PATIENCE_MS = 4000;
const LOOK_EVERY_MS = 100;
/** The message for an answer whose process died, or stalled for so long that it seemed dead. */
export const DIED = 'The process that wrote this answer stopped before it was complete. Ask again.';
const UNDER_WAY =
  'An answer is already being written in this conversation. Wait for it, or stop it with POST /api/chat/{id}/stop.';

/** Asks the answering process to stop, and waits for its end. Returns the conversation after that. */
export async function stopTurn(ports: TimedRecords, conversation: Conversation): Promise<Conversation> {
  const { turnId } = conversation;
  if (turnId === null) return conversation;
  const asked = { set: { stopRequested: true }, add: { version: 1 } };
  await ifExpected(conversations.update(ports.records, conversation, asked, { turnId }));
  tellFollowers(turnId);
  const until = ports.clock.now() + PATIENCE_MS;
  for (;;) {
    const wake = listenFor(turnId);
    try {
      const now = await endIfDead(ports, await readAgain(ports.records, conversation));
      if (now.turnId !== turnId || ports.clock.now() > until) return now;
      await wake.wait(LOOK_EVERY_MS, new AbortController().signal);
    } finally {
      wake.stop();
    }
  }
}

/**
 * Returns the conversation without an answer in progress. Ends the answer if its client continues from its
 * question (`takesOver`), or its process died. Throws Conflict.
 */
export async function endRunningTurn(
  ports: TimedRecords,
  conversation: Conversation,
  takesOver: boolean,
): Promise<Conversation> {
  if (conversation.turnId === null) return conversation;
  const alive = await endIfDead(ports, conversation);
  if (alive.turnId === null) return alive;
  const ended = takesOver ? await stopTurn(ports, alive) : alive;
  if (ended.turnId !== null) throw new Conflict('answer_in_progress', UNDER_WAY);
  return ended;
}

/**
 * Ends an answer whose process sends no heartbeats. Stores the existing part, with a notice that it was
 * interrupted.
 */
export async function endIfDead(ports: TimedRecords, conversation: Conversation): Promise<Conversation> {
  const { turnId } = conversation;
  if (turnId === null || turnLeases.isHeld(conversation, ports.clock)) return conversation;
  log.warn('an answer was found dead', { turnId });
  await recordEnd(ports, turnId);
  const answer = newAnswerMessage(turnId);
  for (const part of await framesSoFar(ports.records, turnId)) answer.add(part);
  await endCutTurn(ports, conversation, answer.message(), undefined);
  return readAgain(ports.records, conversation);
}

/**
 * Records the end for clients that still follow the answer. Another process may record it at the same time.
 */
async function recordEnd(ports: TimedRecords, turnId: string): Promise<void> {
  const recorder = openRecorder(ports, turnId, await lastFrame(ports.records, turnId));
  try {
    for (const part of brokenParts(DIED, { code: 'answer_interrupted' })) recorder.write(part);
    await recorder.flush();
  } catch (error) {
    if (!(error instanceof FramesTaken)) throw error;
  }
}
