import { Conflict, InvalidInput, type ServiceError } from '../../errors.ts';
import { requireRefusal } from '../../known-error.ts';
import { findRunToControl } from '../../runs/runs.ts';
import { isRunOver, type Run, runs } from '../../runs/schema.ts';
import { stopRun } from '../../runs/stop.ts';
import { callerOfMessage } from '../caller.ts';
import { openChat } from '../chats.ts';
import type { BotPorts } from '../ports.ts';
import { beginKept } from '../reports/look-up.ts';
import { openReports } from '../reports/save-report.ts';
import type { ChatReport, PersonMessage } from '../schema.ts';
import { requestWork } from './chat-lease.ts';

/**
 * Stops the report with that number, or all work in the chat. The messages about that work then show that it
 * was stopped.
 */
export async function stopWork(ports: BotPorts, message: PersonMessage, words: string): Promise<string> {
  const stopped = words === '' ? await stopAll(ports, message) : await stopNumbered(ports, message, words);
  if (stopped === 0) throw new InvalidInput('nothing_running', 'Nothing is in progress here.');
  return stopped === 1 ? 'Stopped.' : `Stopped ${stopped} runs.`;
}

async function stopNumbered(ports: BotPorts, message: PersonMessage, words: string): Promise<number> {
  const reports = await openReports(ports, message);
  const chosen = /^\d{1,3}$/.test(words) ? reports[Number(words) - 1] : undefined;
  if (chosen === undefined)
    throw new InvalidInput('invalid_value', 'number must be one of those that /research lists.', {
      field: 'number',
    });
  return stopReport(ports, message, chosen);
}

/** Stops all work that the person may stop. Throws if they may stop none of it. */
async function stopAll(ports: BotPorts, message: PersonMessage): Promise<number> {
  const [reports, { activeRun }] = await Promise.all([openReports(ports, message), openChat(ports, message)]);
  const answers = activeRun === null ? [] : [() => stopAnswer(ports, message, activeRun.runId)];
  let stopped = 0;
  let refusal: ServiceError | undefined;
  for (const stop of [...answers, ...reports.map((report) => () => stopReport(ports, message, report))])
    try {
      stopped += await stop();
    } catch (error) {
      refusal = requireRefusal(error);
    }
  if (stopped === 0 && refusal !== undefined) throw refusal;
  return stopped;
}

/**
 * Stops the answer. Returns the number of stopped runs: 0 if the answer has ended, hasn't started, or started
 * after the message, which may arrive late or twice.
 */
async function stopAnswer(ports: BotPorts, message: PersonMessage, runId: string): Promise<number> {
  const known = await runs.get(ports.records, { id: runId });
  if (known === undefined || known.createdAt > message.receivedAt) return 0;
  return stopKnown(ports, message, known);
}

/**
 * Stops the report, unless it was requested after the stop. Starts the run first if it hasn't started, so
 * that the process that was about to start it finds one that has ended.
 */
async function stopReport(ports: BotPorts, message: PersonMessage, report: ChatReport): Promise<number> {
  const { message: asked, runId } = report;
  if (asked.receivedAt > message.receivedAt) return 0;
  await beginKept(ports, report);
  const known = await runs.get(ports.records, { id: runId });
  return known === undefined ? 0 : stopKnown(ports, message, known);
}

async function stopKnown(ports: BotPorts, message: PersonMessage, run: Run): Promise<number> {
  if (isRunOver(run.status)) return 0;
  try {
    await stopRun(ports, await findRunToControl(ports.records, callerOfMessage(message), run.id));
  } catch (error) {
    if (error instanceof Conflict) return 0; // it has just ended
    throw error;
  }
  await requestWork(ports, run.kind !== 'agent' ? { ...message, runId: run.id } : message);
  return 1;
}
