import { exportName } from '../api-contract/export-name.ts';
import type { Extract } from './extracts/extract.ts';
import type { FORMATS } from './request-schema.ts';
import { toArchive } from './result/archive.ts';
import { toBibtex, toCslJson } from './result/csl-json.ts';
import { toDocx } from './result/docx.ts';
import { toHtml } from './result/html.ts';
import { toMarkdown } from './result/markdown.ts';
import type { Report } from './schema.ts';

export type ReportFormat = (typeof FORMATS)[number];

type Passages = ReadonlyMap<string, Extract>;

export interface ExportedReport {
  bytes: Buffer;
  contentType: string;
  /** The file name, derived from the question. */
  name: string;
}

const WRITERS: Record<
  ReportFormat,
  {
    write: (report: Report, passages: Passages) => string | Buffer | Promise<Buffer>;
    contentType: string;
    ending: string;
  }
> = {
  md: { write: (report) => toMarkdown(report), contentType: 'text/markdown; charset=utf-8', ending: 'md' },
  html: { write: toHtml, contentType: 'text/html; charset=utf-8', ending: 'html' },
  docx: {
    write: toDocx,
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ending: 'docx',
  },
  bibtex: { write: toBibtex, contentType: 'application/x-bibtex; charset=utf-8', ending: 'bib' },
  zip: { write: toArchive, contentType: 'application/zip', ending: 'zip' },
  csl: { write: toCslJson, contentType: 'application/vnd.citationstyles.csl+json', ending: 'json' },
};

/**
 * Exports a report, or its bibliography, as a file. Only the archive contains extracts, which are the passages around
 * the quotes.
 */
export async function exportReport(
  report: Report,
  format: ReportFormat,
  passages: Passages = new Map(),
): Promise<ExportedReport> {
  const { write, contentType, ending } = WRITERS[format];
  return {
    bytes: Buffer.from(await write(report, passages)),
    contentType,
    name: exportName(report.question, ending, 'report'),
  };
}
