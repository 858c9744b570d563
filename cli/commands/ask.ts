import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addCitation, type Citation } from '../../lib/api-contract/citation.ts';
import type { StreamPart } from '../../lib/api-contract/stream-part.ts';
import { printSources } from '../citations.ts';
import type { Client } from '../client.ts';
import type { Command } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { readFolderAndText } from '../folder-and-text.ts';
import { withTranslation } from '../message-of-code.ts';
import {
  JUDGE_OPTIONS,
  JUDGE_TEXTS,
  MODEL_OPTIONS,
  MODEL_TEXTS,
  readJudge,
  readModel,
} from '../model-choice.ts';
import { configFolder } from '../places.ts';
import { refusalTexts } from '../refusal-texts.ts';
import { readScope, SCOPE_OPTIONS, SCOPE_TEXTS } from '../scope.ts';
import { syncIfAllowed } from '../sync-progress.ts';
import { cleanLine, dim, print, printJson, printLine, tellLine } from '../terminal.ts';
import { type Context, openWorkspace, type Place } from '../workspace.ts';

export const ask: Command = {
  name: 'ask',
  usage: '[FOLDER] QUESTION',
  summary: 'answer a question from the files of a folder, with sources',
  uses: 'workspace',
  options: {
    ...MODEL_OPTIONS,
    ...JUDGE_OPTIONS,
    ...SCOPE_OPTIONS,
    'no-sync': { type: 'boolean' },
    keep: { type: 'boolean' },
  },
  optionTexts: {
    ...MODEL_TEXTS,
    ...JUDGE_TEXTS,
    ...SCOPE_TEXTS,
    'no-sync': 'use the current index without re-indexing',
    keep: 'save the question and its answer in your conversations',
  },
  completes: 'folder',
  async run({ context, words, values }) {
    const { folder, text } = await readFolderAndText(words, context, 'question');
    const place = await openWorkspace(context, folder);
    await requireModel(place);
    const paths = await readScope(values, place, folder);
    if (!values['no-sync']) await syncIfAllowed(place, context);
    const messages = [{ role: 'user' as const, content: text }];
    const id = randomUUID();
    const asked = { isOver: false, isKept: values.keep === true };
    context.whenDone(() => clearUp(place.client, id, asked, context.signal));
    const body = {
      id,
      workspaceId: place.workspace.id,
      messages,
      ...(paths && { paths }),
      ...readModel(values),
      ...readJudge(values),
    };
    const { parts, end } = await place.client.stream((api) => api.POST('/api/chat', { body }));
    const answer: Answer = { text: '', citations: [], notices: [], metadata: null };
    try {
      for await (const { part } of parts) takePart(answer, part, context);
      if (answer.failure !== undefined) throw failed(answer.failure);
      if (!end.isDone) throw new Failure('The answer was cut off. Ask again.');
    } finally {
      endLine(answer);
    }
    asked.isOver = true;
    finish(answer, place, context, asked.isKept ? id : undefined);
  },
};

/**
 * Maximum attempts, because a request that Ctrl-C interrupted may reach its conversation only after the stop.
 */
const STOP_TRIES = 8;
const STOP_EVERY_MS = 250;

/**
 * Stops the answer. An answer with an ID continues without its client if the service doesn't notice that the client has
 * left (on AWS). Deletes one-off questions from the list of conversations.
 */
async function clearUp(
  client: Client,
  id: string,
  { isOver, isKept }: { isOver: boolean; isKept: boolean },
  { aborted }: AbortSignal,
): Promise<void> {
  const params = { path: { conversationId: id } };
  for (let tries = 0; !isOver && tries < (aborted ? STOP_TRIES : 1); tries += 1) {
    if (await client.lastCall((api) => api.POST('/api/chat/{conversationId}/stop', { params }))) break;
    await sleep(STOP_EVERY_MS);
  }
  if (!isKept) await client.lastCall((api) => api.DELETE('/api/conversations/{conversationId}', { params }));
}

/** The notice that lib/conversations stores with a truncated answer. With an `ending`, no error follows. */
const CUT = 'answer-cut';

interface Answer {
  text: string;
  citations: Citation[];
  notices: { code: string; text: string; ending?: string }[];
  metadata: unknown;
  /** The service's message; its code follows in the next part. */
  failure?: string;
  /** True if the last printed line is incomplete. */
  isLineOpen?: boolean;
}

/**
 * Throws Failure without a model. Call this before a long sync, not after it. A permanent service has a console for
 * connecting a model; one started by wrs ends with the command.
 */
export async function requireModel({ client, service }: Pick<Place, 'client' | 'service'>): Promise<void> {
  const { aiAvailable } = await client.call((api) => api.GET('/api/health'));
  if (aiAvailable) return;
  const { noModel, noModelThere } = refusalTexts();
  const text = service.kind === 'own' ? noModel(configFolder()) : noModelThere(service.url);
  throw new Failure(text, { exit: EXIT.noModel });
}

function takePart(answer: Answer, part: StreamPart, { isJson }: Context): void {
  if (part.type === 'text-delta') {
    answer.text += part.delta;
    if (!isJson) print(part.delta);
    if (part.delta !== '') answer.isLineOpen = !isJson && !part.delta.endsWith('\n');
  }
  if ('data' in part) takeData(answer, part, isJson);
  if (part.type === 'finish') answer.metadata = part.messageMetadata ?? null;
  if (part.type === 'error') answer.failure = part.errorText;
}

/** Starts a new line for output after the text, such as a notice or the reason for its end. */
function endLine(answer: Answer): void {
  if (answer.isLineOpen) printLine('');
  answer.isLineOpen = false;
}

function failed(said = '', code: string | null = null): Failure {
  return new Failure(withTranslation(code, said));
}

function takeData(answer: Answer, { type, data }: { type: string; data: unknown }, isJson: boolean): void {
  if (type === 'data-error') throw failed(answer.failure, (data as { code: string }).code);
  // Already printed, so only the answer itself omits the reasoning.
  if (type === 'data-thought') answer.text = '';
  answer.citations = addCitation(answer.citations, { type, data });
  if (type !== 'data-notice') return;
  const notice = data as Answer['notices'][number];
  answer.notices.push(notice);
  // A truncated answer ends with its error, which has the same reason.
  if (isJson || (notice.code === CUT && notice.ending === undefined)) return;
  endLine(answer);
  tellLine(dim(cleanLine(notice.text)));
}

function finish(answer: Answer, place: Place, { isJson }: Context, conversationId?: string): void {
  const { text, citations, notices, metadata } = answer;
  if (isJson) {
    const ids = { workspaceId: place.workspace.id, ...(conversationId && { conversationId }) };
    printJson({ ...ids, answer: text, citations, notices, metadata });
    return;
  }
  printLine('');
  printSources(citations, (metadata as { passages?: unknown[] } | null)?.passages !== undefined, place);
}
