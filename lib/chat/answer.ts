import { LOCAL } from '../access/caller.ts';
import { oneLine, recordActivity } from '../activity/record.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';
import { attachmentNotices } from '../conversations/attachments/show.ts';
import { newId } from '../identifiers.ts';
import { findSkippedFiles } from '../indexing/find-skipped-files.ts';
import { readIndexStatus } from '../indexing/read-index-state.ts';
import { isRunning } from '../indexing/schema.ts';
import { type FactReaders, findKnownFacts, type UsedFacts } from '../memories/prompt-facts.ts';
import type { Clock } from '../ports/clock.ts';
import type { LanguageModel, ModelEvent, ModelRequest, Usage } from '../ports/language-model.ts';
import type { Objects } from '../ports/objects.ts';
import type { Passage } from '../ports/vectors.ts';
import { citeAnswer } from '../retrieval/cite/cite-answer.ts';
import { OfferedPassages } from '../retrieval/cite/offered-passages.ts';
import type { SearchFilter } from '../retrieval/filter/filter-schema.ts';
import { numberByFirstUse, type UsedNumbers } from '../retrieval/markers/number-by-first-use.ts';
import { isNear } from '../retrieval/rank/near.ts';
import type { SearchPorts } from '../retrieval/search.ts';
import { promptRoom, streamWithin } from '../support/prompt-room.ts';
import { endingNotice, endingOf, finishReasonOf } from '../ui-messages/answer-ending.ts';
import { openBlocks, type ShownText, showSaid } from '../ui-messages/text-blocks.ts';
import type { WebSearchPorts } from '../web-search/ports.ts';
import type { WebPage } from '../web-search/read-page.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { findPassages } from './find-passages.ts';
import { notices, windowNotices } from './notices.ts';
import { fitPrompt } from './prompt.ts';
import type { ChatMessage } from './schema.ts';
import { saveCitedPages, searchWeb, withPages } from './search-web.ts';

export interface AnswerPorts extends SearchPorts {
  objects: Objects;
  clock: Clock;
}

export interface AnswerRequest {
  /** The workspace that stores the question and its usage. */
  workspace: Workspace;
  /** All workspaces that are searched, if the question names a list. The first is `workspace`. */
  workspaces?: Workspace[] | undefined;
  /** The ID of the user who asks. */
  actor: string;
  messages: ChatMessage[];
  /** The files and folders that the answer may use; absent for no restriction. */
  paths?: string[] | undefined;
  /** The facts of the files that the answer may use; absent for any. */
  filter?: SearchFilter | undefined;
  /** Set if the question is searched for on the web, too. */
  web?: WebSearchPorts | undefined;
  model: LanguageModel;
  signal: AbortSignal;
  /** Which of the user's own facts are used; by default all, because only the user reads the answer. */
  ownFacts?: FactReaders['own'];
  /** True if the model judges the citations after they are sent. */
  judge?: boolean;
  /** The limit of the caller; absent for the service's own. */
  maxOutputTokens?: number | undefined;
  /** Set for a stored conversation. */
  answerId?: string;
  /** Called with the prompt that the model answers. */
  onPrompt?: (prompt: ModelRequest) => void;
  /** Returns true if no one reads the answer any longer. */
  isAbandoned?: () => boolean;
}

/** The passages that an answer is based on. */
export type Ground = Awaited<ReturnType<typeof findGround>>;

const MAX_QUESTION_SHOWN = 200;
/** The maximum number of unindexed files that a notice names. */
const MAX_LEFT_OUT = 5;

type Finish = Extract<ModelEvent, { type: 'finish' }>;

