import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import type { Client } from '../client.ts';
import { type Command, textOf, type Values } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { readFolderAndText } from '../folder-and-text.ts';
import { syncIfAllowed } from '../sync-progress.ts';
import { cleanLine, clearProgress, dim, print, printJson, showProgress, tellLine } from '../terminal.ts';
import { type Context, openWorkspace } from '../workspace.ts';
import { requireModel } from './ask.ts';

type Research = Schemas['Research'];

/** A stream that sends nothing this often is broken. */
const MAX_EMPTY = 20;
const FORMATS = { md: 'md', html: 'html', docx: 'docx', bib: 'bibtex', json: 'csl' } as const;

const SOURCES = ['files', 'datasets', 'papers'] as const;
const FORMAT_NAMES = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

export const research: Command = {
  name: 'research',
  usage: '[FOLDER] QUESTION',
  summary: 'write a report on a question, checked against quotes of the files',
  options: {
    depth: { type: 'string' },
    papers: { type: 'boolean' },
    language: { type: 'string' },
    out: { type: 'string', short: 'o' },
    'no-sync': { type: 'boolean' },
  },
  optionTexts: {
    depth: 'depth of the report: quick (default), standard, or deep',
    papers: 'also search scientific papers, and save them in the folder',
    language: 'language of the report, such as en (default) or zh-CN',
    out: 'file for the report; its extension sets the format (md, html, docx, bib, json)',
    'no-sync': 'use the current index without re-indexing',
  },
  completes: 'folder',
  async run({ context, words, values }) {
    const out = textOf(values, 'out');
    const format = formatOf(out);
    if (out !== undefined) await checkFolder(out);
    const { folder, text } = await readFolderAndText(words, context, 'question');
    const place = await openWorkspace(context, folder);
    await requireModel(place.client);
    if (!values['no-sync']) await syncIfAllowed(place, context);
    const body = { workspaceId: place.workspace.id, question: text, ...wishes(values) };
    const { runId } = await place.client.call((api) => api.POST('/api/research', { body }));
    const done = await follow(place.client, runId, context);
    const report = await place.client.download((api) =>
      api.GET('/api/research/{runId}/export', { params: { path: { runId }, query: { format } } }),
    );
    if (out !== undefined) await writeFile(out, report);
    if (context.isJson)
      printJson(out === undefined ? { ...done, report: report.toString() } : { ...done, out });
    else if (out === undefined) print(report.toString());
    else tellLine(out);
  },
};

function formatOf(out: string | undefined) {
  const ending = out === undefined ? 'md' : out.slice(out.lastIndexOf('.') + 1).toLowerCase();
  const name = FORMAT_NAMES.find((name) => name === ending);
  if (name === undefined)
    throw new Failure(`--out ${out} must end in one of ${FORMAT_NAMES.join(', ')}.`, {
      exit: EXIT.usage,
    });
  return FORMATS[name];
}

/** A report costs minutes and money, so a missing folder for its file is reported before it starts. */
async function checkFolder(out: string): Promise<void> {
  const folder = dirname(out);
  await access(folder, constants.W_OK).catch(() => {
    throw new Failure(
      `--out ${out} can't be written: the folder ${folder} doesn't exist or isn't writable.`,
      {
        exit: EXIT.usage,
      },
    );
  });
}

function wishes(values: Values) {
  const language = textOf(values, 'language');
  return {
    // The service refuses any other depth.
    depth: (textOf(values, 'depth') ?? 'quick') as Schemas['ResearchDepth'],
    sources: SOURCES.filter((source) => source !== 'papers' || values.papers === true),
    ...(language !== undefined && { language }),
  };
}

/** Shows its frames to their end. Leaving stops it. */
async function follow(client: Client, runId: string, context: Context): Promise<Research> {
  const params = { path: { runId } };
  try {
    await showAll(client, runId, context);
    return requireDone(await client.call((api) => api.GET('/api/research/{runId}', { params })));
  } catch (error) {
    if (context.signal.aborted)
      await client.lastCall((api) => api.POST('/api/agent/runs/{runId}/stop', { params }));
    throw error;
  } finally {
    clearProgress();
  }
}

/** A stream that ran out of the server's time is resumed. */
async function showAll(client: Client, runId: string, { isJson }: Context): Promise<void> {
  let after = 0;
  for (let empty = 0; empty <= MAX_EMPTY; empty++) {
    const stream = await client.stream((api) =>
      api.GET('/api/agent/runs/{runId}/stream', { params: { path: { runId }, query: { after } } }),
    );
    for await (const { id, part } of stream.parts) {
      [after, empty] = [Math.max(after, id), 0];
      if (!isJson && 'data' in part) showPart(part);
    }
    if (stream.end.isDone) return;
  }
  throw new Failure(`The stream of run ${runId} sends no more events. Check the report in the console.`);
}

/** Shows news on a line of its own, and progress on a line that the next one replaces. */
function showPart({ type, data }: { type: string; data?: unknown }): void {
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

const pluralize = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;

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

/** Throws unless the report is done. */
function requireDone(found: Research): Research {
  const { status, error } = found;
  if (status === 'stopped') throw new Failure('The run was stopped.', { exit: EXIT.interrupted });
  if (status !== 'done') throw new Failure(error ?? `The run is ${status}.`);
  return found;
}
