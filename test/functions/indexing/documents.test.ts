import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Document } from '../../../lib/documents/schema.ts';
import { startService } from '../../support/service.ts';
import { syncWorkspace } from '../../support/sync.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const OWLS = '---\ntitle: Night flights\nauthor: Ann Sand\ndate: 2021\n---\nThe tawny owl flies at night.\n';

async function start() {
  const { id, root } = await makeWorkspace(service);
  await mkdir(join(root, 'papers'));
  await writeFile(join(root, 'papers/owls.md'), OWLS);
  await syncWorkspace(service, id);
  const address = (path: string) => `/api/workspaces/${id}/documents/${encodeURIComponent(path)}`;
  return {
    ...{ id, root },
    get: (path: string) => service.call<Document>('GET', address(path)),
    correct: (path: string, body: unknown) => service.call<Document>('PATCH', address(path), body),
  };
}

describe('GET /api/workspaces/{workspaceId}/documents/{path}', () => {
  it('returns the metadata in the file', async () => {
    const { get } = await start();
    const { status, body } = await get('papers/owls.md');
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ path: 'papers/owls.md', title: 'Night flights', authors: ['Ann Sand'], year: 2021, doi: null },
      ...{ kind: 'notes', tags: [], citeKey: null, corrected: [], stated: {} },
    });
  });

  it.each(['none.md', '../outside.md', '/etc/passwd', 'papers', 'a/'.repeat(1500), 'constructor'])(
    'returns 404 for %s',
    async (path) => {
      const { get, correct } = await start();
      expect((await get(path)).status).toBe(404);
      expect((await correct(path, { title: 'Owls' })).status).toBe(404);
    },
  );

  it('gives search results the title, authors, and year', async () => {
    const { id } = await start();
    const found = await service.call<object[]>('GET', `/api/workspaces/${id}/search?q=tawny`);
    expect(found.body[0]).toMatchObject({ title: 'Night flights', authors: ['Ann Sand'], year: 2021 });
  });
});

describe('PATCH /api/workspaces/{workspaceId}/documents/{path}', () => {
  it('keeps corrections when the file is changed and indexed again, and until they are null', async () => {
    const { id, root, get, correct } = await start();
    await correct('papers/owls.md', { title: 'Owls at night', tags: ['birds'], citeKey: 'sand2021' });
    await writeFile(join(root, 'papers/owls.md'), `${OWLS}More.`);
    await syncWorkspace(service, id);
    expect((await get('papers/owls.md')).body).toMatchObject({
      ...{ title: 'Owls at night', tags: ['birds'], citeKey: 'sand2021', authors: ['Ann Sand'] },
      corrected: ['title', 'tags', 'citeKey'],
    });
    const { body } = await correct('papers/owls.md', { title: null });
    expect(body).toMatchObject({
      ...{ title: 'Night flights', corrected: ['tags', 'citeKey'] },
      stated: { tags: [], citeKey: null },
    });
  });

  it('keeps corrections when a folder is renamed by another program, even after a change', async () => {
    const { id, root, get, correct } = await start();
    await correct('papers/owls.md', { title: 'Owls at night' });
    await writeFile(join(root, 'papers/owls.md'), `${OWLS}More.`);
    await syncWorkspace(service, id);
    await rename(join(root, 'papers'), join(root, 'birds'));
    await syncWorkspace(service, id);
    expect((await get('birds/owls.md')).body.title).toBe('Owls at night');
  });

  it('loses no correction if several arrive at the same time, during a sync', async () => {
    const { id, root, get, correct } = await start();
    await correct('papers/owls.md', { year: 2020 });
    await writeFile(join(root, 'papers/owls.md'), `${OWLS}More.`);
    const changes = [{ title: 'Owls' }, { authors: ['Ben Hill'] }, { tags: ['birds'] }, { citeKey: 'hill' }];
    const replies = changes.map((change) => correct('papers/owls.md', change));
    await Promise.all([...replies, syncWorkspace(service, id)]);
    expect((await get('papers/owls.md')).body).toMatchObject({
      ...{ title: 'Owls', authors: ['Ben Hill'], year: 2020, tags: ['birds'], citeKey: 'hill' },
    });
  });

  it.each([
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ title: ' \u202e\n ' }, 'title'],
    [{ year: 99_999 }, 'year'],
    [{ authors: Array(101).fill('A B') }, 'authors'],
    [{ doi: 'https://doi.org/10.1' }, 'doi'],
    [{ citeKey: 'a}{b' }, 'citeKey'],
    [{ path: 'other.md' }, 'path'],
  ])('refuses a wrong value (%#)', async (body, field) => {
    const { correct } = await start();
    const { status, headers, body: answer } = await correct('papers/owls.md', body);
    expect(status).toBe(400);
    expect(headers).toMatchObject({ 'x-error-code': expect.anything() });
    expect(JSON.stringify(answer)).toContain(field);
  });

  it('stores a title on one line, without characters that reorder it', async () => {
    const { correct } = await start();
    const { body } = await correct('papers/owls.md', { title: '<b>Owls\u202e\n at night' });
    expect(body.title).toBe('<b>Owls at night');
  });
});
