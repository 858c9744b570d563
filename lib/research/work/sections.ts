import { endsOnlyAPart } from '../../runs/steps/limits.ts';
import { workOnAll } from '../../runs/steps/work-on-all.ts';
import { type ResearchMessages, researchMessages } from '../result/messages.ts';
import type { Counts, Evidence, ResearchPlan, Section, SubQuestion } from '../schema.ts';
import { type Checked, checkParagraphs } from './check-sentences.ts';
import { CALLS_AT_ONCE } from './evidence.ts';
import { isUnchanged } from './is-unchanged.ts';
import { beginPhase, type Study } from './study.ts';
import { type DraftSentence, writeSection, writeSummary } from './write-section.ts';

/** A checked section. Without one, its question stays open. */
export interface Done {
  section: Section | null;
  counts: Counts;
  open: string[];
}

/** Writes a section for each question, and sends it as soon as it is checked. */
export async function writeSections(
  study: Study,
  { questions }: ResearchPlan,
  evidence: Evidence[],
): Promise<Done[]> {
  beginPhase(study, 'write', questions.length);
  const done = await workOnAll(questions, CALLS_AT_ONCE, async (question, at) => {
    const mine = evidence.filter(({ questionId }) => questionId === question.id);
    const isSame = isUnchanged(study, question, mine);
    const section = await study.steps.once(
      'section',
      question.id,
      async () => (isSame ? sectionBefore(study, question.id) : undefined) ?? workOut(study, question, mine),
    );
    sayDone(study, question.id, section, FIRST_PLACE + at);
    study.at.done += 1;
    return section;
  });
  return done.filter((each) => each !== undefined);
}

/** Returns the previous report's section for this question. */
function sectionBefore({ earlier }: Study, id: string): Done | undefined {
  return earlier?.step('section', id) as Done | undefined;
}

async function workOut(study: Study, question: SubQuestion, evidence: Evidence[]): Promise<Done> {
  const usable = evidence.filter(({ supports }) => supports !== 'no');
  const unanswered = { section: null, counts: NOTHING, open: [question.question] };
  if (usable.length === 0) return unanswered;
  try {
    const { paragraphs, open } = await writeSection(study, question, usable);
    const checked = await checkParagraphs(study, usable, paragraphs, [question.question]);
    return asSection(question, checked, { open, words: researchMessages(study.request.language) });
  } catch (error) {
    if (!endsOnlyAPart(error)) throw error;
    return unanswered;
  }
}

const NOTHING: Counts = { sentences: 0, supported: 0, marked: 0, dropped: 0 };

interface Further {
  open: string[];
  words: ResearchMessages;
}

function asSection(
  { id, question }: SubQuestion,
  { paragraphs, counts }: Checked,
  { open, words }: Further,
): Done {
  const unanswered = counts.dropped > 0 ? `${question}${words.allRemoved}` : question;
  if (paragraphs.length === 0) return { section: null, counts, open: [unanswered, ...open] };
  return { section: { questionId: id, heading: question, paragraphs }, counts, open };
}

/**
 * Writes and checks the summary like any other section, but places it first in the report. Null if there is
 * nothing to summarize.
 */
export async function writeSummarySection(
  study: Study,
  { questions }: ResearchPlan,
  done: Done[],
  evidence: Evidence[],
): Promise<Done> {
  beginPhase(study, 'summary', 1);
  const sections = done.flatMap(({ section }) => section ?? []);
  const isSame = questions.every((question) =>
    isUnchanged(
      study,
      question,
      evidence.filter(({ questionId }) => questionId === question.id),
    ),
  );
  const summary = await study.steps.once(
    'section',
    'summary',
    async () =>
      (isSame ? sectionBefore(study, 'summary') : undefined) ??
      workOutSummary(study, sections, { evidence, asked: questions.map(({ question }) => question) }),
  );
  sayDone(study, 'summary', summary, 1);
  return summary;
}

async function workOutSummary(
  study: Study,
  sections: Section[],
  { evidence, asked }: { evidence: Evidence[]; asked: string[] },
): Promise<Done> {
  if (sections.length === 0) return { section: null, counts: NOTHING, open: [] };
  try {
    const drafts: DraftSentence[] = await writeSummary(study, sections, evidence);
    const { paragraphs, counts } = await checkParagraphs(study, evidence, [drafts], asked);
    const heading = summaryHeading(study.request.language);
    const section = paragraphs.length === 0 ? null : { questionId: null, heading, paragraphs };
    return { section, counts, open: [] };
  } catch (error) {
    if (!endsOnlyAPart(error)) throw error;
    return { section: null, counts: NOTHING, open: [] };
  }
}

export function summaryHeading(language: string): string {
  return language.toLowerCase().startsWith('zh') ? '摘要' : 'Summary';
}

/** The position of the first question's section, after the changes and the summary. */
const FIRST_PLACE = 2;

export function sayDone(study: Study, id: string, { section, counts }: Done, place: number): void {
  if (section !== null) study.say({ type: 'data-section', id: `section-${id}`, data: { section, place } });
  study.say({ type: 'data-check', id: `check-${id}`, data: { questionId: id, counts } });
}
