import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import yauzl from 'yauzl';
import type { Research } from '../../../lib/research/request-schema.ts';
import { readStream } from '../../support/agent-client.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Asked, researchAnswer, type Script } from '../../support/research-model.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const QUESTION = 'When do owls hunt?';
const HAWKS = '# Hawks\n\nHawks and owls hunt by day in Norway.\n';

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;
let asked: Asked[] = [];

beforeAll(async () => {
  provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk' });
  workspace = await makeAviary();
  answer();
});
afterEach(() => {
  asked = [];
  answer();
});

async function unzip(archive: Buffer): Promise<string> {
  const folder = await tempFolder();
  const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const path = join(folder, entry.fileName);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await zip.openReadStreamPromise(entry));
  }
  return folder;
}

/** A workspace with two files in its index. */
async function makeAviary(): Promise<TestWorkspace> {
  const made = await makeWorkspace(service);
  await mkdir(join(made.root, 'birds'));
  await writeFile(join(made.root, 'birds/owls.md'), '# Owls\n\nOwls hunt at night in 12 forests.\n');
  await writeFile(join(made.root, 'hawks.md'), HAWKS);
  await syncWorkspace(service, made.id);
  return made;
}

/** Sets the model's answers, which are correct unless a script says otherwise. */
function answer(script: Script = () => undefined): void {
  provider.answer = researchAnswer((each) => {
    asked.push(each);
    return script(each);
  });
}

interface Started {
  runId: string;
  conversationId: string;
  estimate: { calls: number };
}

async function begin(fields: Record<string, unknown> = {}): Promise<Started> {
  const body = { workspaceId: workspace.id, question: QUESTION, depth: 'quick', ...fields };
  const { status, body: started } = await service.call<Started>('POST', '/api/research', body);
  expect([status, started]).toMatchObject([202, { runId: expect.any(String) }]);
  return started;
}

async function look(runId: string): Promise<Research> {
  return (await service.call<Research>('GET', `/api/research/${runId}`)).body;
}

function waitFor(runId: string, ...statuses: string[]): Promise<Research> {
  return eventually(
    () => look(runId),
    ({ status }) => statuses.includes(status),
  );
}

async function report(fields: Record<string, unknown> = {}): Promise<Research> {
  return waitFor((await begin(fields)).runId, 'done', 'failed', 'stopped');
}

describe('report whose file was moved', () => {
  it('finds its quote by the bytes of the file', async () => {
    const { evidence, noteId } = await report();
    const index = 1 + evidence.findIndex(({ path }) => path === 'birds/owls.md');
    const cited = evidence[index - 1];
    const { path, startLine, quote, fileHash } = cited ?? {};
    expect(fileHash).toMatch(/^[0-9a-f]{64}$/);
    await service.call('POST', '/api/files/rename', {
      ...{ workspaceId: workspace.id, oldPath: 'birds/owls.md', newPath: 'night.md' },
    });
    const ask = async () => {
      const body = { citations: [{ index, path, startLine, quote, fileHash }], noteId };
      const check = `/api/workspaces/${workspace.id}/citations/check`;
      return (await service.call<{ state: string }[]>('POST', check, body)).body;
    };
    const found = await eventually(ask, ([first]) => first?.state === 'moved');
    expect(found).toMatchObject([{ state: 'moved', place: { path: 'night.md', startLine, fileHash } }]);
    await service.call('POST', '/api/files/rename', {
      ...{ workspaceId: workspace.id, oldPath: 'night.md', newPath: 'birds/owls.md' },
    });
    await eventually(ask, ([first]) => first?.state === 'holds');
  });
});

describe('GET /api/research', () => {
  const depths = (query: string) =>
    service.call<{ depth: string; estimate: { calls: number } }[]>('GET', `/api/research?${query}`);

  it('returns the maximum of each depth, which is the estimate of its reports', async () => {
    const { status, body } = await depths(`workspaceId=${workspace.id}`);
    expect([status, body.map(({ depth }) => depth)]).toEqual([200, ['quick', 'standard', 'deep']]);
    const { runId, estimate } = await begin();
    expect(body[0]?.estimate).toEqual(estimate);
    await waitFor(runId, 'done'); // otherwise its calls would be counted in the next test
    const { body: more } = await depths(`workspaceId=${workspace.id}&sources=files,papers`);
    expect(more[0]?.estimate.calls).toBeGreaterThan(body[0]?.estimate.calls ?? 0);
  });

  it.each([
    ['', 400, /workspaceId/],
    ['workspaceId=nope', 404, /workspace/],
    ['workspaceId=nope&sources=', 400, /sources/],
    ['workspaceId=nope&sources=files,dreams', 400, /sources/],
    ['workspaceId=nope&sources=files,files,papers,papers,web', 400, /sources/],
  ])('rejects ?%s', async (query, status, error) => {
    expect(await depths(query)).toMatchObject({ status, body: { error: expect.stringMatching(error) } });
  });
});

