import { isRunOver } from '../../agent/schema.ts';
import { requireRefusal } from '../../known-error.ts';
import { log } from '../../log.ts';
import { describeResearch, type FoundResearch, findResearch } from '../../research/find-research.ts';
import type { Research } from '../../research/request-schema.ts';
import { callerOfMessage } from '../caller.ts';
import { markHandled } from '../inbox/inbox.ts';
import type { BotPorts } from '../ports.ts';
import { lastWords, refusalText } from '../reply/refusal-text.ts';
import { sendOnce } from '../reply/send-reply.ts';
import { type ChatReport, chatReports } from '../schema.ts';
import { holdChat } from '../work/chat-lease.ts';
import { beginReport } from './ask-for-report.ts';
import { deliverReport, sayOfReport } from './deliver.ts';
import { milestoneOf, progressMessage } from './messages.ts';

/** About a minute apart. */
const MAX_FAILURES = 20;

/**
 * Looks once at a report that a chat waits for: shows its progress, or delivers its result. No worker waits for the run:
 * the tick calls the next one. Idempotent, also next to another that does the same.
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

/** Its message, should it come again, must not begin another. */
async function forget(ports: BotPorts, report: ChatReport): Promise<void> {
  await markHandled(ports, report.message);
  await chatReports.delete(ports.records, report);
}

/** Whether there is nothing more to do for it. */
async function lookOnce(ports: BotPorts, report: ChatReport): Promise<boolean> {
  try {
    const found = await findForChat(ports, report);
    if (found === undefined) return true;
    const research = await describeResearch(ports, found);
    if (isRunOver(research.status)) await deliverReport(ports, report, found, research);
    else await showProgress(ports, report, research).catch(passOver);
    return isRunOver(research.status);
  } catch (error) {
    const refused = requireRefusal(error);
    log.warn('a report could not be shown in its chat', { runId: report.runId, reason: refused.message });
    return countFailure(ports, report);
  }
}

/** The next look shows more. It does not count: what cannot be shown on the way may be brought in the end. */
function passOver(error: unknown): void {
  const refused = requireRefusal(error);
  log.warn('how far a report is could not be shown in its chat', { reason: refused.message });
}

/** Finds the report, and starts it first if its worker died before. Tells the requester if they may no longer read it. */
async function findForChat(ports: BotPorts, report: ChatReport): Promise<FoundResearch | undefined> {
  try {
    if (report.wanted !== null) await beginReport(ports, report, report.wanted);
    return await findResearch(ports.records, callerOfMessage(report.message), report.runId);
  } catch (error) {
    const text = refusalText(requireRefusal(error), await lastWords(ports, report.message));
    await sayOfReport(ports, report, { name: 'refused', ok: false, text });
    return undefined;
  }
}

/** Updates the message that announced the report; where that cannot be changed, sends a few more. */
async function showProgress(ports: BotPorts, report: ChatReport, research: Research): Promise<void> {
  const platform = ports.platforms[report.platform];
  const { messageId } = report.message;
  const text = progressMessage(research);
  const content = { kind: 'command' as const, command: 'research', ok: true, text };
  if (platform?.change === undefined) {
    const milestone = milestoneOf(research);
    if (milestone !== null) await sayOfReport(ports, report, { ...milestone, ok: true });
    return;
  }
  const cardId = await sendOnce(ports, report, content, { name: `${messageId} reply`, replyTo: messageId });
  if (cardId !== undefined) await platform.change(cardId, content);
}

/** Gives up after many: the report is still among the runs and the notes of the workspace. */
async function countFailure(ports: BotPorts, report: ChatReport): Promise<boolean> {
  const failures = report.failures + 1;
  await chatReports.update(ports.records, report, { set: { failures } });
  if (failures < MAX_FAILURES) return false;
  const text = `The report couldn't be sent here. Download it with GET /api/research/${report.runId}/export?format=docx.`;
  await sayOfReport(ports, report, { name: 'given up', ok: false, text }).catch((error: unknown) =>
    log.error('a report was given up without a word', { runId: report.runId, reason: String(error) }),
  );
  return true;
}
