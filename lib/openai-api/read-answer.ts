import { WAITING } from '../api-contract/answer-notices.ts';
import { addCitation, type Citation } from '../api-contract/citation.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';
import type { SupportSummary } from '../api-contract/support-counts.ts';
import { isErrorCode } from '../error-codes.ts';
import { ServiceError, serviceError } from '../errors.ts';
import type { Usage } from '../ports/language-model.ts';

/** A notice for the reader of an answer. */
type AnswerNotice = { code: string; text: string };

/** The part of an answer that has been read. */
export interface ReadAnswer {
  id: string;
  /** All text that was sent. */
  text: string;
  /** Where the answer starts in the text. Text before it turned out to be reasoning after it was sent. */
  from: number;
  citations: Citation[];
  notices: AnswerNotice[];
  finishReason: string;
  usage: Usage | undefined;
  support: SupportSummary | undefined;
}

/** Separates two texts of an answer, as the positions of its citations assume. */
const BETWEEN = '\n\n';

/** Reads the parts of an answer. Sent text can't be withdrawn, so with `isSent`, reasoning among it stays. */
export function answerReader(isSent: boolean) {
  const answer: ReadAnswer = {
    ...{ id: '', text: '', from: 0, citations: [], notices: [] },
    ...{ finishReason: 'other', usage: undefined, support: undefined },
  };
  let isThought = false;
  let failure: string | undefined;

  function openText(): string {
    const added = answer.text === '' ? '' : BETWEEN;
    answer.text += added;
    if (isThought) answer.from = answer.text.length;
    isThought = false;
    return added;
  }

  function takeBack(): void {
    if (isSent) isThought = true;
    else answer.text = '';
  }

  function addText(delta: string): string {
    answer.text += delta;
    return delta;
  }

  /** Adds a part, and returns the text to send. Throws the failure that a part reports. */
  function take(part: StreamPart): string {
    if (part.type === 'text-start') return openText();
    if (part.type === 'text-delta') return addText(part.delta);
    if (part.type === 'data-thought') takeBack();
    else if (part.type === 'error') failure = part.errorText;
    else if (part.type === 'data-error') throw failureOf((part as DataPart).data, failure);
    else addPart(answer, part);
    return '';
  }
  return { answer, take };
}

function addPart(answer: ReadAnswer, part: StreamPart): void {
  if (part.type === 'start') answer.id = part.messageId ?? '';
  if (part.type === 'abort') throw new ServiceError('answer_interrupted', 'The answer was stopped.');
  if (part.type === 'data-notice') addNotice(answer, part as DataPart);
  if (part.type === 'finish') finish(answer, part);
  answer.citations = addCitation(answer.citations, part);
}

type DataPart = Extract<StreamPart, { data: unknown }>;

function addNotice({ notices }: ReadAnswer, { id, data, transient }: DataPart): void {
  if (id === WAITING || transient === true) return;
  const { code, text } = data as AnswerNotice;
  notices.push({ code, text });
}

function finish(
  answer: ReadAnswer,
  { finishReason = 'other', messageMetadata }: Extract<StreamPart, { type: 'finish' }>,
): void {
  const { usage, support } = (messageMetadata ?? {}) as { usage?: Usage | null; support?: SupportSummary };
  Object.assign(answer, { finishReason, usage: usage ?? undefined, support });
}

/** Returns the error of a stored answer, which ends with parts instead of an exception. */
function failureOf(data: unknown, text = 'The answer broke off.'): ServiceError {
  const { code } = data as { code?: unknown };
  return serviceError(isErrorCode(code) ? code : 'internal_error', text);
}

/** Returns the answer when it is complete. */
export async function readWholeAnswer(parts: AsyncIterable<StreamPart>): Promise<ReadAnswer> {
  const { answer, take } = answerReader(false);
  for await (const part of parts) take(part);
  return answer;
}

/** Returns the numbers of tokens. An unknown number is zero, because clients add them up. */
export function tokenCounts({ usage }: ReadAnswer) {
  const { inputTokens, outputTokens } = usage ?? {};
  const [input, output] = [inputTokens ?? 0, outputTokens ?? 0];
  return { input, output, total: input + output };
}

const TOOLS_NOT_CALLED: AnswerNotice = {
  code: 'tools-not-called',
  text: 'The service answers from files, and called none of the tools that the request offers.',
};

/** Returns the fields that the service adds to OpenAI's fields. */
export function extrasOf({ offersTools }: { offersTools: boolean }, { notices, support }: ReadAnswer) {
  const own = offersTools ? [TOOLS_NOT_CALLED] : [];
  return { x_notices: [...notices, ...own], ...(support && { x_support: support }) };
}
