import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { researchAnswer } from '../../support/research-model.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

let service: Service;
let workspace: TestWorkspace;

beforeAll(async () => {
  const provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  provider.answer = researchAnswer();
  service = await startService({ PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'sk' });
  workspace = await makeWorkspace(service);
});

const MISSING = '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11';
const HEX = 'a'.repeat(64);
const dataUrl = (bytes: string | Buffer) => `data:;base64,${Buffer.from(bytes).toString('base64')}`;
const golden = (name: string) => readFile(join(import.meta.dirname, '../../golden/documents', name));

beforeAll(async () => {
  const put = async (name: string, bytes: string | Buffer) => writeFile(join(workspace.root, name), bytes);
  await mkdir(join(workspace.root, 'folder'));
  await symlink('/etc/hostname', join(workspace.root, 'link.md'));
  await put('sheet.xlsx', await golden('apes.xlsx'));
  await put('locked.docx', await golden('locked.xlsx'));
  await put('broken.docx', (await golden('apes.docx')).subarray(0, 900));
  await put('binary.txt', Buffer.from([0, 255, 0, 254, 1, 2, 3]));
  await put('large.md', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'));
});

const start = (body: Record<string, unknown>) => service.call<{ runId: string }>('POST', '/api/verify', body);

async function done(body: Record<string, unknown>): Promise<string> {
  const { runId } = (await start({ workspaceId: workspace.id, ...body })).body;
  await eventually(
    () => service.call<{ status: string }>('GET', `/api/verify/${runId}`),
    ({ body: { status } }) => status === 'done',
  );
  return runId;
}

const refusal = ({ status, headers }: { status: number; headers: Record<string, unknown> }) => [
  ...[status, headers['x-error-code'], headers['x-error-field']],
];

describe('POST /api/verify rejects', () => {
  it.each<[string, Record<string, unknown>, number, string, string | undefined]>([
    ['no draft', {}, 400, 'missing_value', 'text'],
    ['two drafts', { text: 'Owls hunt.', path: 'a.md' }, 400, 'invalid_value', 'path'],
    ['an empty text', { text: '' }, 400, 'invalid_value', 'text'],
    ['spaces', { text: ' \n\t ' }, 400, 'draft_empty', undefined],
    ['a path outside', { path: '../a.md' }, 400, 'invalid_path', 'path'],
    ['a link to the outside', { path: 'link.md' }, 400, 'path_outside_workspace', 'path'],
    ['a missing file', { path: 'none.md' }, 404, 'path_not_found', 'path'],
    ['a folder', { path: 'folder' }, 400, 'not_a_file', 'path'],
    ['another format', { path: 'sheet.xlsx' }, 400, 'file_format_unsupported', undefined],
    ['an encrypted file', { path: 'locked.docx' }, 400, 'file_encrypted', undefined],
    ['a damaged file', { path: 'broken.docx' }, 400, 'file_damaged', undefined],
    ['a binary file', { path: 'binary.txt' }, 400, 'file_format_unsupported', undefined],
    ['a large file', { path: 'large.md' }, 413, 'draft_too_large', 'path'],
    ['too many sentences', { text: 'Owls hunt here. '.repeat(8001) }, 413, 'draft_too_large', undefined],
    ['another URL', { attachment: { url: 'https://a.example/a.md' } }, 400, 'invalid_value', 'attachment'],
    ['invalid base64', { attachment: { url: 'data:;base64,a' } }, 400, 'invalid_value', 'attachment'],
    [
      'an unknown attachment',
      { attachment: { url: `/api/conversations/c/attachments/${HEX}` } },
      ...([404, 'attachment_not_found', 'attachment'] as const),
    ],
    ['an encrypted attachment', { attachment: { url: 'locked' } }, 400, 'file_encrypted', undefined],
    ['a part without text', { path: 'a.md', partOf: MISSING }, 400, 'invalid_value', 'partOf'],
    ['a part of an unknown check', { text: 'Owls.', partOf: MISSING }, 404, 'run_not_found', undefined],
    ['an unknown field', { text: 'Owls.', depth: 'deep' }, 400, 'unknown_field', 'depth'],
    ['a budget of zero', { text: 'Owls.', budget: { calls: 0 } }, 400, 'invalid_value', 'budget.calls'],
  ])('%s', async (_, fields, status, code, field) => {
    const locked = { url: dataUrl(await golden('locked.xlsx')), filename: 'draft.docx' };
    const { attachment } = fields as { attachment?: { url: string } };
    const sent = attachment?.url === 'locked' ? { ...fields, attachment: locked } : fields;
    expect(refusal(await start({ workspaceId: workspace.id, ...sent }))).toEqual([status, code, field]);
  });

  it.each<[string, Record<string, unknown>, number, string, string | undefined]>([
    ['no workspace', {}, 400, 'missing_value', 'workspaceId'],
    ['an unknown workspace', { workspaceId: 'none' }, 404, 'workspace_not_found', undefined],
    ['an unknown one of several', { workspaceIds: ['none'] }, 404, 'workspace_not_found', undefined],
    ['an empty list', { workspaceIds: [] }, 400, 'invalid_value', 'workspaceIds'],
    ['both fields', { workspaceId: 'own', workspaceIds: ['own'] }, 400, 'invalid_value', 'workspaceIds'],
  ])('%s', async (_, fields, status, code, field) => {
    const { workspaceId } = fields as { workspaceId?: string };
    const own = workspaceId === 'own' ? { ...fields, workspaceId: workspace.id } : fields;
    expect(refusal(await start({ text: 'Owls hunt.', ...own }))).toEqual([status, code, field]);
  });
});

describe('draft check', () => {
  it('reads an attached file by its name', async () => {
    const url = dataUrl('# Owls\n\nOwls **hunt** at night.\n');
    const runId = await done({ attachment: { url, filename: 'my/owls.md' } });
    const { body } = await service.call('GET', `/api/verify/${runId}`);
    expect(body).toMatchObject({ name: 'owls.md', format: 'md', counts: { claims: 1, not_found: 1 } });
  });

  it.each([
    ['an unknown run', 'GET', '/api/verify/none', 404, 'run_not_found'],
    ['an unknown export format', 'GET', '/api/verify/RUN/export?format=pdf', 400, 'invalid_value'],
    [
      'comments in another format',
      'GET',
      '/api/verify/RUN/export?format=docx',
      400,
      'draft_export_unsupported',
    ],
    ['a missing sentence', 'POST', '/api/verify/RUN/sentences/9/suggestion', 404, 'draft_sentence_not_found'],
    ['a sentence without a number', 'POST', '/api/verify/RUN/sentences/x/suggestion', 400, 'invalid_value'],
    [
      'a sentence without quotes',
      ...(['POST', '/api/verify/RUN/sentences/1/suggestion', 409, 'draft_sentence_without_quotes'] as const),
    ],
  ])('rejects %s', async (_, method, path, status, code) => {
    const runId = await done({ text: 'Owls hunt at night.' });
    expect(refusal(await service.call(method, path.replace('RUN', runId))).slice(0, 2)).toEqual([
      status,
      code,
    ]);
  });

  it('is not found by the ID of an agent run or a report', async () => {
    const research = { workspaceId: workspace.id, question: 'Owls?', depth: 'quick' };
    const { runId } = (await service.call<{ runId: string }>('POST', '/api/research', research)).body;
    expect(refusal(await service.call('GET', `/api/verify/${runId}`)).slice(0, 2)).toEqual([
      404,
      'draft_check_not_found',
    ]);
    const checkId = await done({ text: 'Owls hunt at night.' });
    expect(refusal(await service.call('GET', `/api/research/${checkId}`)).slice(0, 2)).toEqual([
      404,
      'report_not_found',
    ]);
  });
});
