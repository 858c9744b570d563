import { beforeAll, describe, expect, it } from '@jest/globals';
import { startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually, syncWorkspace } from '../../support/sync.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.ts';

const BRIDGES = '# Bridges\n\nThe Firth bridge was opened in 1890. It is 2467 metres long.\n';

interface Broken {
  id: string;
  document: { kind: string; id: string };
  citation: { path: string; quote: string };
  reason: string;
  suggestion?: { path: string };
}

let service: Service;
let workspace: TestWorkspace;

beforeAll(async () => {
  const provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  service = await startService({ PROVIDER_A_BASE_URL: provider.url });
  workspace = await makeWorkspace(service);
  await write('bridges.md', BRIDGES);
  await syncWorkspace(service, workspace.id);
});

async function write(path: string, content: string): Promise<void> {
  const file = { workspaceId: workspace.id, path, content };
  expect((await service.call('POST', '/api/files/write', file)).status).toBe(200);
}

async function broken(): Promise<Broken[]> {
  const { status, body } = await service.call<Broken[]>(
    'GET',
    `/api/workspaces/${workspace.id}/broken-citations`,
  );
  expect(status).toBe(200);
  return body;
}

describe('GET /api/workspaces/{workspaceId}/broken-citations', () => {
  it('lists an answer whose file was changed, and repairs it from another file', async () => {
    const messages = [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'When was the bridge opened?' }] },
    ];
    await service.call('POST', '/api/chat', { workspaceId: workspace.id, id: 'bridges', messages });
    expect(await broken()).toEqual([]);
    await write('bridges.md', '# Bridges\n\nNothing is known of them.\n');
    const [found] = await eventually(broken, (all) => all.length > 0);
    expect(found).toMatchObject({ document: { kind: 'answer', id: 'bridges' }, reason: 'changed' });
    const repair = `/api/workspaces/${workspace.id}/broken-citations/${found?.id}/repair`;
    const refused = await service.call('POST', repair);
    expect([refused.status, refused.headers['x-error-code']]).toEqual([409, 'repair_not_found']);
    await write('old/bridges.md', BRIDGES);
    await eventually(broken, ([first]) => first?.suggestion?.path === 'old/bridges.md');
    const repaired = await service.call('POST', repair);
    expect(repaired).toMatchObject({ status: 200, body: { citation: { path: 'old/bridges.md' } } });
    const { body } = await service.call('GET', '/api/conversations/bridges');
    expect(JSON.stringify(body)).toContain('old/bridges.md');
    const activity = await service.call<{ kind: string }[]>(
      'GET',
      `/api/workspaces/${workspace.id}/activity`,
    );
    expect(activity.body.filter(({ kind }) => kind === 'citations_broken')).toHaveLength(1);
  });
});
