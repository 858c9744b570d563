import { audited } from '../../audit/record.ts';
import { InvalidInput } from '../../errors.ts';
import { requireRefusal } from '../../known-error.ts';
import type { BotContent } from '../../ports/chat-platform.ts';
import { modeSchema } from '../../runs/schema.ts';
import { callerOfMessage } from '../caller.ts';
import { changeChat, openChat } from '../chats.ts';
import { askForCheck, askForReferences } from '../checks/ask-for-check.ts';
import { readAskedCheck } from '../checks/check-words.ts';
import { countInbox } from '../inbox/inbox.ts';
import type { BotPorts } from '../ports.ts';
import { lastWords, refusalText } from '../reply/refusal-text.ts';
import { askForReport } from '../reports/ask-for-report.ts';
import type { PersonMessage } from '../schema.ts';
import { answerAlways, answerByNumber } from './answer-approval.ts';
import { rememberedIn } from './chat-memory.ts';
import { findWorkspaceOfChat, locateDirectory } from './directory.ts';
import { forgetInChat, rememberInChat, showFactsOfChat } from './facts.ts';
import { steerRun } from './steer-run.ts';
import { stopWork } from './stop-work.ts';

/** An action that returns a text about its result. An error is shown as the reason for a refusal. */
type CommandRun = (ports: BotPorts, message: PersonMessage, words: string) => Promise<string>;

const HELP = `**/workspace** [path]: choose a directory to work in, or show the current one
**/mode** agent | plan | ask: choose what I can do
**/status**: show workspace, mode, history, and the ID of this chat
**/research** [quick | standard | deep] question: write a report from the files, checked against quotes; without a question, list reports in progress
**/check** [text]: check the claims of a text, or of the file that you sent last, against the files
**/references** [text]: do the same, and look up the entries of its reference list in catalogs of papers
**/steer** text: correct the current work before its next step
**/facts**: list the facts that I remember about you; in a group, about its workspace
**/remember** fact, **/forget** code: save or delete such a fact
**/stop** [number]: stop the current work, or the report with that number
**/clear**: start a new conversation, and keep workspace and mode
**/approve** [number], **/deny** [number] [reason]: answer a request for approval
**/allow** [number]: approve, and allow exactly the same until this run ends
**/always** [number] rule: approve, and allow the same from now on; I show the rule
**/help**: show this help

Modes: **agent** can use all tools and change files; **plan** and **ask** can only read files.`;

const COMMANDS: Record<string, CommandRun> = {
  help: async () => HELP,
  status: showStatus,
  workspace: bindWorkspace,
  mode: switchMode,
  clear: clearHistory,
  approve: (ports, message, words) => answerByNumber(ports, message, words, { approved: true }),
  deny: (ports, message, words) => answerByNumber(ports, message, words, { approved: false }),
  // The earlier name.
  refuse: (ports, message, words) => answerByNumber(ports, message, words, { approved: false }),
  allow: (ports, message, words) => answerByNumber(ports, message, words, { approved: true, scope: 'run' }),
  always: answerAlways,
  research: askForReport,
  check: askForCheck,
  references: askForReferences,
  steer: steerRun,
  facts: showFactsOfChat,
  remember: rememberInChat,
  forget: forgetInChat,
  stop: stopWork,
};

export interface ChatCommand {
  name: string;
  words: string;
}

/**
 * Returns the command in a text. Undefined for a text that goes to the model, such as an unknown slash
 * command.
 */
export function parseCommand(text: string): ChatCommand | undefined {
  const plain = text.replace(COMMAND, (word) => word.normalize('NFKC'));
  const draft = readAskedCheck(plain);
  if (draft !== undefined) return draft;
  const [, word = '', words = ''] = /^\s*\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(plain) ?? [];
  const name = word.toLowerCase();
  if (!Object.hasOwn(COMMANDS, name)) return undefined;
  const isPath = name === 'workspace';
  return {
    name,
    words: isPath ? words.trim() : words.trim().replace(WIDE_WORD, (wide) => wide.normalize('NFKC')),
  };
}

/**
 * Matches a slash and a command, in ASCII or full-width characters, and the first word after it, such as a
 * number.
 */
const COMMAND = /^\s*[/\uff0f]\p{Script=Latin}*/u;
const WIDE_WORD = /^[\uff01-\uff5e]+(?=\s|$)/;

/** Runs a command. Throws only errors that the person shouldn't see. */
export async function runCommand(
  ports: BotPorts,
  message: PersonMessage,
  { name, words }: ChatCommand,
): Promise<BotContent> {
  return commandReply(
    ports,
    message,
    name,
    async () => (await COMMANDS[name]?.(ports, message, words)) ?? '',
  );
}

/** Returns the reply to a command, or the reason why it was refused. */
export async function commandReply(
  ports: BotPorts,
  message: PersonMessage,
  command: string,
  run: () => Promise<string>,
): Promise<BotContent> {
  try {
    return { kind: 'command', command, ok: true, text: await run() };
  } catch (error) {
    const text = refusalText(requireRefusal(error), await lastWords(ports, message));
    return { kind: 'command', command, ok: false, text };
  }
}

async function showStatus(ports: BotPorts, message: PersonMessage): Promise<string> {
  const chat = await openChat(ports, message);
  const { chatId, workspacePath, mode, activeRun } = chat;
  const remembered = await rememberedIn(ports.records, chat);
  const waiting = await countInbox(ports, message);
  return [
    `**Chat ID**: ${chatId}`,
    `**Workspace**: ${workspacePath}`,
    `**Mode**: ${mode}`,
    `**History**: ${remembered.length} messages`,
    `**Processing**: ${activeRun === null ? 'No' : 'Yes'}${waiting === 0 ? '' : `, ${waiting} more queued`}`,
  ].join('\n');
}

/** Changes the workspace of the chat. Work in progress stays in its own. */
async function bindWorkspace(ports: BotPorts, message: PersonMessage, path: string): Promise<string> {
  if (path === '') return `Workspace: ${(await openChat(ports, message)).workspacePath}`;
  const caller = { ...callerOfMessage(message), visited: new Set<string>() };
  const about = `${message.platform} ${message.chatId} ${path}`;
  return audited(ports, caller, { action: 'bots.bind', about }, async () => {
    const workspacePath = await locateDirectory(ports.workspaceRoots, path);
    await findWorkspaceOfChat(ports, caller, { workspacePath });
    await changeChat(ports, message, () => ({ workspacePath }));
    return `Workspace: ${workspacePath}`;
  });
}

async function switchMode(ports: BotPorts, message: PersonMessage, word: string): Promise<string> {
  const { data: mode } = modeSchema.safeParse(word.toLowerCase());
  if (mode === undefined)
    throw new InvalidInput('invalid_value', `mode must be one of ${modeSchema.options.join(', ')}.`, {
      field: 'mode',
    });
  await changeChat(ports, message, () => ({ mode }));
  return `Mode: ${mode}`;
}

async function clearHistory(ports: BotPorts, message: PersonMessage): Promise<string> {
  await changeChat(ports, message, ({ activeRun }) => ({
    conversationId: null,
    earlierId: null,
    activeRun: activeRun && { ...activeRun, forget: true },
  }));
  return 'Started a new conversation. Workspace and mode are unchanged.';
}
