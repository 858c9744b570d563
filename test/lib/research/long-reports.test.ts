import { describe, expect, it } from '@jest/globals';
import { MAX_CONTENT_BYTES } from '../../../lib/notes/create.ts';
import { notePlaces, notes } from '../../../lib/notes/schema.ts';
import { foldFrames, reportOf } from '../../../lib/research/fold-frames.ts';
import { toMarkdown } from '../../../lib/research/result/markdown.ts';
import { noteOf } from '../../../lib/research/result/note-of.ts';
import { framesSoFar } from '../../../lib/run-events/follow-frames.ts';
import { startResearchRig } from '../../support/research.ts';
import type { Asked } from '../../support/research-model.ts';
import { makeEvidence, makeReport, makeSentence } from '../../support/research-reports.ts';

const SHORTENED = 'This note has no room for the whole report';
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(text));

describe('noteOf', () => {
  it('returns the whole report if it fits', () => {
    expect(noteOf(makeReport())).toBe(toMarkdown(makeReport(), { withLines: true }));
  });

  const quotes = Array.from({ length: 300 }, (_, at) =>
    makeEvidence(`e${at}`, { quote: `${at}${'鸮'.repeat(1500)}` }),
  );
  const used = quotes.map(({ id }) => makeSentence('Owls hunt.', [id]));
  const long = (count: number) => Array.from({ length: count }, () => [makeSentence('鸮'.repeat(1000))]);
  const section = (heading: string, paragraphs = long(40)) => ({ questionId: null, heading, paragraphs });
  const looked = Array.from({ length: 6000 }, (_, at) => ({
    questionId: 'q1',
    used: false,
    title: `${at}`,
    reason: 'x'.repeat(90),
  }));

  it.each([
    ['omits the omitted parts', makeReport({ looked }), 'They cost memory.'],
    ['shortens quotes', makeReport({ evidence: quotes, sections: [section('Cut', [used])] }), '299鸮'],
    [
      'omits the last sections',
      makeReport({ sections: 'abcdefg'.split('').map((name) => section(name)) }),
      '## c\n',
    ],
    ['omits paragraphs of a section', makeReport({ sections: [section('One', long(400))] }), '## One\n'],
    ['is only the head', makeReport({ sections: [section('One', [long(400).flat()])] }), '# Caches\n'],
  ])("marks the omission if it doesn't, and %s", (_what, report, kept) => {
    const content = noteOf(report);
    expect(bytesOf(content)).toBeLessThanOrEqual(MAX_CONTENT_BYTES);
    expect(content).toContain(SHORTENED);
    expect(content).toContain(kept);
  });
});

/** Writes the maximum everywhere, in characters of three bytes. */
function talk({ step, evidence, passages, question }: Asked): unknown {
  if (step === 'plan')
    return { questions: Array.from({ length: 8 }, (_, at) => ({ question: `${question}${at}？` })) };
  if (step === 'read')
    return {
      claims: passages.flatMap(({ number, text }) =>
        text.split('\n').map((quote) => ({ passage: number, claim: '鸮', quote })),
      ),
    };
  if (step !== 'write') return undefined;
  const paragraph = evidence.slice(0, 12).map(({ id, quote }) => ({ text: quote, evidence: [id] }));
  return { paragraphs: Array.from({ length: 4 }, () => paragraph), open: [] };
}

it('report that is too large for a note still produces a note, and is exported completely', async () => {
  const lines = Array.from({ length: 24 }, (_, at) => `${'鸮在夜里捕猎'.repeat(120)}${at}。`);
  const rig = await startResearchRig({ 'https://a.example/owls': `<p>${lines.join('</p><p>')}</p>` }, talk);
  const { runId } = await rig.begin({ question: '鸮在夜里捕猎', depth: 'deep', language: 'zh-CN' });
  await rig.work();
  expect(await rig.find(runId)).toMatchObject({ status: 'done' });
  const folded = foldFrames(await framesSoFar(rig.ports.records, runId));
  const report = reportOf(folded);
  expect(report && bytesOf(toMarkdown(report))).toBeGreaterThan(MAX_CONTENT_BYTES);
  const place = await notePlaces.get(rig.ports.records, { id: folded.finished?.noteId ?? '' });
  const note = place && (await notes.get(rig.ports.records, place));
  expect(note?.content).toContain('笔记容纳不下整份报告');
});

it('model that never stops costs a section, not the run', async () => {
  const rig = await startResearchRig(
    { 'https://a.example/owls': '<p>Owls hunt at night.</p>' },
    ({ step }) => (step === 'write' ? 'owls '.repeat(10_000) : undefined),
  );
  const { runId } = await rig.begin();
  await rig.work();
  expect(await rig.find(runId)).toMatchObject({ status: 'done' });
  const { finished } = foldFrames(await framesSoFar(rig.ports.records, runId));
  expect(finished?.report.openQuestions).toEqual(['When do owls hunt?']);
  expect(rig.model.prompts.filter((prompt) => prompt.startsWith('You write the section'))).toHaveLength(1);
});
