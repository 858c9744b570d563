import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createQueues, sqliteQueue } from '../../lib/adapters/sqlite/queue.ts';
import { continueParked } from '../../lib/agent/start/continue.ts';
import type { Tool } from '../../lib/agent/tools/tool.ts';
import { openChat } from '../../lib/bots/chats.ts';
import { receiveEvent } from '../../lib/bots/inbox/receive.ts';
import type { BotPorts } from '../../lib/bots/ports.ts';
import {
  type BotMessage,
  botMessageSchema,
  type MessageContent,
  type PersonMessage,
} from '../../lib/bots/schema.ts';
import { rememberedIn } from '../../lib/bots/work/chat-memory.ts';
import { handleBotMessage } from '../../lib/bots/work/handle-bot-message.ts';
import { TooLarge } from '../../lib/errors.ts';
import { continueTable } from '../../lib/evidence/continue.ts';
import type { BotContent, ChatFile, ChatPlatform } from '../../lib/ports/chat-platform.ts';
import type { LanguageModel } from '../../lib/ports/language-model.ts';
import type { ReceivedMessage } from '../../lib/ports/queue.ts';
import { continueResearch } from '../../lib/research/continue.ts';
import type { ResearchPorts } from '../../lib/research/ports.ts';
import { runMessageSchema, runs } from '../../lib/runs/schema.ts';
import { continueCheck } from '../../lib/verify/continue.ts';
import { startAgentRig } from './agent.ts';
import { type Killable, killable } from './processes/killable.ts';
import { type ScriptedModel, withResearch } from './research.ts';
import { isOfResearch } from './research-model.ts';
import { foundFiles } from './samples/found-files.ts';
import { tempFolder } from './temp-folder.ts';

const WORKER_MS = 870_000;
/** The characters of an approval's arguments that the recording platform shows. */
export const MOST_SHOWN = 1000;
const KEY_HOLDS_MS = 60 * 60_000;

interface Shown {
  id: string;
  chatId: string;
  content: BotContent;
  key: string;
  replyTo?: string | undefined;
}

/** A platform that records its messages, as the port requires: a key is shown once within an hour. */
export function recordingPlatform({ changes: canChange = true, clock = { now: () => Date.now() } } = {}) {
  const sent: (Shown & { at: number })[] = [];
  const changes: { id: string; content: BotContent; at: number }[] = [];
  const files = new Map<string, Uint8Array>();
  const sentFiles: (ChatFile & { chatId: string; key: string })[] = [];
  const broken: { send?: Error | undefined; change?: Error | undefined; sendFile?: Error | undefined } = {};
  const port: ChatPlatform = {
    async send(chatId, content, { key, replyTo }) {
      if (broken.send !== undefined) throw broken.send;
      const at = clock.now();
      const before = sent.find((shown) => shown.key === key && at - shown.at < KEY_HOLDS_MS);
      const shown = before ?? { id: `card-${randomUUID()}`, chatId, content, key, replyTo, at };
      if (before === undefined) sent.push(shown);
      return canChange ? shown.id : undefined;
    },
    maxFileBytes: 1_000_000,
    cutApprovals: (approvals) =>
      approvals.filter(({ input }) => JSON.stringify(input).length > MOST_SHOWN).map(({ id }) => id),
    async sendFile(chatId, file, { key }) {
      if (broken.sendFile !== undefined) throw broken.sendFile;
      if (!sentFiles.some((shown) => shown.key === key)) sentFiles.push({ ...file, chatId, key });
    },
    async download(_messageId, fileKey, { maxBytes }) {
      const bytes = files.get(fileKey) ?? new Uint8Array();
      if (bytes.length > maxBytes) throw new TooLarge('too_large', 'the file is too large');
      return bytes;
    },
  };
  const change = async (id: string, content: BotContent) => {
    if (broken.change !== undefined) throw broken.change;
    changes.push({ id, content, at: performance.now() });
  };
  return { port: canChange ? { ...port, change } : port, sent, changes, files, sentFiles, broken };
}

/** Returns the final state of a chat: each message with its latest change. */
export function lastShown({ sent, changes }: ReturnType<typeof recordingPlatform>): BotContent[] {
  return sent.map(({ id, content }) => changes.findLast((change) => change.id === id)?.content ?? content);
}

let clockMs = Date.now();

export function personMessage(content: MessageContent | string, fields: Partial<PersonMessage> = {}) {
  clockMs = Math.max(clockMs + 1, Date.now());
  const message: PersonMessage = {
    kind: 'message',
    platform: 'ima',
    chatId: 'oc_1',
    chatType: 'p2p',
    senderId: 'ou_1',
    messageId: `om_${randomUUID()}`,
    content: typeof content === 'string' ? { type: 'text', text: content } : content,
    receivedAt: new Date(clockMs).toISOString(),
    ...fields,
  };
  return message;
}

/**
 * The bots without a host: real SQLite, a scripted model, platforms that record messages, workers that a test
 * calls.
 */