describe('POST /api/research', () => {
  it('writes a report whose sentences cite quotes of the files', async () => {
    const { runId, conversationId, estimate } = await begin({ question: 'Where do owls hunt?' });
    const { frames, done } = await readStream(service, `/api/agent/runs/${runId}/stream`);
    expect(done).toBe(true);
    const types = frames.map(({ part }) => part.type);
    expect(types.filter((type) => type !== 'data-progress')).toEqual([
      'start',
      'data-plan',
      'data-evidence',
      'data-section',
      'data-check',
      'data-section',
      'data-check',
      'text-start',
      'text-delta',
      'text-end',
      'data-report',
      'finish',
    ]);
    const research = await look(runId);
    expect(research).toMatchObject({ status: 'done', ended: null, error: null });
    expect(research.evidence).toContainEqual(
      expect.objectContaining({
        path: 'birds/owls.md',
        quote: 'Owls hunt at night in 12 forests.',
        startLine: 3,
        endLine: 3,
        verified: true,
        supports: 'yes',
      }),
    );
    expect(research.counts).toEqual({ sentences: 4, supported: 4, marked: 0, dropped: 0 });
    expect(research.calls).toBeLessThanOrEqual(estimate.calls);
    const note = await service.call<{ content: string }[]>('GET', `/api/notes?workspaceId=${workspace.id}`);
    expect(note.body).toContainEqual(
      expect.objectContaining({ id: research.noteId, content: expect.stringContaining('12 forests') }),
    );
    const kept = await service.call('GET', `/api/conversations/${conversationId}`);
    expect(kept.body).toMatchObject({ kind: 'research', messageCount: 2 });
  });

  it('exports the report in every format', async () => {
    const { runId } = await report();
    for (const format of ['md', 'html', 'docx', 'bibtex', 'csl', 'zip']) {
      const file = await service.call('GET', `/api/research/${runId}/export?format=${format}`);
      expect([format, file.status, file.bytes.length > 0]).toEqual([format, 200, true]);
    }
  });

  it('exports a reproducible ZIP file with the passages, which sha256sum verifies', async () => {
    const { runId } = await report({ question: 'Do owls hunt in forests?' });
    const read = async () => (await service.call('GET', `/api/research/${runId}/export?format=zip`)).bytes;
    const archive = await read();
    await rm(join(workspace.root, 'hawks.md'));
    expect((await read()).equals(archive)).toBe(true);
    await writeFile(join(workspace.root, 'hawks.md'), HAWKS);
    const folder = await unzip(archive);
    execFileSync('sha256sum', ['-c', '--strict', 'manifest-sha256.txt'], { cwd: folder, stdio: 'pipe' });
    const { evidence } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
    expect(evidence.length).toBeGreaterThan(0);
    for (const { quote, extract } of evidence) {
      const passage = await readFile(join(folder, extract.file), 'utf8');
      expect(passage.slice(extract.start, extract.start + quote.length)).toBe(quote);
    }
    await writeFile(join(folder, 'report.md'), 'Owls hunt at noon.');
    expect(() =>
      execFileSync('sha256sum', ['-c', 'manifest-sha256.txt'], { cwd: folder, stdio: 'pipe' }),
    ).toThrow();
  });

  it("drops invented quotes, numbers, IDs, and statements that a quote doesn't support", async () => {
    answer(({ step, passages, evidence }) => {
      if (step === 'read')
        return {
          claims: [
            { passage: 1, claim: 'Owls never sleep.', quote: 'Owls never sleep at all.' },
            { passage: 99, claim: 'Owls fly.', quote: 'Owls fly.' },
            ...passages.map(({ number, text }) => {
              const quote = /^(?:Owls|Hawks) .*$/m.exec(text)?.[0] ?? '';
              return { passage: number, claim: quote, quote };
            }),
          ],
        };
      const [one] = evidence;
      if (step !== 'write' || one === undefined) return undefined;
      const invented = [
        { text: 'Owls hunt at night in 13 forests.', evidence: [one.id] },
        { text: 'Owls hunt in Sweden and Norway.', evidence: ['e77'] },
        { text: 'Owls do not hunt at night.', evidence: [one.id] },
        { text: one.claim, evidence: [one.id] },
      ];
      return { paragraphs: [invented], open: ['Did 900 owls vanish?', 'Where do owls sleep?'] };
    });
    const research = await report({ question: 'When do owls never sleep?' });
    const text = JSON.stringify([research.sections, research.evidence]);
    for (const made of ['never sleep at', '13', 'Sweden', 'do not hunt']) expect(text).not.toContain(made);
    expect(research.counts).toMatchObject({ marked: 0, dropped: 3 });
    expect(research.openQuestions).not.toContain('Did 900 owls vanish?');
  });

  it('flags partly supported sentences, and accepts a rewritten one', async () => {
    answer(({ step, evidence, sentences }) => {
      const [one] = evidence;
      if (step === 'write')
        return {
          paragraphs: [
            [
              { text: 'Owls hunt in part.', evidence: [one?.id] },
              { text: 'Owls like 99 mice.', evidence: [one?.id] },
            ],
          ],
        };
      if (step === 'judge' && sentences.some(({ text }) => text === 'Owls hunt in part.'))
        return { verdicts: [{ number: 1, says: 'partly', why: 'only in part' }] };
      if (step === 'rewrite') return { sentences: [{ number: 2, text: one?.claim, evidence: [one?.id] }] };
      return undefined;
    });
    const { sections } = await report({ question: 'When do owls hunt in part?' });
    const section = sections.find(({ questionId }) => questionId === 'q1');
    expect(section?.paragraphs.flat()).toMatchObject([
      { text: 'Owls hunt in part.', state: 'marked', reasons: ['only in part'] },
      { state: 'supported' },
    ]);
  });

  it('ends at its budget with the current result, and reports it', async () => {
    const research = await report({ question: 'When do owls hunt at last?', budget: { calls: 4 } });
    expect(research).toMatchObject({ status: 'done', ended: 'ended at its budget of 4 model calls' });
    expect(research.calls).toBeLessThanOrEqual(4);
    expect(research.noteId).not.toBeNull();
  });

  it('loses only one section, not the run, if a model returns invalid text', async () => {
    answer(({ step }) => (step === 'write' ? 'I would rather not.' : undefined));
    const research = await report({ question: 'When do owls hunt nonsense?' });
    expect(research).toMatchObject({ status: 'done', openQuestions: ['When do owls hunt nonsense?'] });
    expect(research.evidence.length).toBeGreaterThan(0);
  });

  it('rejects an invalid request', async () => {
    const body = { workspaceId: workspace.id, question: QUESTION };
    for (const [wrong, status] of [
      [{ ...body, question: ' ' }, 400],
      [{ ...body, depth: 'endless' }, 400],
      [{ ...body, sources: [] }, 400],
      [{ ...body, addresses: ['http://example.com'] }, 400],
      [{ ...body, budget: { calls: 0 } }, 400],
      [{ ...body, language: 'e n' }, 400],
      [{ ...body, workspaceId: 'none' }, 404],
    ] as const)
      expect([wrong, (await service.call('POST', '/api/research', wrong)).status]).toEqual([wrong, status]);
    expect((await service.call('GET', '/api/research/none')).status).toBe(404);
  });
});

