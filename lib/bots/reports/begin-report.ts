import { callerIn } from '../../access/members.ts';
import { isMostlyChinese } from '../../notes/chinese.ts';
import { ifExpected } from '../../ports/records.ts';
import { beginResearch } from '../../research/begin.ts';
import { type Estimate, researchWish } from '../../research/request-schema.ts';
import { callerOfMessage } from '../caller.ts';
import { openChat } from '../chats.ts';
import type { BotPorts } from '../ports.ts';
import { type ChatReport, chatReports, type WantedReport } from '../schema.ts';
import { planCheck } from '../work/chat-lease.ts';
import { findWorkspaceOfChat } from '../work/directory.ts';

/**
 * Called for the message, and by a later process if the run is missing. The first call starts the run. Throws
 * if the run is refused.
 */
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

async function beginRun(
  ports: BotPorts,
  { message, runId }: ChatReport,
  wanted: WantedReport,
): Promise<Estimate> {
  const caller = callerOfMessage(message);
  const workspace = await findWorkspaceOfChat(ports, caller, await openChat(ports, message));
  const language = isMostlyChinese(wanted.question) ? 'zh-CN' : 'en';
  const body = researchWish.parse({ ...wanted, language });
  const here = callerIn(caller, workspace);
  const { estimate } = await beginResearch(ports, here, workspace, body, { id: runId });
  return estimate;
}
