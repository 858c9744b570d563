import { isRunOver } from '../../runs/schema.ts';
import { toFileName } from '../../text/file-name.ts';
import { exportCheck } from '../../verify/export.ts';
import { describeCheck, type FoundCheck, findCheck } from '../../verify/find-check.ts';
import type { DraftCheck } from '../../verify/request-schema.ts';
import { callerOfMessage } from '../caller.ts';
import type { BotPorts } from '../ports.ts';
import { findPlatform, sendFileOnce } from '../reply/send-reply.ts';
import { type ReportNow, sayOfReport } from '../reports/looked.ts';
import type { ChatReport } from '../schema.ts';
import { beginChatCheck } from './ask-for-check.ts';
import { checkProgressMessage, endMessage, nameOfCheck } from './messages.ts';

const MAX_NAME = 60;

/** Finds the check, or starts it if its worker died before doing so. Throws if the person may no longer read it. */
export async function lookUpCheck(ports: BotPorts, report: ChatReport): Promise<ReportNow> {
  await beginChatCheck(ports, report);
  const found = await findCheck(ports.records, callerOfMessage(report.message), report.runId);
  const check = await describeCheck(ports, found);
  return {
    title: nameOfCheck(check),
    isOver: isRunOver(check.status),
    progress: checkProgressMessage(check),
    milestone: null,
    deliver: () => deliverCheck(ports, report, found, check),
  };
}

/** Sends the verdicts as a message, and as comments in the author's own DOCX, each once. */
async function deliverCheck(
  ports: BotPorts,
  report: ChatReport,
  found: FoundCheck,
  check: DraftCheck,
): Promise<void> {
  const isDone = check.status === 'done';
  const nothing =
    check.status === 'stopped' ? 'The check was stopped.' : (check.error ?? 'The check failed.');
  const text = isDone || check.counts.checked > 0 ? endMessage(check, pageOf(ports, found)) : nothing;
  await sayOfReport(ports, report, { name: 'end', ok: isDone, text });
  if (!isDone || check.format !== 'docx') return;
  const { bytes, name: exported } = await exportCheck(ports, found, 'docx');
  if (bytes.length > findPlatform(ports, report.platform).maxFileBytes) return;
  const title = check.name.replace(/\.[^.]*$/, '');
  const extension = /\.[^.]*$/.exec(exported)?.[0] ?? '.docx'; // Word refuses macros in a .docx
  const name = `${toFileName(`${title} checked`, MAX_NAME) || 'draft'}${extension}`;
  await sendFileOnce(ports, report, { name, bytes: new Uint8Array(bytes) }, `${report.runId} file`);
}

/** Returns the URL of the check in the console; undefined if the service doesn't know its own URL. */
function pageOf({ publicUrl }: BotPorts, { run }: FoundCheck): string | undefined {
  if (publicUrl === undefined || publicUrl === '') return undefined;
  return `${publicUrl.replace(/\/$/, '')}/w/${run.workspaceId}/drafts/${run.id}`;
}
