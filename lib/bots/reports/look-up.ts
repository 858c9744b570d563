import { describeResearch, findResearch } from '../../research/find-research.ts';
import { isRunOver } from '../../runs/schema.ts';
import { callerOfMessage } from '../caller.ts';
import { beginChatCheck } from '../checks/ask-for-check.ts';
import { lookUpCheck } from '../checks/look-up-check.ts';
import type { BotPorts } from '../ports.ts';
import type { ChatReport } from '../schema.ts';
import { beginReport } from './begin-report.ts';
import { deliverReport } from './deliver.ts';
import type { ReportNow } from './looked.ts';
import { milestoneOf, progressMessage } from './messages.ts';

/** Starts the report's run unless it has already started. Throws if the run is refused. */
export async function beginKept(ports: BotPorts, report: ChatReport): Promise<void> {
  if (report.check !== null) await beginChatCheck(ports, report);
  else if (report.wanted !== null) await beginReport(ports, report, report.wanted);
}

/** Finds the report or check, or starts it if its worker died before doing so. Throws if the run is refused. */
export async function lookUp(ports: BotPorts, report: ChatReport): Promise<ReportNow> {
  if (report.check !== null) return lookUpCheck(ports, report);
  await beginKept(ports, report);
  const found = await findResearch(ports.records, callerOfMessage(report.message), report.runId);
  const research = await describeResearch(ports, found);
  return {
    title: found.study.question,
    isOver: isRunOver(research.status),
    progress: progressMessage(research),
    milestone: milestoneOf(research),
    deliver: () => deliverReport(ports, report, found, research),
  };
}
