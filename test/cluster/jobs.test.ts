import { describe, expect, it } from '@jest/globals';
import { startClusterRig } from '../support/cluster.ts';
import { eventually } from '../support/sync.ts';
import { whenDone } from '../support/temp-folder.ts';
import { asAdmin, kubeconfigOf } from './control-plane.ts';

interface Job {
  metadata: { uid: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: { template: { spec: { imagePullSecrets?: { name: string }[]; containers: Container[] } } };
}
interface Container {
  image: string;
  command: string[];
  args?: string[];
  resources: { limits: Record<string, string> };
}

const rig = await startClusterRig(kubeconfigOf('service'), {
  K8S_SUBMITTER: 'team-owl',
  K8S_IMAGE: 'registry.example.org/trainer:1',
  K8S_IMAGE_PULL_SECRET: 'pull-me',
});
const { callTool } = rig;
const NAMESPACE = { namespace: 'research' };
const JOBS = '/apis/batch/v1/namespaces/research/jobs';
// The next run on the same cluster finds the same state.
whenDone(() => asAdmin('DELETE', `${JOBS}?propagationPolicy=Background`));

function jobAt(name: string, namespace = 'research'): Promise<Job> {
  return asAdmin<Job>('GET', `/apis/batch/v1/namespaces/${namespace}/jobs/${name}`);
}

async function resultsOf(name: string, done: RegExp): Promise<string> {
  const ask = async () =>
    JSON.stringify((await callTool('collectJobResults', { name, ...NAMESPACE })).output);
  return eventually(ask, (text) => done.test(text), 60_000);
}

describe('submitJob on a real cluster', () => {
  it('validates the job before it asks, creates it after a person approves it, and returns its log', async () => {
    const input = { name: 'trains', ...NAMESPACE, command: 'python train.py', gpus: 2, cpus: 4, memoryGb: 8 };
    const submitted = await callTool('submitJob', input, {
      meanwhile: async ({ summary, input: asked }) => {
        expect(summary).toMatch(/trains.*research.*2 nvidia\.com\/gpu, 4 CPUs, 8 GiB.*trainer:1/s);
        expect(summary).toMatch(/dry run/i);
        expect(asked).toMatchObject(input);
        await expect(jobAt('trains')).rejects.toThrow(/404/);
      },
    });
    expect(submitted.error).toBeUndefined();
    const { metadata, spec } = await jobAt('trains');
    const [container] = spec.template.spec.containers;
    expect(JSON.stringify(metadata)).toContain('team-owl');
    expect(spec.template.spec.imagePullSecrets).toEqual([{ name: 'pull-me' }]);
    expect(container?.image).toBe('registry.example.org/trainer:1');
    expect(JSON.stringify(container)).toContain('python train.py');
    expect(container?.resources.limits).toMatchObject({ 'nvidia.com/gpu': '2', cpu: '4', memory: '8Gi' });

    const results = await resultsOf('trains', /Complete/);
    expect(results).toContain('epoch 2 loss 0.31');
    expect(results).toContain('warning: slow disk');
    expect((await rig.operations()).operations.at(-1)).toMatchObject({
      workspaceId: rig.workspace.id,
      tool: 'submitJob',
      resource: 'jobs/trains',
      namespace: 'research',
      status: 'success',
      approvedBy: rig.member.id,
    });
    const { body } = await rig.member.call<{ kind: string; summary: string }[]>(
      'GET',
      `/api/workspaces/${rig.workspace.id}/activity`,
    );
    expect(body).toContainEqual(
      expect.objectContaining({ kind: 'job_submitted', summary: expect.stringContaining('trains') }),
    );
  });

  it('creates no job if the person denies it, and records the denial', async () => {
    const refused = await callTool(
      'submitJob',
      { name: 'unwanted', ...NAMESPACE, command: 'true' },
      { approved: false },
    );
    expect(refused.part?.type).toBe('tool-output-denied');
    await expect(jobAt('unwanted')).rejects.toThrow(/404/);
    expect((await rig.operations()).operations[0]).toMatchObject({
      tool: 'submitJob',
      resource: 'jobs/unwanted',
      status: 'denied',
    });
  });

  it('reports why a job failed', async () => {
    await callTool('submitJob', { name: 'fails-at-once', ...NAMESPACE, command: 'exit 3' });
    const results = await resultsOf('fails-at-once', /BackoffLimitExceeded/);
    expect(results).toMatch(/"exitCode":3|exit code 3/);
    expect(results).toContain('warning: slow disk');
  });

  it('reports why a job waits, while it has no log', async () => {
    await asAdmin('POST', JOBS, {
      metadata: { name: 'greedy-job' },
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [
              { name: 'main', image: 'busybox', resources: { limits: { 'nvidia.com/gpu': '64' } } },
            ],
          },
        },
      },
    });
    expect(await resultsOf('greedy-job', /FailedScheduling/)).toMatch(/Insufficient nvidia\.com\/gpu/);
    await callTool('cluster', { action: 'delete', kind: 'job', name: 'greedy-job', ...NAMESPACE });
  });

  it("rejects a second job of the same name with the API server's message", async () => {
    const again = await callTool('submitJob', { name: 'trains', ...NAMESPACE, command: 'true' });
    expect(again.error).toMatch(/jobs\.batch "trains" already exists/);
  });

  it('reports a missing job', async () => {
    const { error } = await callTool('collectJobResults', { name: 'nowhere', ...NAMESPACE });
    expect(error).toMatch(/no job nowhere in namespace research/);
  });

  it("asks for no approval if a quota of the namespace doesn't allow the job", async () => {
    const quotas = '/api/v1/namespaces/research/resourcequotas';
    const spec = { hard: { 'count/jobs.batch': '0' } };
    await asAdmin('POST', quotas, { metadata: { name: 'no-jobs' }, spec });
    try {
      await eventually(
        () => asAdmin<{ status: { hard?: object } }>('GET', `${quotas}/no-jobs`),
        ({ status }) => status.hard !== undefined,
        30_000,
      );
      const input = { name: 'one-too-many', ...NAMESPACE, command: 'true' };
      const { approval, error } = await callTool('submitJob', input);
      expect(error).toMatch(/exceeded quota: no-jobs, requested: count\/jobs\.batch=1/);
      expect(approval).toBeUndefined();
    } finally {
      await asAdmin('DELETE', `${quotas}/no-jobs`);
    }
  });

  it('shows before the approval that the cluster would reject the job', async () => {
    const input = { name: 'elsewhere', namespace: 'default', command: 'true' };
    const { approval, error, runId } = await callTool('submitJob', input);
    const words = /cannot create resource "jobs" in API group "batch" in the namespace "default"/;
    expect(approval?.summary ?? error).toMatch(words);
    expect(error).toMatch(words);
    expect(runId).not.toBe('');
    expect((await rig.operations()).operations[0]).toMatchObject({ status: 'denied', namespace: 'default' });
  });
});

describe('service with read-only permissions', () => {
  it("reads, and returns the API server's message for forbidden actions", async () => {
    const reader = await startClusterRig(kubeconfigOf('reader'), { K8S_IMAGE: 'trainer:1' });
    const looked = await reader.callTool('cluster', { action: 'get', kind: 'nodes' });
    expect(JSON.stringify(looked.output)).toContain('node-2');
    const { error } = await reader.callTool('submitJob', { name: 'wished', ...NAMESPACE, command: 'true' });
    expect(error).toMatch(
      /User "system:serviceaccount:research:reader" cannot create resource "jobs" in API group "batch" in the namespace "research"/,
    );
    expect((await reader.operations()).operations).toMatchObject([
      { tool: 'submitJob', status: 'denied', summary: expect.stringContaining('cannot create resource') },
      { tool: 'cluster', verb: 'get', status: 'success' },
    ]);
  });
});
