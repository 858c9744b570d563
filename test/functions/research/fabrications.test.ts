import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { readingFormat } from '../../../lib/formats/all-formats.ts';
import { extract } from '../../../lib/formats/extract.ts';
import type { Research } from '../../../lib/research/request-schema.ts';
import { readStream } from '../../support/agent-client.ts';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { researchAnswer } from '../../support/research-model.ts';
import { fabricator, factsOf, KINDS, topicOf } from '../../support/samples/fabrications.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const REPORTS = Number(process.env.REPORTS ?? 2);
/** Number of fabrications of each kind in a report. */
const MADE_UP = 33;
const QUESTIONS = 3;
const FACTS = Array.from({ length: REPORTS * QUESTIONS }, (_, at) =>
  factsOf(Math.floor(at / QUESTIONS), at % QUESTIONS),
);

let service: Service;
let workspace: TestWorkspace;
const model = fabricator(FACTS.flat());

beforeAll(async () => {
  const provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  provider.answer = researchAnswer((asked) => {
    if (asked.step !== 'plan') return model.script(asked);
    const report = Number(/\d+/.exec(asked.question)?.[0]);
    const questions = Array.from({ length: QUESTIONS }, (_, at) => `What is said of ${topicOf(report, at)}?`);
    return { questions: questions.map((question) => ({ question })) };
  });
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk' });
  workspace = await makeWorkspace(service);
  for (const [at, facts] of FACTS.entries())
    for (const [place, { topic, text }] of facts.entries())
      await writeFile(join(workspace.root, `${at}-${place}.md`), `# On ${topic}\n\n${text}\n`);
  await syncWorkspace(service, workspace.id);
});

/** Returns all views of a report without the flagged text. */
async function unmarked(report: number): Promise<Record<string, string>> {
  const question = `What do the files say of owls, part ${report}?`;
  const body = { workspaceId: workspace.id, question, depth: 'quick' };
  const started = await service.call<{ runId: string; conversationId: string }>(
    'POST',
    '/api/research',
    body,
  );
  const { runId, conversationId } = started.body;
  const stream = await readStream(service, `/api/agent/runs/${runId}/stream`);
  const { body: research } = await service.call<Research>('GET', `/api/research/${runId}`);
  expect(research).toMatchObject({ status: 'done', ended: null, error: null });
  const note = await service.call('GET', `/api/notes/${research.noteId}`);
  const conversation = await service.call('GET', `/api/conversations/${conversationId}`);
  const exported = (format: string) => service.call('GET', `/api/research/${runId}/export?format=${format}`);
  const [md, html, docx] = await Promise.all(['md', 'html', 'docx'].map(exported));
  expect([note.status, conversation.status, md?.status, html?.status, docx?.status]).toEqual(
    Array(5).fill(200),
  );
  const { text } = await extract(readingFormat('report.docx'), docx?.bytes ?? Buffer.alloc(0));
  return {
    stream: withoutWarned(withoutMarked(stream.frames.map(({ part }) => part))),
    api: withoutMarked(research),
    note: withoutWarned((note.body as { content: string }).content),
    conversation: withoutWarned(withoutMarked(conversation.body)),
    md: withoutWarned(md?.bytes.toString() ?? ''),
    html: (html?.bytes.toString() ?? '').replace(/<mark>[^<]*<\/mark>/g, ''),
    docx: withoutWarned(text),
  };
}

/** Returns flagged sentences, and claims that aren't reported as supported by their quotes. */
function withoutMarked(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    inner?.state === 'marked' || ['partly', 'no'].includes(inner?.supports) ? null : inner,
  );
}

/** Returns the sentences of a text that are followed by a warning, with footnote numbers in between. */
function withoutWarned(text: string): string {
  let rest = text
    .replace(/\\(?=[^\w\s])/g, '')
    .replace(/\[\^\d+\]|(?<=[.。])(?:[\d¹²³⁰⁴-⁹]+(?:, )?)+(?= ⚠)/g, '');
  for (const made of model.planted.keys())
    for (const warning of [' ⚠', ' **⚠']) rest = rest.replaceAll(made + warning, warning);
  return rest;
}

it('research reports flag everything that the model invents', async () => {
  const survivors: string[] = [];
  for (let report = 0; report < REPORTS; report++) {
    const honest = FACTS[report * QUESTIONS]?.[1]?.text ?? '';
    for (const [where, text] of Object.entries(await unmarked(report))) {
      expect([where, text.includes(honest.slice(0, -1))]).toEqual([where, true]);
      for (const [made, { kind }] of model.planted)
        if (text.includes(made)) survivors.push(`${kind} in ${where}: ${made}`);
    }
  }
  expect(survivors).toEqual([]);
  const kinds = [...model.planted.values()].map(({ kind }) => kind);
  const counts = KINDS.map((kind) => kinds.filter((each) => each === kind).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(REPORTS * MADE_UP);
});
