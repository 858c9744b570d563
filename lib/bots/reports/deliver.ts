import type { ChatFile } from '../../ports/chat-platform.ts';
import { exportReport } from '../../research/export.ts';
import { type FoundResearch, readReport } from '../../research/find-research.ts';
import { firstSectionText } from '../../research/first-section-text.ts';
import type { Research } from '../../research/request-schema.ts';
import type { Report } from '../../research/schema.ts';
import { toFileName } from '../../text/file-name.ts';
import type { BotPorts } from '../ports.ts';
import { findPlatform, sendFileOnce } from '../reply/send-reply.ts';
import type { ChatReport } from '../schema.ts';
import { sayOfReport } from './looked.ts';
import { countsMessage } from './messages.ts';

const MAX_NAME = 60;

/** Delivers the result, with the summary as a message, and the whole report as a file. Each is sent once. */
export async function deliverReport(
  ports: BotPorts,
  report: ChatReport,
  found: FoundResearch,
  research: Research,
): Promise<void> {
  if (research.status !== 'done') {
    const text =
      research.status === 'stopped' ? 'The report was stopped.' : (research.error ?? 'The report failed.');
    return sayOfReport(ports, report, { name: 'end', ok: false, text });
  }
  const written = await readReport(ports.records, found);
  const file = await fileOf(written);
  const fits = file.bytes.length <= findPlatform(ports, report.platform).maxFileBytes;
  const text = endWords(written, research, fits ? file.name : undefined);
  await sayOfReport(ports, report, { name: 'end', ok: true, text });
  if (fits) await sendFileOnce(ports, report, file, `${report.runId} file`);
}

async function fileOf(report: Report): Promise<ChatFile> {
  const { bytes } = await exportReport(report, 'docx');
  return { name: `${toFileName(report.title, MAX_NAME) || 'report'}.docx`, bytes: new Uint8Array(bytes) };
}

function endWords(report: Report, { ended, runId }: Research, fileName: string | undefined): string {
  const where =
    fileName === undefined
      ? `The report is too large to send as a file here. Download it with GET /api/research/${runId}/export?format=docx.`
      : `The report is in the file ${fileName} and in a note of the workspace.`;
  return [
    `**${report.title}**`,
    firstSectionText(report),
    `${countsMessage(report.counts)}.${ended === null ? '' : ` The report ${ended}.`}`,
    where,
  ].join('\n\n');
}