export async function startBotRig(tools: Tool[] = []) {
  const rig = await startAgentRig(tools);
  createQueues(rig.database, [{ name: 'bot', fifo: true, visibilityTimeoutSeconds: 900 }]);
  const root = await realpath(await tempFolder());
  await mkdir(join(root, 'project'));
  const feishu = recordingPlatform({ clock: rig.ports.clock });
  const wecom = recordingPlatform({ changes: false, clock: rig.ports.clock });
  const research: ScriptedModel = { script: () => undefined, prompts: [], before: undefined };
  const files = foundFiles(rig.ports.records);
  const withReports = withResearch(rig.ports, {}, research);
  const ports: BotPorts & ResearchPorts = {
    ...withReports,
    searchFor: () => ({ records: rig.ports.records, vectors: files.vectors, embedder: undefined }),
    openModel: (use) => byTask(rig.ports.openModel(use), withReports.openModel(use)),
    botQueue: sqliteQueue(rig.database, 'bot', rig.ports.clock),
    platforms: { ima: feishu.port, imb: wecom.port },
    workspaceRoots: [root],
  };
  return { ...rig, ports, root, feishu, wecom, research, files, ...workers(ports) };
}

export type BotRig = Awaited<ReturnType<typeof startBotRig>>;

/** A bot process that is killed after this many calls. */
export function killablePorts({ ports, feishu, wecom }: BotRig, lives?: number): Killable<BotPorts> {
  const flat = { ...ports, feishu: feishu.port, wecom: wecom.port };
  const process = killable(flat, ['records', 'botQueue', 'agentQueue', 'objects', 'feishu', 'wecom'], lives);
  const platforms = { ima: process.ports.feishu, imb: process.ports.wecom };
  return { ...process, ports: { ...process.ports, platforms } };
}

/** Handles the bot queue one message after the other, like a single process. */
export async function workOffQueue(ports: BotPorts): Promise<void> {
  for (;;) {
    const [received] = await ports.botQueue.receive({ max: 1 });
    if (received === undefined) return;
    await handleBotMessage(ports, readMessage(received), WORKER_MS);
    await ports.botQueue.delete([received.receipt]);
  }
}

/** The model of the agent, and that of reports. */
function byTask(agent: LanguageModel, research: LanguageModel): LanguageModel {
  return {
    ...agent,
    stream: (request) => (isOfResearch(request.system) ? research : agent).stream(request),
  };
}

function workers(ports: BotPorts & ResearchPorts) {
  const inWork = new Set<Promise<void>>();

  function begin(queue: BotPorts['botQueue'], message: ReceivedMessage, work: () => Promise<void>) {
    const worked = work()
      .then(() => queue.delete([message.receipt]))
      .finally(() => inWork.delete(worked));
    inWork.add(worked);
    return worked;
  }

  /** Passes each queued message to a separate agent worker; returns how many there were. */
  async function pumpAgent(): Promise<number> {
    const messages = await ports.agentQueue.receive({ max: 10 });
    for (const message of messages) {
      const { runId } = runMessageSchema.parse(JSON.parse(message.body));
      begin(ports.agentQueue, message, async () => {
        const run = await runs.get(ports.records, { id: runId });
        const goOn = {
          ...{ agent: continueParked, research: continueResearch },
          ...{ verify: continueCheck, table: continueTable },
        };
        await goOn[run?.kind ?? 'agent'](ports, runId, WORKER_MS);
      });
    }
    return messages.length;
  }

  /** Does the same for both workers. */
  async function pump(): Promise<number> {
    const messages = await ports.botQueue.receive({ max: 10 });
    const groups = new Map<string | undefined, Promise<void>>();
    for (const message of messages) {
      const before = groups.get(message.groupId); // a FIFO queue delivers one message after the other
      const work = async () => {
        await before;
        await handle(readMessage(message));
      };
      groups.set(message.groupId, begin(ports.botQueue, message, work));
    }
    return messages.length + (await pumpAgent());
  }

  /** Works until no message is waiting or running. */
  async function settle(): Promise<void> {
    for (;;) {
      const pumped = await pump();
      if (pumped === 0 && inWork.size === 0) return;
      await Promise.race([...inWork, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
  }

  /** Works until the condition holds. */
  async function settleUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const until = performance.now() + 90_000; // longer than this takes, even on a busy host
    while (!(await isSo())) {
      if (performance.now() > until) throw new Error('it did not come to that');
      await pump();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  function handle(message: BotMessage): Promise<void> {
    return handleBotMessage(ports, message, WORKER_MS);
  }

  async function send(content: MessageContent | string, fields: Partial<PersonMessage> = {}) {
    const message = personMessage(content, fields);
    const { platform, messageId } = message;
    await receiveEvent(ports, { platform, ids: [messageId], message });
    return message;
  }

  return {
    pump,
    pumpAgent,
    settle,
    settleUntil,
    handle,
    send,
    /** Sends it, and waits until all work is done. */
    async say(content: MessageContent | string, fields: Partial<PersonMessage> = {}) {
      const message = await send(content, fields);
      await settle();
      return message;
    },
    chat: (fields: Partial<PersonMessage> = {}) => openChat(ports, personMessage('', fields)),
    /** The chat history as the model gets it. */
    remembered: async (fields: Partial<PersonMessage> = {}) =>
      rememberedIn(ports.records, await openChat(ports, personMessage('', fields))),
  };
}

function readMessage({ body }: ReceivedMessage): BotMessage {
  return botMessageSchema.parse(JSON.parse(body));
}
