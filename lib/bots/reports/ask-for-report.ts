import { InvalidInput } from '../../errors.ts';
import { requireRefusal } from '../../known-error.ts';
import { depthSchema, MAX_QUESTION } from '../../research/request-schema.ts';
import { runs } from '../../runs/schema.ts';
import type { BotPorts } from '../ports.ts';
import { lastWords, refusalText } from '../reply/refusal-text.ts';
import type { ChatReport, PersonMessage, WantedReport } from '../schema.ts';
import { beginReport } from './begin-report.ts';
import { lookUp } from './look-up.ts';
import { startMessage } from './messages.ts';
import { askFor, openReports } from './save-report.ts';

const USAGE = `**/research** [quick | standard | deep] question: I search the files of the workspace, write a report whose sentences are checked against quotes, and send it as a file. It runs in the background. The default is quick.`;

/** Starts a report or, without a question, explains the command and lists running reports. Idempotent. */
export async function askForReport(ports: BotPorts, message: PersonMessage, words: string): Promise<string> {
  const { depth, question } = readWords(words);
  if (question === '') return `${USAGE}\n\n${await listReports(ports, message)}`;
  if (question.length > MAX_QUESTION)
    throw new InvalidInput('invalid_value', `question can have at most ${MAX_QUESTION} characters.`, {
      field: 'question',
    });
  const wanted = { depth, question };
  return askFor(ports, message, { wanted }, async (report) =>
    startMessage(depth, await beginReport(ports, report, wanted)),
  );
}

function readWords(words: string): WantedReport {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(words) ?? [];
  const { data: depth } = depthSchema.safeParse(first.toLowerCase());
  return depth === undefined ? { depth: 'quick', question: words.trim() } : { depth, question: rest.trim() };
}

/** Returns the reports and checks in progress, with the numbers that `/stop` accepts. */
async function listReports(ports: BotPorts, message: PersonMessage): Promise<string> {
  const reports = await openReports(ports, message);
  const lines = await Promise.all(reports.map((report) => describeReport(ports, message, report)));
  const list = lines.map((line, at) => `${at + 1}. ${line}`).join('\n');
  return list === '' ? 'No reports are in progress here.' : list;
}

async function describeReport(ports: BotPorts, message: PersonMessage, report: ChatReport): Promise<string> {
  const run = await runs.get(ports.records, { id: report.runId });
  if (run === undefined) return 'Starting.';
  try {
    const { title, progress } = await lookUp(ports, { ...report, message });
    return `${title}\n${progress}`;
  } catch (error) {
    // Another user's; the rest is still shown.
    return refusalText(requireRefusal(error), await lastWords(ports, message));
  }
}