/** Finds the answer's passages. May start before it's certain that there will be an answer. */
export async function findGround(ports: AnswerPorts, request: Omit<AnswerRequest, 'answerId'>) {
  const { workspace, workspaces, messages, paths, filter, web, model, signal } = request;
  const { actor, ownFacts = 'all' } = request;
  const several = workspaces?.map(({ id }) => id);
  const ids = several ?? [workspace.id];
  const started = ports.clock.now();
  const question = messages.at(-1)?.text ?? '';
  const asked = { callerId: actor, workspaces: workspaces ?? [workspace], own: ownFacts };
  const [files, statuses, skipped, room, facts, searched] = await Promise.all([
    findPassages(ports, { workspaceId: workspace.id, several, messages, paths, filter, model, signal }),
    Promise.all(ids.map((id) => readIndexStatus(ports.records, id))),
    Promise.all(ids.map((id) => findSkippedFiles(ports.records, id, question))),
    promptRoom(model),
    findKnownFacts(ports.records, asked),
    web && searchWeb(web, messages, signal),
  ]);
  const status = statuses.find(isRunning) ?? statuses[0] ?? 'ready';
  const leftOut = skipped.flat().slice(0, MAX_LEFT_OUT);
  const pages = searched?.found?.pages ?? [];
  const told = searched === undefined ? [] : [searched.notice];
  const found = searched?.found ? withPages(files, searched.found, several && workspace.id) : files;
  return { found, pages, told, status, leftOut, room, facts, ms: ports.clock.now() - started };
}

/** Yields an answer's stream parts. Throws failures, which the stream converts to the `error` part. */
export async function* answerChat(
  ports: AnswerPorts,
  request: AnswerRequest,
  ground: Promise<Ground> = findGround(ports, request),
): AsyncGenerator<StreamPart> {
  const { workspace, workspaces, messages, model, signal } = request;
  yield { type: 'start', messageId: request.answerId ?? newId() };
  yield* attachmentNotices(messages.at(-1)?.attached ?? [], model);
  const question = messages.at(-1)?.text ?? '';
  const { found, pages, told, status, leftOut, ms, ...grounded } = await ground;
  const isFiltered = request.filter !== undefined;
  yield* notices(status, found, leftOut, { nearBudget: await model.admit?.(), isFiltered });
  yield* told;
  const streamed = yield* askFitting(request, {
    found,
    leftOut,
    ...grounded,
  });
  const { text, finish, unknown, failure, passages, facts } = streamed;
  if (failure !== undefined) signal.throwIfAborted();
  const { used, offered } = yield* saveCited(request, pages, streamed);
  const { entailment } = ports;
  const sources = workspaces ?? workspace;
  const answer = { sources, text, used, offered, judge: undefined, entailment, signal };
  if (failure !== undefined) {
    yield* citeAnswer(ports, answer);
    throw failure;
  }
  const recorded = recordChat(ports, request, { question, citations: used.length });
  recorded.catch(() => undefined); // awaited below
  const judge = request.judge === true ? model : undefined;
  const checked = yield* citeAnswer(ports, { ...answer, judge });
  await recorded;
  const reason = finish?.reason ?? 'other';
  yield* endingNotice(endingOf(reason, text));
  yield {
    type: 'finish',
    finishReason: finishReasonOf(reason),
    messageMetadata: {
      provider: model.provider,
      model: model.model,
      usage: addUsage(finish?.usage, found.usage, checked.usage),
      promptTokens: finish?.usage.inputTokens ?? null,
      retrieval: {
        mode: found.mode,
        passages: passages.length,
        ms,
        ...(found.query && { query: found.query }),
      },
      ...(unknown.length > 0 ? { unknownCitations: unknown } : {}),
      ...(grounded.facts.length > 0 && { memories: facts }),
      ...checked.metadata,
    },
  };
}

/** Saves the pages that an answer cites. Returns the cited and the offered passages, all of which are in files now. */
async function* saveCited(
  { web, workspace }: AnswerRequest,
  pages: WebPage[],
  { text, used, passages: offered }: StreamedText & { passages: Passage[] },
): AsyncGenerator<StreamPart, { used: Passage[]; offered: Passage[] }> {
  if (web === undefined) return { used, offered };
  const { notice, ...saved } = await saveCitedPages(web, workspace, pages, { text, used, offered });
  if (notice !== undefined) yield notice;
  return saved;
}

