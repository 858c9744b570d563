import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UploadParts } from '../../lib/files/schema.ts';
import { type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import type { Service } from '../support/service.ts';
import { createWorkspace, eventually, syncWorkspace } from '../support/sync.ts';
import { newStage, startAwsHost } from './host.ts';

describe('npm start -- --aws', () => {
  let provider: FakeOpenai;
  let service: Service;
  let workspaceId: string;

  beforeAll(async () => {
    provider = await startFakeOpenai();
    service = await startAwsHost(newStage(), {
      PROVIDER_A_BASE_URL: provider.url,
      EMBEDDING_BASE_URL: provider.url,
    });
    workspaceId = await createWorkspace(service, 'notes');
    await writeFile(join(service.root, 'notes/apes.md'), '# Apes\n\nApes eat bananas every day.\n');
  });
  afterAll(() => provider.stop());

  it('indexes a folder of files and answers with citations', async () => {
    expect(await syncWorkspace(service, workspaceId)).toMatchObject({ status: 'ready', newCount: 1 });
    const messages = [{ role: 'user', content: 'What do apes eat?' }];
    const { body } = await service.call<string>('POST', '/api/chat', { workspaceId, messages });
    expect(body).toContain('"quote":"Apes eat bananas every day."');
    expect(body).toContain('"verified":true');
  });

  it('automatically indexes files that are written through the API', async () => {
    await service.call('POST', '/api/files/write', {
      workspaceId,
      path: 'owls.md',
      content: 'Owls hunt voles.',
    });
    const search = () =>
      service.call<{ path: string }[]>('GET', `/api/workspaces/${workspaceId}/search?q=voles`);
    const { body } = await eventually(search, (answer) => answer.body[0]?.path === 'owls.md');
    expect(body[0]?.path).toBe('owls.md');
  });

  it('accepts a large upload through the bucket and its notification', async () => {
    const bytes = Buffer.alloc(6_000_000, 'large file ');
    const path = 'large.txt';
    const started = await service.call<{ uploadId: string; url: string }>('POST', '/api/files/uploads', {
      workspaceId,
      path,
      size: bytes.length,
    });
    expect(await fetch(started.body.url, { method: 'PUT', body: bytes })).toMatchObject({ status: 200 });
    const status = () =>
      service.call<{ status: string }>('GET', `/api/files/uploads/${started.body.uploadId}`);
    await eventually(status, ({ body }) => body.status === 'done');
    const raw = await service.call('GET', `/api/files/raw?workspaceId=${workspaceId}&path=${path}`);
    expect(raw.bytes.equals(bytes)).toBe(true);
  });

  it('continues an interrupted upload from its parts', async () => {
    const bytes = Buffer.alloc(9_000_000, 'a file in two parts ');
    const path = 'parts.txt';
    const { body: begun } = await service.call<{ uploadId: string }>('POST', '/api/files/uploads', {
      ...{ workspaceId, path, size: bytes.length },
    });
    const place = `/api/files/uploads/${begun.uploadId}`;
    const ask = () => service.call<UploadParts>('POST', `${place}/parts`);
    const send = async ({ body: { missing, partBytes } }: { body: UploadParts }, number: number) => {
      const { url = '', headers } = missing.find((part) => part.number === number) ?? {};
      const body = bytes.subarray(number * partBytes, (number + 1) * partBytes);
      expect(await fetch(url, { method: 'PUT', body, headers })).toMatchObject({ status: 200 });
    };
    await send(await ask(), 1);
    const left = await eventually(ask, ({ body }) => body.missing.length === 1);
    expect(left.body).toMatchObject({ count: 2, missing: [{ number: 0 }] });
    await send(left, 0);
    await eventually(
      () => service.call<{ status: string }>('GET', place),
      ({ body }) => body.status === 'done',
    );
    const raw = await service.call('GET', `/api/files/raw?workspaceId=${workspaceId}&path=${path}`);
    expect(raw.bytes.equals(bytes)).toBe(true);
  });

  it('keeps no records, queues, or objects in the data folder', async () => {
    const { readdir } = await import('node:fs/promises');
    expect((await readdir(service.dataDir)).sort()).toEqual(['vectors', 'workspaces']);
  });
});
