import { exportName } from '../api-contract/export-name.ts';
import type { FORMATS } from './request-schema.ts';
import { toBibtex, toCslJson } from './result/csl-json.ts';
import { toDocx } from './result/docx.ts';
import { toHtml } from './result/html.ts';
import { toMarkdown } from './result/markdown.ts';
import type { Report } from './schema.ts';

/** Without the proof, which is made from what the run stored. */
export type ReportFormat = Exclude<(typeof FORMATS)[number], 'ro-crate'>;

export interface ExportedReport {
  bytes: Buffer;
  contentType: string;
  /** The file name, after the question. */
  name: string;
}

const WRITERS: Record<
  ReportFormat,
  { write: (report: Report) => string | Promise<Buffer>; contentType: string; ending: string }
> = {
  md: { write: toMarkdown, contentType: 'text/markdown; charset=utf-8', ending: 'md' },
  html: { write: toHtml, contentType: 'text/html; charset=utf-8', ending: 'html' },
  docx: {
    write: toDocx,
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ending: 'docx',
  },
  bibtex: { write: toBibtex, contentType: 'application/x-bibtex; charset=utf-8', ending: 'bib' },
  csl: { write: toCslJson, contentType: 'application/vnd.citationstyles.csl+json', ending: 'json' },
};

/** Exports a report, or its bibliography, as a file. */
export async function exportReport(report: Report, format: ReportFormat): Promise<ExportedReport> {
  const { write, contentType, ending } = WRITERS[format];
  return {
    bytes: Buffer.from(await write(report)),
    contentType,
    name: exportName(report.question, ending, 'report'),
  };
}
