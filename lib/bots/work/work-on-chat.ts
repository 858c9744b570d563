import { callerIn } from '../../access/members.ts';
import { beginOnce } from '../../agent/start/begin.ts';
import type { Message } from '../../conversations/schema.ts';
import { answerOfRun } from '../../conversations/turn/keep-run.ts';
import { isDiskFull, requireRefusal } from '../../known-error.ts';
import { log } from '../../log.ts';
import type { BotContent } from '../../ports/chat-platform.ts';
import { timestamp } from '../../ports/clock.ts';
import { runs } from '../../runs/schema.ts';
import { callerOfMessage } from '../caller.ts';
import { changeChat, openChat } from '../chats.ts';
import { claimNextMessage } from '../inbox/inbox.ts';
import { readMessage, readQuoted, turnsOf } from '../inbox/read-message.ts';
import type { BotPorts } from '../ports.ts';
import { type Followed, followActive, progress, type ShowRunOptions } from '../reply/follow-run.ts';
import { noticesFor } from '../reply/notice-messages.ts';
import { refusalText } from '../reply/refusal-text.ts';
import { NOTHING_SAID, newStory, type RunStory, storyOf } from '../reply/run-story.ts';
import { replaceCard, sendOnce } from '../reply/send-reply.ts';
import { withSources } from '../reply/with-sources.ts';
import type { ActiveRun, Chat, ChatId, HistoryMessage } from '../schema.ts';
import { callBotWorker, type HeldChat, holdChat } from './chat-lease.ts';
import { decideConversation, keepChatAnswer, keepQuestion, refusal, rememberedIn } from './chat-memory.ts';
import { findWorkspaceOfChat } from './directory.ts';
import { prepareQuestion } from './question.ts';
import { tellUndelivered } from './steer-run.ts';

/** The minimum time in milliseconds. With less, a run would only be handed off, without progress. */
const MIN_RUN_MS = 11 * 60_000;
/**
 * The maximum number of failures that the person didn't cause, about a minute apart. Then the message is
 * dropped, and the next one gets its turn.
 */
const MAX_FAILURES = 20;

/**
 * Processes a chat's messages one after another, each to its end. Stops if no message is left, if a run waits
 * for a person, or if the time is up. Idempotent, even with concurrent calls.
 */
export async function workOnChat(ports: BotPorts, id: ChatId, timeLeftMs: number): Promise<void> {
  const held = await holdChat(ports, id);
  if (held === undefined) return;
  const until = ports.clock.now() + timeLeftMs;
  try {
    while (await workOnNext(ports, held, id, until));
  } catch (error) {
    if (isDiskFull(error)) throw error; // the message isn't at fault, so it waits for space
    log.error('a chat could not be worked on', { platform: id.platform }, error);
    await countFailure(ports, id);
  } finally {
    held.drop();
  }
}

/** Returns false if this worker can do nothing more. */
async function workOnNext(ports: BotPorts, held: HeldChat, id: ChatId, until: number): Promise<boolean> {
  const wanted = await held.seen();
  if (wanted === undefined) return false;
  const active = await claimNextMessage(ports, await openChat(ports, id));
  if (active === undefined) return !(await held.end(wanted));
  const chat = await openChat(ports, id);
  const state = await workOn(ports, chat, active, { signal: held.signal, until });
  if (state === 'over') return true;
  await held.release(wanted);
  if (state === 'cut') await callBotWorker(ports, id);
  return false;
}

async function workOn(
  ports: BotPorts,
  chat: Chat,
  active: ActiveRun,
  options: ShowRunOptions,
): Promise<Followed['state']> {
  const begun = await begin(ports, chat, active, options);
  if (begun.state !== 'begun') return begun.state;
  try {
    const followed = await followActive(ports, chat, begun.active, options);
    if (followed.state === 'over') await endWith(ports, chat, begun.active, followed);
    if (followed.state === 'waiting') await askPerson(ports, chat, begun.active, followed);
    return followed.state;
  } finally {
    await begun.working; // a function is frozen when it returns
  }
}

type Begun = { state: 'begun'; active: ActiveRun; working: Promise<void> } | { state: 'over' | 'cut' };

