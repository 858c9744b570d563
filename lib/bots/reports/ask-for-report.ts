import { callerIn } from '../../access/members.ts';
import { KEEP_RUN_SECONDS, runs } from '../../agent/schema.ts';
import { Conflict, InvalidInput } from '../../errors.ts';
import { newId } from '../../identifiers.ts';
import { requireRefusal } from '../../known-error.ts';
import { isMostlyChinese } from '../../notes/chinese.ts';
import { expiryAfter } from '../../ports/clock.ts';
import { ifExpected } from '../../ports/records.ts';
import { beginResearch } from '../../research/begin.ts';
import { describeResearch, findResearch } from '../../research/find-research.ts';
import { depthSchema, type Estimate, MAX_QUESTION, researchBody } from '../../research/request-schema.ts';
import { callerOfMessage } from '../caller.ts';
import { openChat } from '../chats.ts';
import type { BotPorts } from '../ports.ts';
import { lastWords, refusalText } from '../reply/refusal-text.ts';
import {
  type ChatId,
  type ChatReport,
  chatReports,
  type PersonMessage,
  reportsOf,
  type WantedReport,
} from '../schema.ts';
import { planCheck } from '../work/chat-lease.ts';
import { findWorkspaceOfChat } from '../work/directory.ts';
import { progressMessage, startMessage } from './messages.ts';

/** Each costs many model calls. */
const MAX_REPORTS = 3;

const USAGE = `**/research** [quick | standard | deep] question: I search the files of the workspace, write a report whose sentences are checked against quotes, and send it as a file. It runs in the background. The default is quick.`;

/** Starts a report or, without a question, explains the command and lists running reports. Idempotent. */
export async function askForReport(ports: BotPorts, message: PersonMessage, words: string): Promise<string> {
  const { depth, question } = readWords(words);
  if (question === '') return listReports(ports, message);
  if (question.length > MAX_QUESTION)
    throw new InvalidInput('invalid_value', `question can have at most ${MAX_QUESTION} characters.`, {
      field: 'question',
    });
  const report = await saveReport(ports, message, { depth, question });
  try {
    return startMessage(depth, await beginReport(ports, report, { depth, question }));
  } catch (error) {
    requireRefusal(error);
    await chatReports.delete(ports.records, report);
    throw error;
  }
}

/** Called for the message, and by a later process if the run is missing: the first one starts it. Throws what refuses it. */
export async function beginReport(
  ports: BotPorts,
  report: ChatReport,
  wanted: WantedReport,
): Promise<Estimate> {
  const estimate = await beginRun(ports, report, wanted);
  await planCheck(ports, report);
  await ifExpected(chatReports.update(ports.records, report, { set: { wanted: null } }));
  return estimate;
}

/**
 * Keeps the report before its run begins, so that a repeated message begins no second one, and after its look was
 * planned, so that the tick looks after it whatever becomes of this worker. Throws Conflict.
 */
async function saveReport(
  ports: BotPorts,
  message: PersonMessage,
  wanted: WantedReport,
): Promise<ChatReport> {
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
  const report = { platform, chatId, runId: newId(), message, wanted, failures: 0, expiresAt };
  await planCheck(ports, report);
  await chatReports.create(ports.records, report);
  return report;
}

async function beginRun(
  ports: BotPorts,
  { message, runId }: ChatReport,
  wanted: WantedReport,
): Promise<Estimate> {
  const caller = callerOfMessage(message);
  const workspace = await findWorkspaceOfChat(ports, caller, await openChat(ports, message));
  const language = isMostlyChinese(wanted.question) ? 'zh-CN' : 'en';
  const body = requestBody.parse({ ...wanted, language });
  const here = callerIn(caller, workspace);
  const { estimate } = await beginResearch(ports, here, workspace, body, { id: runId });
  return estimate;
}

const requestBody = researchBody.omit({ workspaceId: true });

function readWords(words: string): WantedReport {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(words) ?? [];
  const { data: depth } = depthSchema.safeParse(first.toLowerCase());
  return depth === undefined ? { depth: 'quick', question: words.trim() } : { depth, question: rest.trim() };
}

/** The reports that the chat waits for, the oldest first. */
export function openReports({ records }: Pick<BotPorts, 'records'>, chat: ChatId): Promise<ChatReport[]> {
  return Array.fromAsync(chatReports.all(records, reportsOf(chat)));
}

async function listReports(ports: BotPorts, message: PersonMessage): Promise<string> {
  const reports = await openReports(ports, message);
  const lines = await Promise.all(reports.map(({ runId }) => describeReport(ports, message, runId)));
  const list = lines.map((line, at) => `${at + 1}. ${line}`).join('\n');
  return `${USAGE}\n\n${list === '' ? 'No reports are in progress here.' : list}`;
}

async function describeReport(ports: BotPorts, message: PersonMessage, runId: string): Promise<string> {
  const run = await runs.get(ports.records, { id: runId });
  if (run === undefined) return 'Starting.';
  try {
    const found = await findResearch(ports.records, callerOfMessage(message), runId);
    return `${found.study.question}\n${progressMessage(await describeResearch(ports, found))}`;
  } catch (error) {
    return refusalText(requireRefusal(error), await lastWords(ports, message)); // another's, who may see more: the rest is shown all the same
  }
}
