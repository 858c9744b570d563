import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { sayReferenceCounts } from '../../lib/api-contract/reference-words.ts';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import type { StreamPart } from '../../lib/api-contract/stream-part.ts';
import { POSSIBLE_ERRORS, SUPPORT_WORDS, sayEnded } from '../../lib/api-contract/support-words.ts';
import { ALSO_OPTIONS, ALSO_TEXTS, readAsked } from '../also.ts';
import { type Command, textOf } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { readFolderAndText } from '../folder-and-text.ts';
import { checkOutFolder, followRun, handOut, outFormat, requireDone } from '../follow-run.ts';
import { withTranslation } from '../message-of-code.ts';
import { JUDGE_OPTIONS, JUDGE_TEXTS, readJudge } from '../model-choice.ts';
import { syncIfAllowed } from '../sync-progress.ts';
import { pluralize, printLine, showProgress } from '../terminal.ts';
import { openWorkspace } from '../workspace.ts';
import { requireModel } from './ask.ts';

type DraftCheck = Schemas['DraftCheck'];

const FORMATS = { md: 'md', docx: 'docx', json: 'json' } as const;
/** The service's limit for a draft, in bytes. */
const MAX_BYTES = 4_500_000;

export const verify: Command = {
  name: 'verify',
  usage: '[FOLDER] DRAFT',
  summary: 'check the claims of a draft against quotes of the files',
  uses: 'workspace',
  options: {
    ...JUDGE_OPTIONS,
    references: { type: 'boolean' },
    ...ALSO_OPTIONS,
    out: { type: 'string', short: 'o' },
    'no-sync': { type: 'boolean' },
  },
  optionTexts: {
    ...JUDGE_TEXTS,
    references: 'look up the reference list at OpenAlex, Crossref, Semantic Scholar, and arXiv',
    ...ALSO_TEXTS,
    out: 'file for the result; its extension sets the format (md, json, or docx: comments in a DOCX draft)',
    'no-sync': 'use the current index without re-indexing',
  },
  completes: 'folder',
  async run({ context, words, values }) {
    const out = textOf(values, 'out');
    const format = outFormat<'md' | 'docx' | 'json'>(out, FORMATS, 'md');
    if (out !== undefined) await checkOutFolder(out);
    const { folder, text: draft } = await readFolderAndText(words, context, 'draft');
    if (format === 'docx' && !/\.docx$/i.test(draft))
      throw new Failure(`--out ${out} can be a DOCX file only for a DOCX draft.`, { exit: EXIT.usage });
    const attachment = await readDraftFile(draft);
    const { client, workspace, ...place } = await openWorkspace(context, folder);
    const judge = readJudge(values);
    if (judge.judge) await requireModel({ client, ...place });
    if (!values['no-sync']) await syncIfAllowed({ client, workspace, ...place }, context);
    const references = values.references === true;
    const body = { ...(await readAsked({ client, workspace }, values)), attachment, references, ...judge };
    const { runId } = await client.call((api) => api.POST('/api/verify', { body }));
    await followRun(client, runId, context, { showPart, about: 'draft' });
    const params = { path: { runId } };
    const found = await client.call((api) => api.GET('/api/verify/{runId}', { params }));
    const done = requireDone(found, extentLine(found.counts));
    const file = await client.download((api) =>
      api.GET('/api/verify/{runId}/export', { params: { ...params, query: { format } } }),
    );
    await handOut(context, out, { file, done });
    if (!context.isJson) printLine(countsLine(done.counts));
    if (!context.isJson && done.references) printLine(referencesLine(done.references));
    requireJudged(done);
  },
};

/** Reads a draft, which is uploaded, so it can be outside the folder. */
async function readDraftFile(path: string) {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`The draft ${path} can't be read (${error.code}).`, { exit: EXIT.usage });
  });
  if (bytes.length > MAX_BYTES)
    throw new Failure(`The draft ${path} is larger than the limit of ${MAX_BYTES / 1e6} MB.`, {
      exit: EXIT.usage,
    });
  return { url: `data:;base64,${bytes.toString('base64')}`, filename: basename(path) };
}

/** Shows the progress on a line that the next one replaces. */
function showPart(part: StreamPart): void {
  if (!('data' in part)) return;
  const { type, data } = part;
  if (type === 'data-progress') showProgress(progressLine(data as ProgressData));
}

interface ProgressData {
  done: number;
  total: number;
  calls: number;
}

function progressLine({ done, total, calls }: ProgressData): string {
  return `check ${done}/${total}${calls === 0 ? '' : ` (${pluralize(calls, 'call')})`}`;
}

function extentLine({ checked, claims }: Pick<DraftCheck['counts'], 'checked' | 'claims'>): string {
  return `${checked} of ${pluralize(claims, 'claim')} checked.`;
}

/** Throws Failure unless the draft was judged. The result was already printed or saved. */
function requireJudged({ judgeError, ended }: Pick<DraftCheck, 'judgeError' | 'ended'>): void {
  const exit = EXIT.unjudged;
  if (judgeError != null) {
    const { code, message, sentences } = judgeError;
    const said = withTranslation(code, message);
    throw new Failure(`The model failed to judge ${pluralize(sentences, 'sentence')}. ${said}`, {
      exit,
      code,
    });
  }
  if (ended != null) throw new Failure(`${sayEnded(ended)} Code checked the other claims.`, { exit });
}

function referencesLine(references: NonNullable<DraftCheck['references']>): string {
  const all = pluralize(references.length, 'reference');
  return [all, sayReferenceCounts(references)].filter(Boolean).join(' · ');
}

type Counts = Pick<
  DraftCheck['counts'],
  | 'claims'
  | 'checked'
  | 'supported'
  | 'partial'
  | 'contradicted'
  | 'not_found'
  | 'unjudged'
  | 'possible_errors'
  | 'listed'
>;

function countsLine({
  claims,
  checked,
  supported,
  partial,
  unjudged,
  contradicted,
  not_found: notFound = 0,
  possible_errors: errors,
  listed,
}: Counts): string {
  const words = SUPPORT_WORDS.en;
  const counts = [
    `${POSSIBLE_ERRORS.en}: ${errors}`,
    ...[`${words.contradicted}: ${contradicted}`, `${words.none}: ${partial - unjudged + notFound}`],
    ...[`${words.unjudged}: ${unjudged}`, `${words.full}: ${supported}`],
    ...(listed > 0 ? [`Skipped as a list of sources: ${pluralize(listed, 'sentence')}`] : []),
  ];
  const all = pluralize(claims, 'claim');
  return `${checked < claims ? `${checked} of ${all} checked` : all} · ${counts.join(' · ')}`;
}
