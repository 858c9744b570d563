import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationsPage } from '../../../lib/cluster/schema.ts';
import { makeCaller, type TestCaller } from '../../support/callers.ts';
import { type ClusterRig, kubeconfigFile, startClusterRig } from '../../support/cluster.ts';
import { type FakeKubernetes, fakeObject, startFakeKubernetes } from '../../support/fakes/fake-kubernetes.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

let fake: FakeKubernetes;
let rig: ClusterRig;
let viewer: TestCaller;
let outsider: TestCaller;

const WEB = { kind: 'deployment', name: 'web', namespace: 'research' };

beforeAll(async () => {
  fake = await startFakeKubernetes();
  whenDone(() => fake.stop());
  fake.objects = [
    fakeObject('apps/v1', 'Deployment', 'web', {
      metadata: { namespace: 'research' },
      spec: { replicas: 1 },
    }),
  ];
  rig = await startClusterRig(await kubeconfigFile(fake.kubeconfig()));
  const elsewhere = await makeWorkspace({ ...rig.service, call: rig.admin.call });
  [viewer, outsider] = await Promise.all([
    makeCaller(rig.service, 'viewer'),
    makeCaller(rig.service, 'admin', '--workspaces', elsewhere.id),
  ]);
  await rig.callTool('cluster', { action: 'get', kind: 'deployment', namespace: 'research' });
  await rig.callTool('cluster', { action: 'scale', ...WEB, replicas: 2 });
  await rig.callTool('cluster', { action: 'get', kind: 'secrets', namespace: 'research' });
  await rig.callTool('cluster', { action: 'delete', ...WEB }, { approved: false });
  await rig.callTool('cluster', { action: 'describe', ...WEB, name: 'gone' });
});

function list(query: string, by: Pick<TestCaller, 'call'> = rig.member) {
  return by.call<OperationsPage & { error: string }>('GET', `/api/cluster/operations${query}`);
}

describe('GET /api/cluster/operations', () => {
  it('lists finished and rejected operations, newest first, with the approver', async () => {
    const { status, body } = await list(`?workspaceId=${rig.workspace.id}`);
    expect([status, body.total, body.limit, body.offset]).toEqual([200, 5, 50, 0]);
    expect(body.operations.map(({ verb, resource, status }) => [verb, resource, status])).toEqual([
      ['describe', 'deployment/gone', 'error'],
      ['delete', 'deployment/web', 'denied'],
      ['get', 'secrets', 'blocked'],
      ['scale', 'deployment/web', 'success'],
      ['get', 'deployment', 'success'],
    ]);
    expect(body.operations.map(({ approvedBy }) => approvedBy)).toEqual([
      null,
      null,
      null,
      rig.member.id,
      null,
    ]);
    expect(body.operations[3]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      workspaceId: rig.workspace.id,
      tool: 'cluster',
      verb: 'scale',
      resource: 'deployment/web',
      namespace: 'research',
      status: 'success',
      approvedBy: rig.member.id,
      summary: 'scaled deployments.apps/web, replicas 2',
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
    });
  });

  it('returns numbered pages, and the total', async () => {
    const { body: all } = await list(`?workspaceId=${rig.workspace.id}`);
    const { body } = await list(`?workspaceId=${rig.workspace.id}&limit=2&offset=3`);
    expect(body).toEqual({ operations: all.operations.slice(3), total: 5, limit: 2, offset: 3 });
    expect((await list(`?workspaceId=${rig.workspace.id}&limit=200&offset=5`)).body).toMatchObject({
      operations: [],
      total: 5,
    });
  });

  it('shows the operations of all workspaces to administrators', async () => {
    expect((await list('', rig.admin)).body).toMatchObject({
      total: 5,
      operations: Array(5).fill(expect.anything()),
    });
  });

  it.each<[string, string, () => Pick<TestCaller, 'call'>, number, RegExp]>([
    ['no limit', '?limit=0', () => rig.admin, 400, /limit/],
    ['a limit over 200', '?limit=201', () => rig.admin, 400, /limit/],
    ["a limit that isn't a number", '?limit=all', () => rig.admin, 400, /limit/],
    ['a negative offset', '?offset=-1', () => rig.admin, 400, /offset/],
    ['a fractional offset', '?offset=1.5', () => rig.admin, 400, /offset/],
    ['a huge offset', '?offset=1000000', () => rig.admin, 400, /offset/],
    ['an invalid workspace ID', '?workspaceId=x', () => rig.admin, 404, /workspace/],
    ['a missing workspace', `?workspaceId=${randomUUID()}`, () => rig.admin, 404, /workspace/],
    ['all of them, for a member', '', () => rig.member, 403, /admin/],
    ['all of them, for a viewer', '', () => viewer, 403, /admin/],
    ['all of them, for a workspace-scoped administrator', '', () => outsider, 403, /workspace/],
    ['an unauthenticated caller', '', () => rig.service, 401, /credential/],
  ])('rejects %s', async (_what, query, by, status, words) => {
    const answer = await list(query, by());
    expect([answer.status, answer.body]).toEqual([status, { error: expect.stringMatching(words) }]);
  });

  it('rejects a request for a workspace of other users', async () => {
    expect((await list(`?workspaceId=${rig.workspace.id}`, outsider)).status).toBe(403);
  });

  it.each(['/api/cluster/status', '/api/cluster/operations'])(
    'does not let a caller change %s',
    async (path) => {
      const { status, headers } = await rig.admin.call('POST', path, {});
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    },
  );
});
