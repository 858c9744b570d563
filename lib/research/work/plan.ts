import * as z from 'zod';
import { ask } from '../../runs/steps/ask-model.ts';
import { isOneQuestion } from '../../support/rules/states-fact.ts';
import type { ResearchPlan, SubQuestion } from '../schema.ts';
import type { Study } from './study.ts';

const plannedSchema = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().trim().min(1).max(500),
        answeredBy: z.string().max(500).default(''),
        keywords: z.array(z.string().trim().min(1).max(100)).max(10).default([]),
      }),
    )
    .min(1),
});

/**
 * Returns the questions of a report. A follow-up question is its own plan, and a refreshed report keeps the previous
 * plan.
 */
export async function makePlan(study: Study): Promise<ResearchPlan> {
  const { request, earlier, depth } = study;
  if (request.way === 'refresh' && earlier !== undefined && earlier.plan.questions.length > 0)
    return earlier.plan;
  if (request.way === 'further')
    return { questions: [{ id: 'q1', question: request.question, answeredBy: '', keywords: [] }] };
  const planned = await ask(study, {
    name: 'plan',
    phase: 'read',
    system: `You plan a research report over documents that you cannot see yet. Split the question into at most ${depth.questions} sub-questions that together answer it and do not overlap; use fewer if fewer are enough. For each, state what would answer it, and give at most five keywords or short phrases that such a document would contain. Write in the language "${request.language}"; write keywords in the languages that the documents may have.
Answer with JSON only: {"questions":[{"question":"…","answeredBy":"…","keywords":["…"]}]}`,
    content: (code) => `<question-${code}>\n${request.question}\n</question-${code}>`,
    schema: plannedSchema,
  });
  const questions = planned.questions.slice(0, depth.questions);
  return {
    questions: questions.map((each, at) => withId({ ...each, question: asQuestion(each.question) }, at)),
  };
}

const PIECES = /(?<![.!?…;:])[.!?…;:]+(?:\s+|$)|[。！？；：]+|\n+/u;

/**
 * Returns the model's text as a question. It appears above a section, or among the open questions, where
 * nothing is checked, so it must be a question that states nothing.
 */
function asQuestion(text: string): string {
  if (isOneQuestion(text)) return text;
  const pieces = text.split(PIECES).filter((piece) => piece.trim() !== '');
  const isChinese = /\p{Script=Han}/u.test(text);
  return `${pieces.join(isChinese ? '，' : ', ')}${isChinese ? '？' : '?'}`;
}

export function withId(planned: Omit<SubQuestion, 'id'>, index: number): SubQuestion {
  return { ...planned, id: `q${index + 1}` };
}
