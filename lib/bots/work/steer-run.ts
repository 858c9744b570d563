import { InvalidInput } from '../../errors.ts';
import type { Records } from '../../ports/records.ts';
import { type Run, runs } from '../../runs/schema.ts';
import { messagesToRun, sendToRun } from '../../runs/steer.ts';
import { callerOfMessage } from '../caller.ts';
import { openChat } from '../chats.ts';
import type { BotPorts } from '../ports.ts';
import type { PersonMessage } from '../schema.ts';

/**
 * Sends a text to the run that is working in the chat, for its next step. Throws InvalidInput if no run is
 * working, or if the run started after the message, which may arrive late. Idempotent, because a delivery may
 * be repeated.
 */
export async function steerRun(ports: BotPorts, message: PersonMessage, text: string): Promise<string> {
  if (text === '')
    throw new InvalidInput('missing_value', 'Add the text: /steer use the tests in spec.', { field: 'text' });
  const { activeRun } = await openChat(ports, message);
  const run = activeRun === null ? undefined : await runs.get(ports.records, { id: activeRun.runId });
  if (run === undefined || run.createdAt > message.receivedAt)
    throw new InvalidInput('nothing_running', 'Nothing is in progress here.');
  const sent = await messagesToRun(ports.records, run);
  const isSent = sent.some((each) => each.text === text && each.createdAt >= message.receivedAt);
  if (!isSent) await sendToRun(ports, callerOfMessage(message), run, text);
  return 'The agent gets this before its next step.';
}

/** Returns a line about the messages that arrived too late for the run; empty if there are none. */
export async function tellUndelivered(records: Records, run: Run): Promise<string> {
  const left = (await messagesToRun(records, run)).filter(({ state }) => state === 'queued');
  return left.length === 0 ? '' : `\nThe agent did not get: ${left.map(({ text }) => text).join(' · ')}`;
}
