import { setTimeout as pause } from 'node:timers/promises';
import { log } from '../../log.ts';
import type { BotApproval, BotContent } from '../../ports/chat-platform.ts';
import { openApprovals } from '../../runs/approvals.ts';
import { followRun } from '../../runs/follow-run.ts';
import { readRun } from '../../runs/runs.ts';
import { type Approval, isRunOver, type Run } from '../../runs/schema.ts';
import { checkAlive } from '../../runs/sweep.ts';
import { StreamCut } from '../../ui-messages/error-parts.ts';
import type { BotPorts } from '../ports.ts';
import type { ActiveRun, Chat } from '../schema.ts';
import { coalesce } from './coalesce.ts';
import { noticesFor } from './notice-messages.ts';
import { addToStory, newStory, type RunStory, type StoryState, storyOf } from './run-story.ts';

/**
 * In milliseconds. Feishu allows five changes per second of one message, and people read no faster than this
 * interval.
 */
const REST_MS = 500;
/** Milliseconds between two checks on a run that has its answers but that no worker has resumed yet. */
const LOOK_EVERY_MS = 250;

export interface ShowRunOptions {
  /** Aborted when another process takes over the chat. */
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  until: number;
}

export type Followed =
  | { state: 'over'; run: Run; story: RunStory }
  /** The run waits for answers to these approvals. */
  | { state: 'waiting'; open: Approval[]; story: RunStory }
  /** The time is up, or another process has taken over, so the caller must retry. */
  | { state: 'cut' };

/** Shows a run's activity in its card, from its start until it waits or ends. Doesn't show its result. */
export async function followActive(
  ports: BotPorts,
  chat: Chat,
  active: ActiveRun,
  options: ShowRunOptions,
): Promise<Followed> {
  const card = openCard(ports, chat, active);
  const state = newStory();
  const show = () => card.offer(progress(ports, chat, active, storyOf(state)));
  try {
    return await readOn(ports, active.runId, options, { state, show });
  } catch (error) {
    if (error instanceof StreamCut) return { state: 'cut' };
    throw error;
  } finally {
    await card.stop(); // later content must come after anything that is still being shown
  }
}

interface Watch {
  state: StoryState;
  show(): void;
}

async function readOn(
  ports: BotPorts,
  runId: string,
  { signal, until }: ShowRunOptions,
  { state, show }: Watch,
): Promise<Followed> {
  await checkAlive(ports, await readRun(ports.records, runId));
  let after = 0;
  for (;;) {
    const timeLeftMs = until - ports.clock.now();
    for await (const part of followRun(ports, runId, { after, untilSuspended: true, signal, timeLeftMs })) {
      after += 1;
      if (addToStory(state, part)) show();
    }
    const run = await readRun(ports.records, runId);
    if (isRunOver(run.status)) return { state: 'over', run, story: storyOf(state) };
    const open = await openApprovals(ports, runId);
    if (open.length > 0) return { state: 'waiting', open, story: storyOf(state) };
    await pauseBefore(ports, until);
  }
}

async function pauseBefore({ clock }: BotPorts, until: number): Promise<void> {
  if (clock.now() > until) throw new StreamCut();
  await pause(LOOK_EVERY_MS);
}

export function progress(
  { maxSteps }: Pick<BotPorts, 'maxSteps'>,
  { workspacePath }: Chat,
  active: ActiveRun,
  story: RunStory,
  approvals: BotApproval[] = [],
): BotContent {
  const { step, calls, text } = story;
  const notices = noticesFor(active, story);
  return { kind: 'progress', step, maxSteps, calls, text, workspace: workspacePath, approvals, notices };
}

/** A failed change of the card isn't the run's failure, because the next change shows everything. */
function openCard(ports: BotPorts, chat: Chat, { runId, cardId }: ActiveRun) {
  const platform = ports.platforms[chat.platform];
  return coalesce(async (content: BotContent) => {
    try {
      if (cardId !== null) await platform?.change?.(cardId, content);
    } catch (error) {
      log.warn('the progress of a run could not be shown', { runId, reason: String(error) });
    }
  }, REST_MS);
}
