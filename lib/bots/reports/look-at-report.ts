import { requireRefusal } from '../../known-error.ts';
import { log } from '../../log.ts';
import { markHandled } from '../inbox/inbox.ts';
import type { BotPorts } from '../ports.ts';
import { lastWords, refusalText } from '../reply/refusal-text.ts';
import { sendOnce } from '../reply/send-reply.ts';
import { type ChatReport, chatReports } from '../schema.ts';
import { holdChat } from '../work/chat-lease.ts';
import { lookUp } from './look-up.ts';
import { commandOf, type ReportNow, sayOfReport } from './looked.ts';

/** The maximum number of failures, which are about a minute apart. */
const MAX_FAILURES = 20;

/**
 * Looks once at a report that a chat waits for, and shows its progress or delivers its result. No worker
 * waits for the run; the scheduler tick starts the next look. Idempotent, even with concurrent calls.
 */
export async function lookAtReport(
  ports: BotPorts,
  id: Pick<ChatReport, 'platform' | 'chatId' | 'runId'>,
): Promise<void> {
  const held = await holdChat(ports, id);
  if (held === undefined) return;
  try {
    const wanted = await held.seen();
    if (wanted === undefined) return;
    const report = await chatReports.get(ports.records, id);
    if (report !== undefined && !(await lookOnce(ports, report))) return await held.release(wanted);
    if (report !== undefined) await forget(ports, report);
    await held.end(wanted);
  } finally {
    held.drop();
  }
}

/** Deletes the report's record. Its message must not start another report if it arrives again. */
async function forget(ports: BotPorts, report: ChatReport): Promise<void> {
  await markHandled(ports, report.message);
  await chatReports.delete(ports.records, report);
}

/** Returns true if the report needs nothing more. */
async function lookOnce(ports: BotPorts, report: ChatReport): Promise<boolean> {
  try {
    const looked = await findForChat(ports, report);
    if (looked === undefined) return true;
    if (looked.isOver) await looked.deliver();
    else await showProgress(ports, report, looked).catch(passOver);
    return looked.isOver;
  } catch (error) {
    const refused = requireRefusal(error);
    log.warn('a report could not be shown in its chat', { runId: report.runId, reason: refused.message });
    return countFailure(ports, report);
  }
}

/** This failure doesn't count, because the next look shows more, and the result may still be delivered. */
function passOver(error: unknown): void {
  const refused = requireRefusal(error);
  log.warn('how far a report is could not be shown in its chat', { reason: refused.message });
}

/** Notifies the requester if they may no longer read the report. */
async function findForChat(ports: BotPorts, report: ChatReport): Promise<ReportNow | undefined> {
  try {
    return await lookUp(ports, report);
  } catch (error) {
    const text = refusalText(requireRefusal(error), await lastWords(ports, report.message));
    await sayOfReport(ports, report, { name: 'refused', ok: false, text });
    return undefined;
  }
}

/**
 * Updates the message that announced the report. On a platform that can't change messages, sends a few more.
 */
async function showProgress(
  ports: BotPorts,
  report: ChatReport,
  { progress: text, milestone }: ReportNow,
): Promise<void> {
  const platform = ports.platforms[report.platform];
  const { messageId } = report.message;
  const content = { kind: 'command' as const, command: commandOf(report), ok: true, text };
  if (platform?.change === undefined) {
    if (milestone !== null) await sayOfReport(ports, report, { ...milestone, ok: true });
    return;
  }
  const cardId = await sendOnce(ports, report, content, { name: `${messageId} reply`, replyTo: messageId });
  if (cardId !== undefined) await platform.change(cardId, content);
}

/** Gives up after many failures. The report is still in the workspace's runs and notes. */
async function countFailure(ports: BotPorts, report: ChatReport): Promise<boolean> {
  const failures = report.failures + 1;
  await chatReports.update(ports.records, report, { set: { failures } });
  if (failures < MAX_FAILURES) return false;
  const text =
    report.check === null
      ? `The report couldn't be sent here. Download it with GET /api/research/${report.runId}/export?format=docx.`
      : `The verdicts couldn't be sent here. Read them with GET /api/verify/${report.runId}.`;
  await sayOfReport(ports, report, { name: 'given up', ok: false, text }).catch((error: unknown) =>
    log.error('a report was given up without a word', { runId: report.runId, reason: String(error) }),
  );
  return true;
}
