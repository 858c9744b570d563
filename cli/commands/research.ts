import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Research } from '../../lib/research/request-schema.ts';
import type { Client } from '../client.ts';
import { type Command, textOf, type Values } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { readFolderAndText } from '../folder-and-text.ts';
import { syncIndex } from '../sync-progress.ts';
import { dim, print, printJson, tellLine } from '../terminal.ts';
import { type Context, openWorkspace } from '../workspace.ts';
import { requireModel } from './ask.ts';

const LOOK_EVERY_MS = 500;
const FORMATS: Record<string, string> = { md: 'md', html: 'html', docx: 'docx', bib: 'bibtex', json: 'csl' };

export const research: Command = {
  name: 'research',
  usage: '[FOLDER] QUESTION',
  is: 'a report on a question, each sentence checked against quotes of the files',
  options: {
    depth: { type: 'string' },
    papers: { type: 'boolean' },
    language: { type: 'string' },
    out: { type: 'string', short: 'o' },
    'no-sync': { type: 'boolean' },
  },
  optionTexts: {
    depth: 'quick (default), standard or deep',
    papers: 'search scientific papers, too, and keep them in the folder',
    language: 'of the report, as en (default) or zh-CN',
    out: 'a file for the report: its ending says the form (md, html, docx, bib, json)',
    'no-sync': 'search the index as it is',
  },
  completes: 'folder',
  async run({ context, words, values }) {
    const out = textOf(values, 'out');
    const format = formatOf(out);
    if (out !== undefined) await checkFolder(out);
    const { folder, text } = await readFolderAndText(words, context, 'question');
    const place = await openWorkspace(context, folder);
    await requireModel(place.client);
    if (!values['no-sync']) await syncIndex(place, context);
    const body = { workspaceId: place.workspace.id, question: text, ...wishes(values) };
    const { runId } = await place.client.call<{ runId: string }>('POST', '/api/research', body);
    const done = await follow(place.client, runId, context);
    const report = await place.client.download(`/api/research/${runId}/export?format=${format}`);
    if (out !== undefined) await writeFile(out, report);
    if (context.isJson)
      printJson(out === undefined ? { ...done, report: report.toString() } : { ...done, out });
    else if (out === undefined) print(report.toString());
    else tellLine(out);
  },
};

function formatOf(out: string | undefined): string {
  const ending = out === undefined ? 'md' : out.slice(out.lastIndexOf('.') + 1).toLowerCase();
  const format = FORMATS[ending];
  if (format === undefined)
    throw new Failure(`--out ${out}: ends in none of ${Object.keys(FORMATS).join(', ')}`, {
      exit: EXIT.usage,
    });
  return format;
}

/** A report costs minutes and money: that its file has no place is said before it is begun. */
async function checkFolder(out: string): Promise<void> {
  const folder = dirname(out);
  await access(folder, constants.W_OK).catch(() => {
    throw new Failure(`--out ${out}: the folder ${folder} is missing, or nothing can be written there`, {
      exit: EXIT.usage,
    });
  });
}

function wishes(values: Values) {
  const language = textOf(values, 'language');
  return {
    depth: textOf(values, 'depth') ?? 'quick',
    sources: ['files', 'datasets', ...(values.papers === true ? ['papers'] : [])],
    ...(language !== undefined && { language }),
  };
}

/** To its end, telling what is new. Who leaves stops it. */
async function follow(client: Client, runId: string, context: Context): Promise<Research> {
  let told = '';
  try {
    for (;;) {
      const found = await client.call<Research>('GET', `/api/research/${runId}`);
      const progress = progressOf(found);
      if (progress !== told && !context.isJson) tellLine(dim(progress));
      told = progress;
      if (isDone(found)) return found;
      await sleep(LOOK_EVERY_MS, undefined, { signal: context.signal });
    }
  } catch (error) {
    if (context.signal.aborted) await client.lastCall('POST', `/api/agent/runs/${runId}/stop`);
    throw error;
  }
}

/** Throws for one that ended without a report. */
function isDone({ status, error }: Research): boolean {
  if (status === 'failed') throw new Failure(error ?? 'the run failed');
  if (status === 'stopped') throw new Failure('the run was stopped', { exit: EXIT.interrupted });
  return status === 'done';
}

function progressOf({ plan, evidence, sections, counts, calls, costUsd }: Research): string {
  if (plan === null) return 'planning';
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(4)}`;
  const { sentences, supported, marked, dropped } = counts;
  return `${plan.questions.length} questions, ${evidence.length} quotes, ${sections.length} sections; ${sentences} sentences: ${supported} supported, ${marked} marked, ${dropped} dropped (${calls} calls${cost})`;
}
