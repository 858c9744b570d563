import type { PlanAnswer, Research } from './research.ts';

/** A question while a person edits the plan. `key` stays the same when the question is moved. */
export interface DraftQuestion {
  key: string;
  question: string;
  answeredBy: string;
  keywords?: string[];
}

/** The API's maximum number of questions. */
export const MAX_QUESTIONS = 12;
export const MAX_QUESTION = 500;

export function draftOf(plan: NonNullable<Research['plan']>): DraftQuestion[] {
  return plan.questions.map(({ id, question, answeredBy, keywords }) => ({
    ...{ key: id, question, answeredBy },
    ...(keywords && { keywords }),
  }));
}

/** Changes a question, and drops its keywords, because those for the new text aren't known. */
export function rewrite(questions: DraftQuestion[], at: number, question: string): DraftQuestion[] {
  return questions.map((each, place) => {
    if (place !== at) return each;
    const { keywords: _, ...rest } = each;
    return { ...rest, question };
  });
}

export function move(questions: DraftQuestion[], at: number, by: -1 | 1): DraftQuestion[] {
  const [from, to] = [questions[at], questions[at + by]];
  if (from === undefined || to === undefined) return questions;
  return questions.with(at, to).with(at + by, from);
}

export function add(questions: DraftQuestion[]): DraftQuestion[] {
  if (questions.length >= MAX_QUESTIONS) return questions;
  const taken = new Set(questions.map(({ key }) => key));
  let number = questions.length + 1;
  while (taken.has(`new-${number}`)) number++;
  return [...questions, { key: `new-${number}`, question: '', answeredBy: '' }];
}

/** Returns the request, without the questions if they are unchanged. Undefined if no questions are left. */
export function answerOf(
  plan: NonNullable<Research['plan']>,
  questions: DraftQuestion[],
): PlanAnswer | undefined {
  const wanted = questions
    .map(({ key: _, ...each }) => ({ ...each, question: each.question.trim() }))
    .filter(({ question }) => question !== '');
  if (wanted.length === 0) return undefined;
  const before = draftOf(plan).map(({ key: _, ...each }) => each);
  return JSON.stringify(wanted) === JSON.stringify(before)
    ? { approved: true }
    : { approved: true, questions: wanted };
}
