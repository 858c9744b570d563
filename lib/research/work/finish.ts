import { titleOf } from '../../conversations/turn/plan-turn.ts';
import { derivedId } from '../../identifiers.ts';
import { createNote } from '../../notes/create.ts';
import { timestamp } from '../../ports/clock.ts';
import { type StepsUsage, usageOf } from '../../runs/steps/stored-work.ts';
import { keepExtracts } from '../extracts/keep-extracts.ts';
import { hashesOf, readExtracts } from '../extracts/read-extracts.ts';
import { firstSectionText } from '../first-section-text.ts';
import { addCounts, type Finished, NO_COUNTS } from '../fold-frames.ts';
import { noteOf } from '../result/note-of.ts';
import type { Evidence, Looked, Report, Section } from '../schema.ts';
import type { Done } from './sections.ts';
import type { Study } from './study.ts';

const MAX_OPEN = 20;

/** Assembles the report, saves it once as a note unless it is about several workspaces, and sends the note's location. */
export async function finishReport(
  study: Study,
  done: Done[],
  { evidence, looked }: { evidence: Evidence[]; looked: Looked[] },
): Promise<void> {
  const { request, run, ports, steps, workspaces } = study;
  const createdAt = await steps.once('finish', '', async () => timestamp(ports.clock));
  const sections = done.flatMap(({ section }) => section ?? []);
  const open = [...new Set(done.flatMap((each) => each.open))].slice(0, MAX_OPEN);
  const head: Finished['report'] = {
    title: titleOf(request.question),
    ...{ language: request.language, question: request.question, openQuestions: open },
    ...(workspaces && { workspaces: workspaces.map(({ id, name }) => ({ id, name })) }),
    counts: done.reduce((sum, { counts }) => addCounts(sum, counts), NO_COUNTS),
    createdAt,
  };
  const report = { ...head, sections, evidence, looked };
  await keepExtracts(study, report);
  // A note is for all people of one workspace, who may not be allowed to read the others.
  const noteId = workspaces === undefined ? await saveNote(study, report) : null;
  const data = { noteId, ended: study.limits.ended(), report: head, ...usageSoFar(study) };
  sayShortly(study, sections);
  study.say({ type: 'data-report', id: `report-${run.id}`, data });
}

export function usageSoFar({ steps, model, ports }: Study): StepsUsage {
  return usageOf(steps, model, ports.prices);
}

/** Saves the note under an ID derived from the run's, so that a repeated call finds it. */
async function saveNote({ ports, run, workspace }: Study, report: Report): Promise<string> {
  const id = derivedId(Date.parse(report.createdAt), `research ${run.id}`);
  const { title } = report;
  const extracts = await readExtracts(ports.records, run.id);
  const note = { id, workspaceId: workspace.id, title, content: noteOf(report), type: 'brief' as const };
  await createNote(ports, { ...note, runId: run.id }, hashesOf(report, extracts));
  return id;
}

/** Sends a short text, for clients that don't support reports. */
function sayShortly(study: Study, sections: Section[]): void {
  const { language } = study.request;
  const id = 'summary';
  study.say({ type: 'text-start', id });
  study.say({ type: 'text-delta', id, delta: firstSectionText({ sections, language }) });
  study.say({ type: 'text-end', id });
}