describe('research plan', () => {
  it('waits for a person, who can edit it', async () => {
    const { runId } = await begin({ question: 'When do owls plan?', approvePlan: true });
    const waiting = await waitFor(runId, 'waiting');
    expect(waiting.plan?.questions).toMatchObject([{ id: 'q1', question: 'When do owls plan?' }]);
    expect((await service.call('GET', `/api/research/${runId}/export`)).status).toBe(409);
    const questions = [{ question: 'Do hawks hunt?' }, { question: 'Do owls hunt by day?' }];
    const answered = await service.call('POST', `/api/research/${runId}/plan`, { questions });
    expect(answered.status).toBe(200);
    expect((await service.call('POST', `/api/research/${runId}/plan`, {})).status).toBe(409);
    const research = await waitFor(runId, 'done');
    expect(research.plan?.questions.map(({ id, question }) => [id, question])).toEqual([
      ['q1', 'Do hawks hunt?'],
      ['q2', 'Do owls hunt by day?'],
    ]);
    expect(research.sections.length).toBeGreaterThan(1);
  });

  it('ends the run if it is denied', async () => {
    const { runId } = await begin({ question: 'Shall owls?', approvePlan: true });
    await waitFor(runId, 'waiting');
    await service.call('POST', `/api/research/${runId}/plan`, { approved: false });
    expect(await waitFor(runId, 'failed')).toMatchObject({ error: 'The plan was denied.' });
  });

  it("can't be approved if no plan is waiting", async () => {
    const { runId } = await report();
    expect((await service.call('POST', `/api/research/${runId}/plan`, {})).status).toBe(409);
  });
});

