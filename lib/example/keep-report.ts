import type { Caller } from '../access/caller.ts';
import type { StreamPart } from '../api-contract/stream-part.ts';
import { answerOfRun } from '../conversations/turn/keep-run.ts';
import { newMessage, titleOf } from '../conversations/turn/plan-turn.ts';
import { derivedId } from '../identifiers.ts';
import { createNote } from '../notes/create.ts';
import { expiryAfter, timestamp } from '../ports/clock.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { EXTRACTS_STEP } from '../research/extracts/extract.ts';
import { hashesOf } from '../research/extracts/read-extracts.ts';
import { firstSectionText } from '../research/first-section-text.ts';
import { noteOf } from '../research/result/note-of.ts';
import { studies } from '../research/run-records.ts';
import type { Counts, Report } from '../research/schema.ts';
import { lastFrame, openRecorder } from '../run-events/record-frames.ts';
import { type Run, runs } from '../runs/schema.ts';
import { steps } from '../runs/steps/step-records.ts';
import type { Workspace } from '../workspaces/schema.ts';
import type { BuiltExample } from './built.ts';
import { keepShared } from './keep-chat.ts';

/** Longer than other reports are kept, because no one could generate this report again without a model. */
const KEEP_SECONDS = 365 * 24 * 60 * 60;

export function reportIdOf({ id, createdAt }: Workspace): string {
  return derivedId(Date.parse(createdAt), `example report ${id}`);
}

/**
 * Stores the report, unless it exists: its run, events, note, and conversation, as a worker's run leaves
 * them.
 */
export async function keepExampleReport(
  ports: TimedRecords,
  caller: Caller,
  workspace: Workspace,
  { report: built }: BuiltExample,
): Promise<void> {
  const { records } = ports;
  const id = reportIdOf(workspace);
  if ((await runs.get(records, { id })) !== undefined) return;
  const report = reportOf(built, workspace);
  const { question } = report;
  await studies.put(records, {
    ...{ runId: id, question, sources: ['files'], addresses: [], depth: 'quick', budget: null },
    ...{ language: report.language, approvePlan: false, previousRunId: null, way: 'anew' },
    expiresAt: expiryAfter(ports.clock, KEEP_SECONDS),
  });
  await steps.put(records, {
    ...{ runId: id, name: EXTRACTS_STEP, hash: EXTRACTS_STEP, value: JSON.stringify(built.extracts) },
    use: { calls: 0, inputTokens: 0, outputTokens: 0 },
    expiresAt: expiryAfter(ports.clock, KEEP_SECONDS),
  });
  const noteId = derivedId(Date.parse(workspace.createdAt), `example note ${workspace.id}`);
  const note = { workspaceId: workspace.id, title: report.title, content: noteOf(report) };
  const hashes = hashesOf(report, new Map(Object.entries(built.extracts)));
  await createNote(ports, { id: noteId, ...note, type: 'brief', runId: id }, hashes);
  await keepFrames(ports, id, framesOf(report, built, noteId));
  const answer = await answerOfRun(records, { id, status: 'done', error: null });
  const asked = newMessage({ id, role: 'user', text: question });
  const place = { workspace, id, kind: 'research' as const, runId: id };
  await keepShared(ports, caller, place, [asked, answer]);
  await runs.create(records, runOf(ports, caller, workspace, { id, question }));
}

function reportOf(
  { question, evidence, sections, openQuestions }: BuiltExample['report'],
  of: Workspace,
): Report {
  const looked = [...new Set(evidence.map(({ path }) => path))].map((path) => {
    return { questionId: 'q1', path, used: true };
  });
  return {
    ...{ title: titleOf(question), language: of.example ?? 'en', question, sections, evidence },
    ...{ openQuestions, looked, counts: countsOf(sections), createdAt: of.createdAt },
  };
}

function countsOf(sections: Report['sections']): Counts {
  const sentences = sections.flatMap(({ paragraphs }) => paragraphs.flat());
  const supported = sentences.filter(({ state }) => state === 'supported').length;
  return { sentences: sentences.length, supported, marked: 0, dropped: 0, judged: false };
}

/** Returns the parts that a worker would send, in the same order, but without calling a model. */
function framesOf(report: Report, { plan }: BuiltExample['report'], noteId: string): StreamPart[] {
  const { sections, evidence, looked = [], ...head } = report;
  const usage = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const text = { id: 'summary' };
  return [
    { type: 'data-plan', id: 'plan-ready', data: { plan, state: 'ready', estimate: { ...usage } } },
    ...plan.questions.map(({ id: questionId }): StreamPart => {
      const found = evidence.filter((each) => each.questionId === questionId);
      const data = { questionId, evidence: found, looked: questionId === 'q1' ? looked : [] };
      return { type: 'data-evidence', id: `evidence-${questionId}`, data };
    }),
    ...sections.map((section, place): StreamPart => {
      return { type: 'data-section', id: `section-${place}`, data: { section, place } };
    }),
    { type: 'text-start', ...text },
    { type: 'text-delta', ...text, delta: firstSectionText(report) },
    { type: 'text-end', ...text },
    { type: 'data-report', id: 'report', data: { noteId, ended: null, report: head, ...usage } },
  ];
}

/** Stores the events in one batch, so that an interrupted call has stored either all events or no event. */
async function keepFrames(ports: TimedRecords, id: string, frames: StreamPart[]): Promise<void> {
  if ((await lastFrame(ports.records, id)) > 0) return;
  const recorder = openRecorder(ports, id, 0, KEEP_SECONDS);
  for (const frame of frames) recorder.write(frame);
  await recorder.flush();
}

function runOf(
  ports: TimedRecords,
  caller: Caller,
  { id: workspaceId }: Workspace,
  { id, question }: { id: string; question: string },
): Run {
  const now = timestamp(ports.clock);
  return {
    ...{
      id,
      workspaceId,
      kind: 'research',
      draft: null,
      unlisted: false,
      mode: 'agent',
      status: 'done',
      request: question,
    },
    ...{
      conversationId: id,
      steps: 0,
      failedCalls: 0,
      createdAt: now,
      finishedAt: now,
      error: null,
      changes: null,
      caller,
    },
    ...{ requestPlace: 0, rightsOf: null, cwd: '', provider: 'a', model: 'none', allowedTools: null },
    ...{ unattended: false, permits: [], parked: false, owner: id, stopRequested: false, stoppedCalls: '[]' },
    ...{ deaths: { atStep: 0, times: 0 }, expiresAt: expiryAfter(ports.clock, KEEP_SECONDS) },
  };
}
