import { fileKey } from '../../api-contract/report-places.ts';
import { workOnAll } from '../../runs/steps/work-on-all.ts';
import { promptRoom } from '../../support/prompt-room.ts';
import type { Gathered } from '../gather/files.ts';
import { gather } from '../gather/gather.ts';
import type { Evidence, Looked, ResearchPlan, SubQuestion } from '../schema.ts';
import { withinBytes } from '../within-bytes.ts';
import { batchesOf, type NewEvidence, readBatch } from './read-passages.ts';
import { beginPhase, type Study } from './study.ts';
import { weighQuotes } from './weigh-quotes.ts';

export interface Collected {
  evidence: Evidence[];
  looked: Looked[];
}

const SEARCHES_AT_ONCE = 3;
export const CALLS_AT_ONCE = 4;

/** Collects the sources' statements for each question, and sends them to followers. */
export async function collectEvidence(study: Study, plan: ResearchPlan): Promise<Collected> {
  const { questions } = plan;
  beginPhase(study, 'gather', questions.length);
  const found = await workOnAll(questions, SEARCHES_AT_ONCE, async (question) => {
    const gathered = await gather(study, question);
    study.at.done += 1;
    return gathered;
  });
  const room = await promptRoom(study.model);
  const batches = questions.flatMap((question, at) =>
    batchesOf(found[at]?.gathered ?? [], room.tokens).map((batch) => ({ question, batch })),
  );
  beginPhase(study, 'read', batches.length);
  const read = await workOnAll(batches, CALLS_AT_ONCE, async ({ question, batch }) => {
    study.at.reading = batch[0]?.source.title ?? '';
    const findings = await readBatch(study, question, batch);
    study.at.done += 1;
    return findings;
  });
  const numbered = await numberAll(
    study,
    plan,
    read.flat().filter((finding) => finding !== undefined),
  );
  beginPhase(study, 'weigh', questions.length);
  const weighed = await workOnAll(questions, CALLS_AT_ONCE, async (question, at) => {
    const evidence = await weighQuotes(study, question, numbered[at] ?? []);
    const collected = { evidence, looked: lookedAt(question, found[at], evidence) };
    const data = { questionId: question.id, ...collected };
    study.say({ type: 'data-evidence', id: `evidence-${question.id}`, data });
    study.at.done += 1;
    return collected;
  });
  const all = weighed.filter((each) => each !== undefined);
  return {
    evidence: all.flatMap(({ evidence }) => evidence),
    looked: all.flatMap(({ looked }) => looked),
  };
}

/**
 * Assigns IDs in the order of the plan. They are stored before they are sent, so that any process that
 * continues the run assigns the same IDs. Includes the previous report's evidence for a question.
 */
async function numberAll(
  study: Study,
  { questions }: ResearchPlan,
  findings: NewEvidence[],
): Promise<Evidence[][]> {
  const { steps, earlier, depth } = study;
  const numbered: Evidence[][] = [];
  let last = earlier?.lastNumber ?? 0;
  for (const question of questions) {
    const mine = findings.filter(({ questionId }) => questionId === question.id);
    const known = earlierFor(study, question);
    const fresh = withoutTwins(mine, known).slice(0, depth.claims);
    const first = last;
    const evidence = await steps.once('number', question.id, async () => {
      const added = fresh.map((finding, at): Evidence => {
        return { id: `e${first + at + 1}`, ...finding, supports: 'partly' };
      });
      return withinBytes([...known, ...added], MAX_EVIDENCE_BYTES);
    });
    numbered.push(evidence);
    last = Math.max(last, ...evidence.map(({ id }) => Number(id.slice(1))));
  }
  return numbered;
}

/** Returns the previous report's evidence for this question or, for a new one, all of it. */
function earlierFor({ earlier, request }: Study, question: SubQuestion): Evidence[] {
  if (earlier === undefined) return [];
  if (request.way === 'further')
    return earlier.evidence.slice(0, MAX_EARLIER).map((each) => ({ ...each, questionId: question.id }));
  return earlier.evidence.filter(({ questionId }) => questionId === question.id);
}

const MAX_EARLIER = 40;
/**
 * The maximum number of bytes per question. A question's evidence is one record and, with the reviewed
 * passages, one part of the stream.
 */
const MAX_EVIDENCE_BYTES = 260_000;

/** Drops repeated quotes, because a question needs each once. */
function withoutTwins(findings: NewEvidence[], known: NewEvidence[]): NewEvidence[] {
  const keyOf = (each: NewEvidence) => `${fileKey(each)} ${each.quote}`;
  const seen = new Set(known.map(keyOf));
  return findings.filter((each) => {
    const key = keyOf(each);
    return !seen.has(key) && seen.add(key);
  });
}

const NOTHING_QUOTABLE = 'It contains nothing that answers the question and can be quoted.';

/** Returns all passages read for a question, and the skipped ones. */
function lookedAt(
  { id: questionId }: SubQuestion,
  found: { gathered: Gathered[]; looked: Looked[] } | undefined,
  evidence: Evidence[],
): Looked[] {
  if (found === undefined) return [];
  const used = new Set(evidence.map(fileKey));
  const read = new Map(found.gathered.map((each) => [fileKey(each.passage), each]));
  const looked = [...read].map(([key, { passage, source }]): Looked => {
    const { title, url } = source;
    const { workspaceId, path } = passage;
    const about = { questionId, ...(workspaceId && { workspaceId }), path, title, ...(url && { url }) };
    return used.has(key) ? { ...about, used: true } : { ...about, used: false, reason: NOTHING_QUOTABLE };
  });
  return [...looked, ...found.looked];
}