/** Undefined counts as zero, and null in the answer as unknown. */
function addUsage(answer: Usage | undefined, ...others: (Usage | undefined)[]): Usage | null {
  const known = others.filter((usage) => usage !== undefined);
  if (answer === undefined) return known[0] ?? null;
  const sum = (of: keyof Usage) => {
    const added = known.reduce((total, usage) => total + (usage[of] ?? 0), 0);
    return answer[of] === null ? null : answer[of] + added;
  };
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
}

interface StreamedText {
  /** The text, in which citation 1 is the first of `used`. */
  text: string;
  used: Passage[];
  /** Numbers that the model cited but that match no passage. */
  unknown: readonly number[];
  finish: Finish | undefined;
  /** Why the answer broke off. The text so far still gets its citations. */
  failure?: unknown;
}

/** Streams the answer with the passages that fit the model's window. If they don't fit, retries with half of them. */
async function* askFitting(
  { messages, model, signal, maxOutputTokens, onPrompt, isAbandoned }: AnswerRequest,
  { found, leftOut, room, facts }: Pick<Ground, 'found' | 'leftOut' | 'room' | 'facts'>,
): AsyncGenerator<StreamPart, StreamedText & { passages: Passage[]; facts: UsedFacts | undefined }> {
  const options = { near: isNear(found), leftOut, sees: model.sees === true, facts };
  const passages: Passage[] = [];
  let used: UsedFacts | undefined;
  let notice: string | undefined;
  const events = streamWithin(model, room, (within) => {
    const fitted = fitPrompt(messages, found, options, within);
    passages.splice(0, passages.length, ...fitted.passages);
    notice = fitted.leftOut;
    used = fitted.facts;
    onPrompt?.(fitted.request);
    const limit = maxOutputTokens !== undefined && { maxOutputTokens };
    return model.stream({ ...fitted.request, ...limit, signal, reader: 'live', isAbandoned });
  });
  const streamed = yield* streamText(events, passages);
  yield* windowNotices(notice, streamed.finish);
  return { ...streamed, passages, facts: used };
}

/**
 * Streams the text as the model writes it, with renumbered citations, and reasoning in separate parts. If the
 * answer breaks off, the held text is still streamed.
 */
async function* streamText(
  events: AsyncIterable<ModelEvent>,
  passages: Passage[],
): AsyncGenerator<StreamPart, StreamedText> {
  let { text, used } = { text: '', used: noNumbers() };
  const offered = new OfferedPassages(passages);
  let finish: Finish | undefined;
  let failure: unknown;
  const show = (): ShownText => {
    const undo = () => {
      used = noNumbers();
      text = '';
    };
    // Readers join the texts of an answer with this separator.
    if (text !== '') text += '\n\n';
    return { ...numberByFirstUse(offered, used), undo };
  };
  const block = openBlocks(String, show);
  const keep = function* (parts: Iterable<StreamPart>): Iterable<StreamPart> {
    for (const part of parts) {
      if (part.type === 'text-delta') text += part.delta;
      yield part;
    }
  };
  try {
    for await (const event of events) {
      if (event.type === 'finish') finish = event;
      yield* keep(showSaid(block, event));
    }
  } catch (error) {
    failure = error;
  }
  yield* keep(block.end());
  const cited = used.passages.flatMap((number) => passages[number - 1] ?? []);
  return { text, used: cited, unknown: used.unknown, finish, failure };
}

function noNumbers(): UsedNumbers {
  return { passages: [], unknown: [] };
}

/**
 * Runs while the citations are checked, so that it delays nothing. Everyone in the workspace can read its activity, so the
 * activity contains a person's question only if nobody signs in.
 */
function recordChat(
  ports: AnswerPorts,
  { workspace, actor, model }: AnswerRequest,
  { question, citations }: { question: string; citations: number },
): Promise<void> {
  const summary = actor === LOCAL ? `Asked: ${oneLine(question, MAX_QUESTION_SHOWN)}` : 'Asked a question';
  const details = { citations, model: model.model };
  return recordActivity(ports, { workspaceId: workspace.id, kind: 'chat', actor, summary, details });
}
