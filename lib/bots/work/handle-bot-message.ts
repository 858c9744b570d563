import { requireRefusal } from '../../known-error.ts';
import { log } from '../../log.ts';
import { rememberPerson } from '../../people/remember.ts';
import type { BotContent } from '../../ports/chat-platform.ts';
import { callerOfMessage } from '../caller.ts';
import { rememberFile } from '../checks/ask-for-check.ts';
import { isWordFile } from '../checks/check-words.ts';
import { isHandled, MAX_WAITING, markHandled, putInInbox } from '../inbox/inbox.ts';
import { checkMessageContent } from '../inbox/read-message.ts';
import type { BotPorts } from '../ports.ts';
import { lastWords, refusalText } from '../reply/refusal-text.ts';
import { sendOnce } from '../reply/send-reply.ts';
import { lookAtReport } from '../reports/look-at-report.ts';
import type { BotMessage, PersonMessage } from '../schema.ts';
import { answerById } from './answer-approval.ts';
import { requestWork } from './chat-lease.ts';
import { type ChatCommand, commandReply, parseCommand, runCommand } from './commands.ts';
import { workOnChat } from './work-on-chat.ts';

/**
 * Handles a queued message: answers a person's message at once, or lets it wait for its turn. Takes only a
 * moment, so that commands are answered while a run is working. Idempotent.
 */
export async function handleBotMessage(
  ports: BotPorts,
  message: BotMessage,
  timeLeftMs: number,
): Promise<void> {
  if (message.kind === 'follow') return goOn(ports, message, timeLeftMs);
  if (await isHandled(ports, message)) return;
  rememberPerson(ports, callerOfMessage(message), { kind: 'chat' });
  const reply = (await answerAtOnce(ports, message)) ?? (await letWait(ports, message));
  if (reply === undefined) return requestWork(ports, message);
  await sendReply(ports, message, reply);
  await markHandled(ports, message);
}

function goOn(ports: BotPorts, { runId, ...chat }: Follow, timeLeftMs: number): Promise<void> {
  return runId === undefined ? workOnChat(ports, chat, timeLeftMs) : lookAtReport(ports, { ...chat, runId });
}

type Follow = Extract<BotMessage, { kind: 'follow' }>;

/** Undefined if the message waits for its turn. */
async function letWait(ports: BotPorts, message: PersonMessage): Promise<BotContent | undefined> {
  if (await putInInbox(ports, message)) return undefined;
  return {
    kind: 'error',
    text: `${MAX_WAITING} messages are already queued here. Send this one again later.`,
  };
}

/** Undefined for messages that the model answers. */
async function answerAtOnce(ports: BotPorts, message: PersonMessage): Promise<BotContent | undefined> {
  const { content } = message;
  if (content.type === 'answer') {
    const { approvalId, approved, always } = content;
    const command = always !== undefined ? 'always' : approved ? 'approve' : 'deny';
    return commandReply(ports, message, command, () =>
      answerById(ports, message, approvalId, { approved, always }),
    );
  }
  await rememberFile(ports, message);
  const command = commandIn(message);
  if (command !== undefined) return runCommand(ports, message, command);
  try {
    checkMessageContent(content, message.quotedId !== undefined);
    return undefined;
  } catch (error) {
    const text = refusalText(requireRefusal(error), await lastWords(ports, message));
    return { kind: 'error', text };
  }
}

/** Returns the command in a message. A Word document alone is one. */
function commandIn(message: PersonMessage): ChatCommand | undefined {
  if (isWordFile(message)) return { name: 'check', words: '' };
  return message.content.type === 'text' ? parseCommand(message.content.text) : undefined;
}

/**
 * Sends a reply. If the platform refuses it, the reply is lost, because later messages of the chat must not
 * wait for a retry.
 */
async function sendReply(ports: BotPorts, message: PersonMessage, reply: BotContent): Promise<void> {
  const { messageId } = message;
  try {
    await sendOnce(ports, message, reply, { name: `${messageId} reply`, replyTo: messageId });
  } catch (error) {
    const refused = requireRefusal(error);
    log.error('a reply did not reach its chat', { platform: message.platform, reason: refused.message });
  }
}
