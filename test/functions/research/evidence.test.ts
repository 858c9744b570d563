import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Document, Packer, Paragraph } from 'docx';
import type { DescribedTable } from '../../../lib/evidence/request-schema.ts';
import { waitForRun } from '../../support/agent-client.ts';
import { evidenceAnswer } from '../../support/evidence-model.ts';
import { type FakeOpenai, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const FILES = {
  'a.md': '# Owls\n\nWeight: 500 g\n\nPlace: =HYPERLINK("http://evil.example","x")\n',
  'b.md': '# Hawks\n\nWeight: 900 g\n\nPlace: Oslo, Norway\n',
};
const COLUMNS = [
  { name: 'Weight', question: 'Weight', type: 'number', unit: 'g' },
  { name: 'Place', question: 'Place', type: 'text' },
];

let provider: FakeOpenai;
let service: Service;
let workspace: TestWorkspace;

beforeAll(async () => {
  provider = await startFakeOpenai({ answer: evidenceAnswer() });
  whenDone(() => provider.stop());
  service = await startService({
    ...{ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk', EMBEDDING_MODEL: 'none' },
  });
  workspace = await makeWorkspace(service);
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(workspace.root, name), text);
  await syncWorkspace(service, workspace.id);
});

const create = (fields: Record<string, unknown> = {}) =>
  service.call<{ tableId: string; runId: string; error?: string }>('POST', '/api/evidence-tables', {
    ...{ workspaceId: workspace.id, name: 'Birds', rows: { glob: '*.md' }, columns: COLUMNS, ...fields },
  });

async function read(fields: Record<string, unknown> = {}) {
  const { body } = await create(fields);
  await waitForRun(service, body.runId, 'done');
  return body.tableId;
}

function contractWith(notice: string): Promise<Buffer> {
  const clauses = ['Contract of hire', `Notice: ${notice}`, 'Law: Norway'];
  return Packer.toBuffer(
    new Document({ sections: [{ children: clauses.map((text) => new Paragraph(text)) }] }),
  );
}

const look = (tableId: string, query = '') =>
  service.call<DescribedTable>('GET', `/api/evidence-tables/${tableId}${query}`);

describe('evidence tables', () => {
  it('are created, listed, read page by page, corrected, and deleted', async () => {
    const tableId = await read();
    const { body, headers } = await look(tableId, '?limit=1');
    expect(body.counts).toMatchObject({ rows: 2, found: 4, waiting: 0 });
    expect(body.rows).toMatchObject([{ path: 'a.md', title: 'Owls' }]);
    expect(headers['x-next-cursor']).toBe('1');
    expect((await look(tableId, '?cursor=1')).body.rows).toMatchObject([{ path: 'b.md' }]);
    expect((await look(tableId, '?cursor=x')).status).toBe(400);
    const columnId = body.columns[0]?.id;
    const changed = await service.call<DescribedTable>('PATCH', `/api/evidence-tables/${tableId}`, {
      cells: [{ path: 'a.md', columnId, value: 501 }],
    });
    expect([changed.status, changed.body.counts.corrected]).toEqual([200, 1]);
    expect((await look(tableId, '?look=true')).body.rows).toEqual([]);
    const { body: all } = await service.call('GET', `/api/evidence-tables?workspaceId=${workspace.id}`);
    expect(all).toEqual(expect.arrayContaining([expect.objectContaining({ id: tableId, rowCount: 2 })]));
    const stopped = await service.call('POST', `/api/evidence-tables/${tableId}/stop`);
    expect([stopped.status, stopped.headers['x-error-code']]).toEqual([409, 'run_over']);
    expect((await service.call('DELETE', `/api/evidence-tables/${tableId}`)).status).toBe(200);
    expect((await look(tableId)).status).toBe(404);
  });

  it.each([
    ['no file', { rows: { glob: 'none/*' } }, 'rows.glob'],
    ['a file that is not indexed', { rows: { paths: ['c.md'] } }, 'rows.paths'],
    ['paths and a pattern', { rows: { paths: ['a.md'], glob: '*' } }, 'rows'],
    [
      'more than 1,000 documents',
      { rows: { paths: Array.from({ length: 1001 }, (_, at) => `${at}.md`) } },
      'rows.paths',
    ],
    ['a path outside', { rows: { paths: ['../a.md'] } }, 'rows.paths'],
    [
      'more than 20 columns',
      { columns: Array.from({ length: 21 }, (_, at) => ({ ...COLUMNS[1], name: `${at}` })) },
      'columns',
    ],
    ['two columns of one name', { columns: [COLUMNS[1], COLUMNS[1]] }, 'columns'],
    [
      'a choice without choices',
      { columns: [{ name: 'a', question: 'a', type: 'choice' }] },
      'columns.0.choices',
    ],
    ['a unit of a text', { columns: [{ ...COLUMNS[1], unit: 'g' }] }, 'columns.0.unit'],
    ['followed paths', { rows: { paths: ['a.md'] }, followNew: true }, 'followNew'],
    ['six documents first', { pilot: 6 }, 'pilot'],
    [
      'a choice in two spellings',
      { columns: [{ name: 'a', question: 'a', type: 'choice', choices: ['Trial', ' trial'] }] },
      'columns.0.choices',
    ],
    ['a source and a pattern', { rows: { glob: '*', sourceId: randomUUID() } }, 'rows'],
  ])('refuse %s', async (_, fields, field) => {
    const { status, headers } = await create(fields);
    expect([status, headers['x-error-field']]).toEqual([400, field]);
  });

  it('refuse columns that another person has replaced, by their ETag', async () => {
    const tableId = await read();
    const { headers, body } = await look(tableId);
    const path = `/api/evidence-tables/${tableId}`;
    const match = { 'if-match': String(headers.etag) };
    const columns = body.columns.slice(0, 1);
    const first = await service.call('PATCH', path, { columns }, match);
    expect([first.status, first.headers.etag]).toEqual([200, expect.not.stringMatching(match['if-match'])]);
    const second = await service.call('PATCH', path, { columns: body.columns }, match);
    expect([second.status, second.headers['x-error-code']]).toEqual([409, 'changed_since_read']);
  });

  it('suggest columns as they accept them, whatever a model adds', async () => {
    const { answer } = provider;
    const suggested = [
      { name: 'Weight', question: 'Weight?', type: 'number', unit: 'g', choices: [] },
      { name: 'weight', question: 'Again?', type: 'text', unit: null, choices: null },
      { name: 'Kind', question: 'Kind?', type: 'choice', choices: ['Trial', 'trial', 'Cohort'], unit: '' },
      { name: 'Open', question: 'Open?', type: 'choice', choices: ['Yes'] },
      { name: ' ', question: 'No name?', type: 'text' },
    ];
    provider.answer = () => JSON.stringify({ columns: suggested });
    const body = { workspaceId: workspace.id, question: 'What do owls weigh?' };
    const { status, body: found } = await service.call('POST', '/api/evidence-tables/columns', body);
    provider.answer = answer;
    expect([status, found]).toEqual([
      200,
      {
        columns: [
          { name: 'Weight', question: 'Weight?', type: 'number', unit: 'g' },
          { name: 'Kind', question: 'Kind?', type: 'choice', choices: ['Trial', 'Cohort'] },
          { name: 'Open', question: 'Open?', type: 'text' },
        ],
      },
    ]);
  });

  it('compare the clauses of Word contracts, with quotes of their paragraphs', async () => {
    const folder = join(workspace.root, 'contracts');
    await mkdir(folder);
    for (const [at, months] of ['3 months', '1 year'].entries())
      await writeFile(join(folder, `${at}.docx`), await contractWith(months));
    await syncWorkspace(service, workspace.id);
    const notice = { name: 'Notice', question: 'Notice', type: 'number', unit: 'months' };
    const law = { name: 'Law', question: 'Law', type: 'choice', choices: ['Norway', 'Sweden'] };
    const tableId = await read({ rows: { glob: 'contracts/*.docx' }, columns: [notice, law] });
    const { rows, columns, counts } = (await look(tableId)).body;
    expect(counts).toMatchObject({ rows: 2, found: 4, look: 0 });
    const [id = ''] = columns.map((column) => column.id);
    expect(rows.map(({ cells }) => cells[id])).toMatchObject([
      { value: 3, citations: [{ path: 'contracts/0.docx', quote: 'Notice: 3 months' }] },
      { value: 12, citations: [{ path: 'contracts/1.docx', quote: 'Notice: 1 year' }] },
    ]);
  });

  it('pay for no answer that another table of the workspace has', async () => {
    await read({ name: 'First' });
    const before = provider.chatRequests;
    const tableId = await read({ name: 'Second' });
    expect(provider.chatRequests).toBe(before);
    expect((await look(tableId)).body.counts).toMatchObject({ found: 4 });
  });
});