/** Starts the message's run once. If the run is refused, the reply is the refusal. */
async function begin(
  ports: BotPorts,
  chat: Chat,
  active: ActiveRun,
  options: ShowRunOptions,
): Promise<Begun> {
  if ((await runs.get(ports.records, { id: active.runId })) !== undefined)
    return { state: 'begun', active, working: Promise.resolve() };
  if (options.until - ports.clock.now() < MIN_RUN_MS) return { state: 'cut' };
  const shown = await showBeginning(ports, chat, active);
  try {
    const started = await startRun(ports, chat, shown, options);
    return started === undefined ? { state: 'cut' } : { state: 'begun', ...started };
  } catch (error) {
    const text = refusalText(requireRefusal(error), askedIn(shown));
    await finish(ports, chat, shown, { kind: 'error', text }, refusal(shown.runId, text));
    return { state: 'over' };
  }
}

/** Undefined if the chat now works on another message. */
async function startRun(
  ports: BotPorts,
  chat: Chat,
  active: ActiveRun,
  { signal, until }: ShowRunOptions,
): Promise<{ active: ActiveRun; working: Promise<void> } | undefined> {
  const { message, runId } = active;
  const caller = callerOfMessage(message);
  const reading = active.reading ?? (await readMessage(ports, message, signal));
  const quoted = active.quoted ?? (await quotedOrTold(ports, chat, active, signal));
  if (reading !== null || quoted !== null) await changeActive(ports, chat, runId, { reading, quoted });
  const workspace = await findWorkspaceOfChat(ports, caller, chat);
  const decided = await decideConversation(ports, chat, active, workspace);
  if (decided === undefined) return undefined;
  const { conversationId, forget } = decided.active;
  await keepQuestion(ports, decided.chat, decided.active, workspace);
  const before = forget ? [] : await rememberedIn(ports.records, await openChat(ports, chat));
  const messages = [...before, ...turnsOf(decided.active)].map(toUiMessage);
  const body = { messages, cwd: chat.workspacePath, mode: chat.mode };
  const timeLeftMs = until - ports.clock.now();
  const listed = callerIn(caller, workspace);
  const fields = { conversationId, isInGroup: message.chatType === 'group' };
  const started = await beginOnce(ports, listed, runId, workspace, body, timeLeftMs, fields);
  return { active: decided.active, working: started?.working ?? Promise.resolve() };
}

/**
 * Reads the quoted message. If that fails, the chat gets the reason, and the question is answered without it.
 */
async function quotedOrTold(
  ports: BotPorts,
  chat: Chat,
  { runId, message }: ActiveRun,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return await readQuoted(ports, message, signal);
  } catch (error) {
    const text = `I can't read the message that you quote. ${requireRefusal(error).message}`;
    await sendOnce(
      ports,
      chat,
      { kind: 'text', text },
      { name: `${runId} quote`, replyTo: message.messageId },
    );
    return null;
  }
}

function toUiMessage({ role, text }: HistoryMessage) {
  return { role, parts: [{ type: 'text', text }] };
}

/** Shows the progress card on platforms that can change messages. If that fails, the run continues anyway. */
async function showBeginning(ports: BotPorts, chat: Chat, active: ActiveRun): Promise<ActiveRun> {
  if (active.cardId !== null || ports.platforms[chat.platform]?.change === undefined) return active;
  const { runId, message } = active;
  const content = progress(ports, chat, active, storyOf(newStory()));
  try {
    const delivery = { name: `${runId} card`, replyTo: message.messageId };
    const cardId = (await sendOnce(ports, chat, content, delivery)) ?? null;
    await changeActive(ports, chat, runId, { cardId });
    return { ...active, cardId };
  } catch (error) {
    const refused = requireRefusal(error);
    log.warn('a run has no card', { runId, reason: refused.message });
    return active;
  }
}

/**
 * Asks the person. If the question can't be shown now, the scheduler tick shows it later; until then, the
 * person doesn't count as asked.
 */
