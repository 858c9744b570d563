import type { Schemas } from '../../lib/api-contract/schema.ts';
import type { StreamPart } from '../../lib/api-contract/stream-part.ts';
import { ALSO_OPTIONS, ALSO_TEXTS, readAsked } from '../also.ts';
import { type Command, textOf, type Values } from '../command.ts';
import { readFolderAndText } from '../folder-and-text.ts';
import { checkOutFolder, followRun, handOut, outFormat, requireDone } from '../follow-run.ts';
import { syncIfAllowed } from '../sync-progress.ts';
import { cleanLine, dim, pluralize, showProgress, tellLine } from '../terminal.ts';
import { openWorkspace } from '../workspace.ts';
import { requireModel } from './ask.ts';

type Research = Schemas['Research'];

const FORMATS = {
  md: 'md',
  html: 'html',
  docx: 'docx',
  bib: 'bibtex',
  json: 'csl',
  zip: 'zip',
} as const;
type Format = (typeof FORMATS)[keyof typeof FORMATS];

const SOURCES = ['files', 'datasets', 'papers'] as const;

export const research: Command = {
  name: 'research',
  usage: '[FOLDER] QUESTION',
  summary: 'write a report on a question, checked against quotes of the files',
  uses: 'workspace',
  options: {
    depth: { type: 'string' },
    papers: { type: 'boolean' },
    language: { type: 'string' },
    ...ALSO_OPTIONS,
    out: { type: 'string', short: 'o' },
    'no-sync': { type: 'boolean' },
  },
  optionTexts: {
    depth: 'depth of the report: quick (default), standard, or deep',
    papers: 'also search scientific papers, and save them in the folder',
    language: 'language of the report, such as en (default) or zh-CN',
    ...ALSO_TEXTS,
    out: 'file for the report; its extension sets the format (md, html, docx, bib, json, or zip with the passages around its quotes)',
    'no-sync': 'use the current index without re-indexing',
  },
  completes: 'folder',
  async run({ context, words, values }) {
    const out = textOf(values, 'out');
    const format = outFormat<Format>(out, FORMATS, 'md');
    if (out !== undefined) await checkOutFolder(out);
    const { folder, text } = await readFolderAndText(words, context, 'question');
    const place = await openWorkspace(context, folder);
    await requireModel(place);
    if (!values['no-sync']) await syncIfAllowed(place, context);
    const body = { ...(await readAsked(place, values)), question: text, ...wishes(values) };
    const { runId } = await place.client.call((api) => api.POST('/api/research', { body }));
    await followRun(place.client, runId, context, { showPart, about: 'report' });
    const done = requireDone(
      await place.client.call((api) => api.GET('/api/research/{runId}', { params: { path: { runId } } })),
    );
    const report = await place.client.download((api) =>
      api.GET('/api/research/{runId}/export', { params: { path: { runId }, query: { format } } }),
    );
    await handOut(context, out, { file: report, done, whole: { ...done, report: report.toString() } });
  },
};

function wishes(values: Values) {
  const language = textOf(values, 'language');
  return {
    // The service rejects any other depth.
    depth: (textOf(values, 'depth') ?? 'quick') as Schemas['ResearchDepth'],
    sources: SOURCES.filter((source) => source !== 'papers' || values.papers === true),
    ...(language !== undefined && { language }),
  };
}

/** Shows new results on separate lines, and progress on a line that the next one replaces. */
function showPart(part: StreamPart): void {
  if (!('data' in part)) return;
  const { type, data } = part;
  if (type === 'data-progress') showProgress(progressLine(data as ProgressData));
  const line = lineOf(type, data);
  if (line !== undefined) tellLine(dim(cleanLine(line)));
}

interface ProgressData {
  phase: string;
  done: number;
  total: number;
  calls: number;
  costUsd: number | null;
}

function progressLine({ phase, done, total, calls, costUsd }: ProgressData): string {
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(4)}`;
  return `${phase} ${done}/${total} (${pluralize(calls, 'call')}${cost})`;
}

function lineOf(type: string, data: unknown): string | undefined {
  const { plan, evidence, section, counts, report } = data as Partial<Shown>;
  if (type === 'data-plan' && plan) return `plan: ${pluralize(plan.questions.length, 'question')}`;
  if (type === 'data-evidence' && evidence) return `evidence: ${pluralize(evidence.length, 'quote')}`;
  if (type === 'data-section' && section) return `section: ${section.heading}`;
  if (type === 'data-check' && counts) return `  ${countsLine(counts)}`;
  return type === 'data-report' && report ? `report: ${countsLine(report.counts)}` : undefined;
}

interface Shown extends Pick<Research, 'evidence' | 'counts'> {
  plan: Schemas['ResearchPlan'];
  section: Schemas['ResearchSection'];
  report: Pick<Research, 'counts'>;
}

function countsLine({ sentences, supported, marked, dropped }: Schemas['ResearchCounts']): string {
  return `${pluralize(sentences, 'sentence')}: ${supported} supported, ${marked} flagged, ${dropped} dropped`;
}
