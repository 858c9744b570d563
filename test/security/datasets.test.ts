import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { DescribedDataset } from '../../lib/datasets/schema.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { type Service, startService } from '../support/service.ts';
import { makeWorkspace } from '../support/workspace.ts';

const service = await startService({ AUTH_MODE: 'token' });

async function tokenFor(role: string, ...more: string[]): Promise<Pick<Service, 'call'>> {
  const command = resolve(import.meta.dirname, '../../infra/token.ts');
  const args = [command, 'create', '--name', `a ${role}`, '--role', role, ...more];
  const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir };
  const { stdout } = await runProgram(process.execPath, args, { env, cwd: service.dataDir });
  const headers = { authorization: `Bearer ${stdout.trim()}` };
  return { call: (method, path, body) => service.call(method, path, body, headers) };
}

const admin = await tokenFor('admin');
const asAdmin: Service = { ...service, ...admin };
const [mine, theirs] = [await makeWorkspace(asAdmin), await makeWorkspace(asAdmin)];
const bound = await tokenFor('member', '--workspaces', mine.id);
for (const { root } of [mine, theirs]) {
  await mkdir(join(root, 'data'));
  await writeFile(join(root, 'data/a.csv'), 'a\n1\n');
}

function importFrom(by: Pick<Service, 'call'>, localPath: string, name: string) {
  return by.call<DescribedDataset>('POST', '/api/datasets/import-local', { localPath, name });
}

describe('workspace-scoped credential', () => {
  it('imports only from that workspace', async () => {
    expect((await importFrom(bound, join(theirs.root, 'data'), 'x')).status).toBe(403);
    expect((await importFrom(bound, service.root, 'x')).status).toBe(403);
    const own = await importFrom(bound, join(mine.root, 'data'), 'own');
    expect(own.status).toBe(201);
    expect((await bound.call('POST', `/api/datasets/${own.body.id}/refresh`)).status).toBe(200);
  });

  it("sees a dataset of other workspaces only after it is linked, and can't change it", async () => {
    const { id } = (await importFrom(admin, join(theirs.root, 'data'), 'shared')).body;
    const seen = async () => {
      const { body } = await bound.call<DescribedDataset[]>('GET', '/api/datasets');
      return body.some((dataset) => dataset.id === id);
    };
    const read = async () => (await bound.call('GET', `/api/datasets/${id}/preview`)).status;
    expect([await seen(), await read()]).toEqual([false, 404]);
    expect(
      (await bound.call('POST', `/api/datasets/${id}/workspaces`, { workspaceId: mine.id })).status,
    ).toBe(404);
    for (const { id: workspaceId } of [mine, theirs])
      await admin.call('POST', `/api/datasets/${id}/workspaces`, { workspaceId });
    expect([await seen(), await read()]).toEqual([true, 200]);
    const links = await bound.call<{ workspaceId: string }[]>('GET', `/api/datasets/${id}/workspaces`);
    expect(links.body.map(({ workspaceId }) => workspaceId)).toEqual([mine.id]);
    for (const [method, what] of [
      ['DELETE', ''],
      ['POST', '/refresh'],
      ['POST', '/pause'],
      ['POST', '/cancel'],
      ['POST', '/retry'],
    ])
      expect((await bound.call(method ?? '', `/api/datasets/${id}${what}`)).status).toBe(403);
  });
});