async function askPerson(
  ports: BotPorts,
  chat: Chat,
  active: ActiveRun,
  { open, story }: Followed & { state: 'waiting' },
): Promise<void> {
  const { runId, message, cardId } = active;
  const asked = open.map(({ id }) => id).sort();
  const question = asked.every((id) => active.question?.ids.includes(id))
    ? active.question
    : { ids: asked, at: timestamp(ports.clock) };
  const delivery = { name: `${runId} asks ${asked.join()}`, replyTo: message.messageId, cardId };
  try {
    const approvals = await prepareQuestion(ports, chat, { runId, question }, open);
    const seen = approvals.filter(({ approvable }) => approvable).map(({ id }) => id);
    const approvable = [...new Set([...active.approvable, ...seen])];
    // Stored before it's visible, because the answer could be faster.
    await changeActive(ports, chat, runId, { question, approvable });
    await replaceCard(ports, chat, progress(ports, chat, active, story, approvals), delivery);
    await changeActive(ports, chat, runId, { asked });
  } catch (error) {
    const refused = requireRefusal(error);
    log.error('failed to ask for an approval', { runId, reason: refused.message });
  }
}

async function endWith(
  ports: BotPorts,
  chat: Chat,
  active: ActiveRun,
  { run, story }: Followed & { state: 'over' },
): Promise<void> {
  const answer = await answerOfRun(ports.records, run);
  const undelivered = await tellUndelivered(ports.records, run);
  if (run.status !== 'done') {
    const why = run.status === 'stopped' ? 'The run was stopped.' : failureText(active, run.error, story);
    return finish(ports, chat, active, { kind: 'error', text: `${why}${undelivered}` }, answer);
  }
  const { calls } = story;
  const notices = noticesFor(active, story);
  const text = `${textOf(story, notices)}${undelivered && `\n${undelivered}`}`;
  const seconds = Math.max(0, Math.round((ports.clock.now() - Date.parse(active.startedAt)) / 1000));
  const content = { kind: 'final' as const, calls, text, workspace: chat.workspacePath, seconds, notices };
  await finish(ports, chat, active, content, answer);
}

/**
 * Returns the text of the run. If it has none, the last notice becomes the text, provided that it states the
 * reason.
 */
function textOf({ text, citations, notices: told }: RunStory, notices: string[]): string {
  if (text.trim() !== '') return withSources(text, citations);
  return (told.at(-1)?.code === 'answer-empty' && notices.pop()) || NOTHING_SAID;
}

/**
 * Returns the text for a failed run. The error code is in its last events; the record has only the English
 * text.
 */
function failureText(active: ActiveRun, error: string | null, { failedWith }: RunStory): string {
  if (error === null) return 'The run failed.';
  return failedWith === undefined
    ? error
    : refusalText({ code: failedWith, message: error }, askedIn(active));
}

function askedIn(active: ActiveRun): string {
  return turnsOf(active).at(-1)?.text ?? '';
}

/**
 * Sends the final reply to a message, then frees the chat for the next message. If the process dies in
 * between, the same stored reply is shown again.
 */
async function finish(
  ports: BotPorts,
  chat: Chat,
  { runId, cardId, message }: ActiveRun,
  content: BotContent,
  answer: Message,
): Promise<void> {
  await keepChatAnswer(ports, chat, answer);
  await replaceCard(ports, chat, content, { name: `${runId} end`, replyTo: message.messageId, cardId });
  await changeChat(ports, chat, ({ activeRun }) =>
    activeRun?.runId === runId ? { activeRun: null } : undefined,
  );
}

async function changeActive(
  ports: BotPorts,
  id: ChatId,
  runId: string,
  fields: Partial<ActiveRun>,
): Promise<void> {
  await changeChat(ports, id, ({ activeRun }) =>
    activeRun?.runId === runId ? { activeRun: { ...activeRun, ...fields } } : undefined,
  );
}

async function countFailure(ports: BotPorts, id: ChatId): Promise<void> {
  const { activeRun } = await openChat(ports, id);
  if (activeRun === null) return;
  const failures = activeRun.failures + 1;
  await changeActive(ports, id, activeRun.runId, { failures });
  if (failures < MAX_FAILURES) return;
  const { runId, message } = activeRun;
  const text = "Something went wrong, and your message wasn't processed. Send it again.";
  const delivery = { name: `${runId} given up`, replyTo: message.messageId };
  await sendOnce(ports, id, { kind: 'error', text }, delivery).catch((error: unknown) =>
    log.error('a message was given up without a word', { runId, reason: String(error) }),
  );
  await changeChat(ports, id, (chat) => (chat.activeRun?.runId === runId ? { activeRun: null } : undefined));
}
