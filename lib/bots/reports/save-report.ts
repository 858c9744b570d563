import { Conflict } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import { requireRefusal } from '../../known-error.ts';
import { expiryAfter } from '../../ports/clock.ts';
import { KEEP_RUN_SECONDS } from '../../runs/schema.ts';
import type { BotPorts } from '../ports.ts';
import { type ChatId, type ChatReport, chatReports, type PersonMessage, reportsOf } from '../schema.ts';
import { planCheck } from '../work/chat-lease.ts';

/** The maximum number of reports and checks per chat. Each costs many model calls or many searches. */
const MAX_REPORTS = 3;

type Asked = Partial<Pick<ChatReport, 'wanted' | 'check'>>;

/** Saves the request, then starts it. If it's refused, the saved request is removed. Idempotent. */
export async function askFor(
  ports: BotPorts,
  message: PersonMessage,
  asked: Asked,
  begin: (report: ChatReport) => Promise<string>,
): Promise<string> {
  const report = await saveReport(ports, message, asked);
  try {
    return await begin(report);
  } catch (error) {
    requireRefusal(error);
    await chatReports.delete(ports.records, report);
    throw error;
  }
}

/**
 * Saves the report before its run starts, so that a repeated message doesn't start a second run, and after
 * its look was scheduled, so that the scheduler tick checks on the report even if this worker dies. Throws
 * Conflict.
 */
async function saveReport(ports: BotPorts, message: PersonMessage, asked: Asked): Promise<ChatReport> {
  const { platform, chatId, messageId } = message;
  const open = await openReports(ports, message);
  const known = open.find((report) => report.message.messageId === messageId);
  if (known !== undefined) return known;
  if (open.length >= MAX_REPORTS)
    throw new Conflict(
      'too_many_reports',
      `${MAX_REPORTS} reports are already in progress here. Wait for one, or stop one with /stop.`,
    );
  const expiresAt = expiryAfter(ports.clock, KEEP_RUN_SECONDS);
  const id = { platform, chatId, runId: newId() };
  const report = { ...id, message, wanted: null, check: null, ...asked, failures: 0, expiresAt };
  await planCheck(ports, report);
  await chatReports.create(ports.records, report);
  return report;
}

/** Returns the reports and checks that the chat waits for, oldest first. */
export function openReports({ records }: Pick<BotPorts, 'records'>, chat: ChatId): Promise<ChatReport[]> {
  return Array.fromAsync(chatReports.all(records, reportsOf(chat)));
}
