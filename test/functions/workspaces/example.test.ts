import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Citation } from '../../../lib/api-contract/citation.ts';
import type { Schemas } from '../../../lib/api-contract/schema.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';

type Example = Schemas['ExampleWorkspace'];

let service: Service;

/** The example needs no model. */
async function startWithoutModel(): Promise<void> {
  service = await startService({ PROVIDER_A_API_KEY: '' });
}

function openExample(body: object = { language: 'en' }, at: Service = service) {
  return at.call<Example>('POST', '/api/workspaces/example', body);
}

interface Message {
  role: string;
  parts: { type: string; text?: string; data?: unknown }[];
}

async function readChat({ conversationId }: Example): Promise<Message[]> {
  const path = `/api/conversations/${conversationId}`;
  return (await service.call<{ messages: Message[] }>('GET', path)).body.messages;
}

function readReport({ runId }: Example) {
  return service.call<Schemas['Research']>('GET', `/api/research/${runId}`);
}

/** The text of a file as the service returns it; citations count its lines. */
async function readLines({ id }: Example, { path, startLine, endLine }: Citation): Promise<string> {
  const as = path.endsWith('.pdf') ? '&as=indexed' : '';
  const query = `workspaceId=${id}&path=${encodeURIComponent(path)}${as}`;
  const read = () => service.call<{ content: string }>('GET', `/api/files/read?${query}`);
  const { body } = await eventually(read, ({ status }) => status === 200);
  return body.content
    .split('\n')
    .slice(startLine - 1, endLine)
    .join('\n');
}

describe('POST /api/workspaces/example', () => {
  describe('on a service without the example', () => {
    beforeEach(startWithoutModel);

    it('returns the same example to concurrent callers', async () => {
      const opened = await Promise.all(Array.from({ length: 8 }, () => openExample()));
      expect(opened.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill(200), 201]);
      const [first] = opened;
      for (const { body } of opened)
        expect({ ...body, created: true }).toEqual({ ...first?.body, created: true });
      const said = await readChat(opened[0]?.body as Example);
      expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
      expect((await readReport(opened[0]?.body as Example)).body.sections.length).toBe(5);
    });

    it('creates files, a conversation, and a report that can be read like any others', async () => {
      const { status, body } = await openExample();
      expect(status).toBe(201);
      expect(body).toMatchObject({ name: 'Example: summer heat', example: 'en' });
      const said = await readChat(body);
      expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
      const report = await readReport(body);
      expect(report.body).toMatchObject({
        status: 'done',
        calls: 0,
        counts: { marked: 0, dropped: 0, judged: false },
      });
      expect(report.body.sections.length).toBe(5);
      const note = await service.call('GET', `/api/notes/${report.body.noteId}`);
      expect(note.status).toBe(200);
      for (const format of ['md', 'html', 'docx', 'bibtex', 'csl', 'zip']) {
        const file = await service.call('GET', `/api/research/${body.runId}/export?format=${format}`);
        expect([format, file.status]).toEqual([format, 200]);
      }
      const rules = await service.call<{ rules: { action: string }[] }>(
        'GET',
        `/api/workspaces/${body.id}/permissions`,
      );
      expect(rules.body.rules.map(({ action }) => action)).toContain('ask');
      const listed = await service.call<unknown[]>('GET', `/api/conversations?workspaceId=${body.id}`);
      expect(listed.body).toHaveLength(2);
    });

    it('returns 200 with the same example after deletions and changes, and adds the missing parts', async () => {
      const made = (await openExample()).body;
      const paper = join(made.rootPath, 'papers/2024-residents.md');
      await writeFile(paper, 'mine');
      await rm(join(made.rootPath, 'data/air-temperature.csv'));
      await service.call('DELETE', `/api/conversations/${made.conversationId}`);
      const again = await openExample();
      expect(again).toMatchObject({ status: 200, body: made });
      expect(await readChat(again.body)).toHaveLength(4);
      expect(await readFile(paper, 'utf8')).toBe('mine');
      expect(await readFile(join(made.rootPath, 'data/air-temperature.csv'), 'utf8')).toContain('35.4');
      const answers = await Promise.all(Array.from({ length: 8 }, () => openExample()));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(
        (await service.call<unknown[]>('GET', `/api/conversations?workspaceId=${made.id}`)).body,
      ).toHaveLength(2);
    });

    it('creates an example that can be deleted like any workspace, and created again from the remaining files', async () => {
      const made = (await openExample()).body;
      expect((await service.call('DELETE', `/api/workspaces/${made.id}`)).status).toBe(200);
      expect((await readReport(made)).status).toBe(404);
      expect((await service.call('GET', `/api/conversations/${made.conversationId}`)).status).toBe(404);
      await rm(join(made.rootPath, 'papers/2024-residents.md'), { force: true });
      const again = await openExample();
      expect(again.status).toBe(201);
      expect(again.body.rootPath).toBe(made.rootPath);
      expect(again.body.id).not.toBe(made.id);
    });
  });

  describe('with or without an existing example', () => {
    beforeAll(startWithoutModel);

    it('cites the text of the files at the lines that the service shows', async () => {
      for (const language of ['en', 'zh-CN']) {
        const { body } = await openExample({ language });
        const parts = (await readChat(body)).flatMap((message) => message.parts);
        const cited = parts.flatMap(({ type, data }) => (type === 'data-citation' ? [data as Citation] : []));
        expect(cited.length).toBeGreaterThan(10);
        for (const citation of cited) expect(await readLines(body, citation)).toContain(citation.quote);
        const { evidence } = (await readReport(body)).body;
        for (const each of evidence) expect(await readLines(body, each as never)).toContain(each.quote);
      }
    });

    it('indexes the files, so that a search finds them', async () => {
      const { body } = await openExample();
      const search = () =>
        service.call<{ path: string }[]>('GET', `/api/workspaces/${body.id}/search?q=nozzles`);
      const { body: found } = await eventually(search, (answer) => answer.body.length > 0);
      expect(found[0]?.path).toBe('papers/2023-misting.pdf');
    });

    it('rejects another language', async () => {
      expect((await openExample({ language: 'fr' })).status).toBe(400);
    });
  });

  it('replaces no file of a user, and no other workspace', async () => {
    const other = await startService({ PROVIDER_A_API_KEY: '' });
    await mkdir(join(other.root, 'example/papers'), { recursive: true });
    await writeFile(join(other.root, 'example/papers/2024-residents.md'), 'mine');
    await other.call('POST', '/api/workspaces', { path: 'example-2' });
    const { status, body } = await openExample({ language: 'en' }, other);
    expect(status).toBe(201);
    expect(body.rootPath).toBe(join(other.root, 'example-3'));
    expect(await readFile(join(other.root, 'example/papers/2024-residents.md'), 'utf8')).toBe('mine');
  });
});
