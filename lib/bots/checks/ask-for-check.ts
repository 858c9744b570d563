import { callerIn } from '../../access/members.ts';
import { oneLine } from '../../activity/record.ts';
import { TooLarge } from '../../errors.ts';
import { runs } from '../../runs/schema.ts';
import { beginCheck, type WantedCheck } from '../../verify/begin.ts';
import { MAX_DRAFT_BYTES } from '../../verify/request-schema.ts';
import { callerOfMessage } from '../caller.ts';
import { changeChat, openChat } from '../chats.ts';
import type { BotPorts } from '../ports.ts';
import { findPlatform } from '../reply/send-reply.ts';
import { askFor } from '../reports/save-report.ts';
import type { ChatReport, FileOfChat, PersonMessage } from '../schema.ts';
import { planCheck } from '../work/chat-lease.ts';
import { findWorkspaceOfChat } from '../work/directory.ts';
import { readAskedCheck } from './check-words.ts';
import { CHECK_USAGE, checkStartMessage, REFERENCES_USAGE } from './messages.ts';

const MAX_NAME = 200;
const TEXT_SHOWN = 60;

/** Stores the file for a later `/check` or `/references`. */
export async function rememberFile(ports: BotPorts, message: PersonMessage): Promise<void> {
  const { content, messageId, senderId } = message;
  if (content.type !== 'file') return;
  const { key, name } = content;
  await changeChat(ports, message, () => ({ lastFile: { messageId, senderId, key, name } }));
}

/** Starts the check of the text, of the message's file, or of its sender's latest file. Idempotent. */
export async function askForCheck(ports: BotPorts, message: PersonMessage, words: string): Promise<string> {
  return startCheck(ports, message, words, false);
}

/** Starts the same check, which also looks up the reference list. */
export async function askForReferences(
  ports: BotPorts,
  message: PersonMessage,
  words: string,
): Promise<string> {
  return startCheck(ports, message, words, true);
}

async function startCheck(ports: BotPorts, message: PersonMessage, words: string, references: boolean) {
  const file = words === '' ? await fileOf(ports, message) : null;
  if (words === '' && file === null) return references ? REFERENCES_USAGE : CHECK_USAGE;
  return askFor(ports, message, { check: { file, references } }, async (report) => {
    await beginChatCheck(ports, report);
    return checkStartMessage(
      file === null ? `“${oneLine(words, TEXT_SHOWN)}”` : oneLine(file.name, MAX_NAME),
    );
  });
}

async function fileOf(ports: BotPorts, { content, ...message }: PersonMessage): Promise<FileOfChat | null> {
  const { messageId, senderId } = message;
  if (content.type === 'file') return { messageId, senderId, key: content.key, name: content.name };
  const { lastFile } = await openChat(ports, message);
  return lastFile?.senderId === senderId ? lastFile : null;
}

/**
 * Called for the message, and by each later look. The first call starts the run. Throws if the run is
 * refused.
 */
export async function beginChatCheck(ports: BotPorts, report: ChatReport): Promise<void> {
  const { runId, message } = report;
  if ((await runs.get(ports.records, { id: runId })) !== undefined) return;
  const caller = callerOfMessage(message);
  const workspace = await findWorkspaceOfChat(ports, caller, await openChat(ports, message));
  const wanted = { ...(await readDraftOf(ports, report)), references: report.check?.references };
  await beginCheck(ports, callerIn(caller, workspace), [workspace], wanted, { id: runId });
  await planCheck(ports, report);
}

async function readDraftOf(ports: BotPorts, { message, check }: ChatReport): Promise<WantedCheck> {
  const { content, platform } = message;
  const file = check?.file ?? null;
  if (file === null)
    return { text: content.type === 'text' ? (readAskedCheck(content.text)?.words ?? '') : '' };
  const name = oneLine(file.name, MAX_NAME);
  const bytes = await findPlatform(ports, platform)
    .download(file.messageId, file.key, { maxBytes: MAX_DRAFT_BYTES })
    .catch((error: unknown) => {
      if (!(error instanceof TooLarge)) throw error;
      throw new TooLarge('draft_too_large', `${name} is too large. A draft can have up to 10 MB.`);
    });
  const url = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
  return { attachment: { url, filename: name } };
}