describe('finished report', () => {
  it('answers a follow-up question from its evidence, in the same conversation', async () => {
    const before = await report();
    const { body, status } = await service.call<Started>('POST', `/api/research/${before.runId}/continue`, {
      question: 'And hawks?',
    });
    expect(status).toBe(202);
    expect(body.conversationId).toBe(before.conversationId);
    const research = await waitFor(body.runId, 'done');
    expect(research).toMatchObject({
      previousRunId: before.runId,
      plan: { questions: [{ question: 'And hawks?' }] },
    });
    const known = new Set(before.evidence.map(({ id }) => id));
    expect(research.evidence.filter(({ id }) => known.has(id))).toHaveLength(known.size);
  });

  it('lists new evidence when it is refreshed, and costs only that evidence', async () => {
    const { id: workspaceId } = await makeAviary();
    const before = await report({ workspaceId, question: 'When do owls refresh?' });
    const file = {
      workspaceId,
      path: 'new.md',
      content: '# New\n\nOwls refresh in 77 lakes.\n',
    };
    await service.call('POST', '/api/files/write', file);
    await syncWorkspace(service, workspaceId);
    asked = [];
    const { body } = await service.call<Started>('POST', `/api/research/${before.runId}/refresh`, {});
    const research = await waitFor(body.runId, 'done');
    expect(research.sections[0]).toMatchObject({ heading: 'What is new' });
    expect(JSON.stringify(research.sections[0])).toContain('Owls refresh in 77 lakes.');
    const reads = asked.filter(({ step }) => step === 'read');
    expect(reads).toHaveLength(1);
    expect(reads[0]?.passages).toHaveLength(1);
    expect(asked.filter(({ step }) => step === 'plan')).toEqual([]);
  });

  it('shows the current state of its quotes when it is refreshed', async () => {
    const { id: workspaceId } = await makeAviary();
    const path = 'moved.md';
    const write = async (content: string) => {
      await service.call('POST', '/api/files/write', { workspaceId, path, content });
      await syncWorkspace(service, workspaceId);
    };
    await write('Kites hunt over fields.\n');
    const before = await report({ workspaceId, question: 'When do kites hunt over fields?' });
    await write('# Kites\n\nThey are birds.\n\nKites hunt over fields.\n');
    const { body } = await service.call<Started>('POST', `/api/research/${before.runId}/refresh`, {});
    const { evidence } = await waitFor(body.runId, 'done');
    expect(evidence.find((each) => each.path === path)).toMatchObject({ startLine: 5, endLine: 5 });
  });

  it('finds nothing new if its files were only moved, and cites their new paths', async () => {
    const { id: workspaceId } = await makeAviary();
    const before = await report({ workspaceId, question: 'When do moved owls hunt?' });
    const move = { workspaceId, oldPath: 'birds/owls.md', newPath: 'kept/night.md' };
    await service.call('POST', '/api/files/rename', move);
    await syncWorkspace(service, workspaceId);
    asked = [];
    const { body } = await service.call<Started>('POST', `/api/research/${before.runId}/refresh`, {});
    const { evidence, sections } = await waitFor(body.runId, 'done');
    expect(JSON.stringify(sections[0])).toContain('0 claims are new, and 0 of its quotes');
    const moved = before.evidence.map(({ path }) => (path === move.oldPath ? move.newPath : path));
    expect(evidence.map(({ path }) => path)).toEqual(moved);
    expect(asked.filter(({ step }) => step === 'read')).toEqual([]);
  });

  it('costs nothing if the same question is asked again', async () => {
    const before = await report({ question: 'When do owls hunt twice?' });
    asked = [];
    const again = await report({ question: 'When do owls hunt twice?' });
    expect(asked).toEqual([]);
    expect(again).toMatchObject({ calls: 0, sections: before.sections });
  });
});

it('research run can be stopped in the middle of a call', async () => {
  const gate = Promise.withResolvers<void>();
  provider.beforePiece = () => gate.promise;
  try {
    const { runId } = await begin({ question: 'When do owls stop?' });
    await eventually(
      async () => provider.openChats,
      (open) => open > 0,
    );
    await service.call('POST', `/api/agent/runs/${runId}/stop`);
    expect(await waitFor(runId, 'stopped')).toMatchObject({ noteId: null });
  } finally {
    provider.beforePiece = undefined;
    gate.resolve();
  }
});
