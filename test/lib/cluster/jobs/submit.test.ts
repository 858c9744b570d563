import { beforeEach, describe, expect, it } from '@jest/globals';
import { activities, activitiesPartition } from '../../../../lib/activity/schema.ts';
import { describeJob, refuseJob, submitJob } from '../../../../lib/cluster/jobs/submit.ts';
import { ACTOR, node, startClusterPorts } from '../../../support/cluster-ports.ts';
import { VOLCANO_JOB } from '../../../support/fakes/fake-kubernetes.ts';

type Rig = Awaited<ReturnType<typeof startClusterPorts>>;

const JOB = { name: 'train', namespace: 'research', command: 'python train.py', gpus: 0 };

let rig: Rig;
let fake: Rig['fake'];
let ports: Rig['ports'];

beforeEach(async () => {
  rig = await startClusterPorts();
  ({ fake, ports } = rig);
  fake.objects = [
    node('a', { cpu: '8', 'nvidia.com/gpu': '4' }),
    node('b', { cpu: '8', 'nvidia.com/gpu': '8', 'rdma/hca': '100' }),
    node('c', { cpu: '8', 'nvidia.com/gpu': '16' }, false),
  ];
});

function jobs() {
  return fake.objects.filter(({ kind }) => kind === 'Job');
}

describe('approval request for a job', () => {
  it('is complete after the cluster has validated it, before anything is changed or logged', async () => {
    const job = { ...JOB, gpus: 2, cpus: 4, memoryGb: 16, image: 'torch:2' };
    expect((await describeJob(ports, job, ACTOR)).split('\n')).toEqual([
      'Submit job train to the cluster, in namespace research: 2 nvidia.com/gpu, 4 CPUs, 16 GiB of memory, image torch:2.',
      'It runs: python train.py',
      'The cluster accepts it as jobs.batch (checked by a dry run and a permission check).',
    ]);
    expect(jobs()).toEqual([]);
    expect(await rig.log()).toEqual([]);
  });

  it('warns that the job would wait if no node is large enough', async () => {
    const text = await describeJob(ports, { ...JOB, gpus: 9 }, ACTOR);
    expect(text).toContain('No available node has more than 8 GPUs, so the job may wait');
  });

  it.each<[string, Partial<typeof JOB> & { image?: string }, (rig: Rig) => unknown, string | RegExp, string]>(
    [
      [
        'the cluster forbids it',
        {},
        ({ fake }) => {
          fake.forbids = ({ verb }) => verb === 'create';
        },
        /^jobs.batch is forbidden: User ".*" cannot create resource "jobs" in API group "batch" in the namespace "research"$/,
        'denied',
      ],
      [
        'the cluster rejects only the review',
        {},
        ({ fake }) => {
          const status = { allowed: false, reason: 'not today' };
          fake.intercept = ({ path }) =>
            path.endsWith('reviews') ? { status: 201, body: { status } } : undefined;
        },
        'The cluster does not permit the service to create jobs.batch in namespace research: not today.',
        'denied',
      ],
      [
        'a job with its name exists',
        {},
        ({ fake }) => fake.objects.push(existingJob()),
        /already exists/,
        'error',
      ],
      ['the namespace is protected', { namespace: 'kube-system' }, () => {}, /is protected/, 'blocked'],
      [
        'no node has a GPU',
        { gpus: 1 },
        ({ fake }) => fake.objects.splice(0),
        /^gpus must be 0: no node/,
        'error',
      ],
      ['the cluster is unreachable', {}, ({ fake }) => void fake.stop(), /^Can't reach the cluster/, 'error'],
    ],
  )(
    'is absent if %s, and the model gets the reason, which is logged',
    async (_, fields, prepare, message, status) => {
      prepare(rig);
      const job = { ...JOB, ...fields };
      await expect(describeJob(ports, job, ACTOR)).rejects.toThrow(message);
      expect(await rig.log()).toEqual([`submitJob create jobs/train ${job.namespace} ${status}`]);
    },
  );

  it('requires an image if none is configured', async () => {
    const rules = { ...ports.rules, image: undefined };
    await expect(describeJob({ ...ports, rules }, JOB, ACTOR)).rejects.toThrow(
      /^image is required.*K8S_IMAGE/,
    );
  });
});

function existingJob() {
  const metadata = { name: 'train', namespace: 'research' };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata };
}

describe('submitted job', () => {
  it('has the requested fields and labels, is validated once, and has no token', async () => {
    const rules = { ...ports.rules, imagePullSecret: 'pull', submitter: 'someone@lab.example' };
    const job = { ...JOB, gpus: 2, cpus: 4, memoryGb: 16 };
    expect(await submitJob({ ...ports, rules }, job, ACTOR)).toEqual({
      ...{ name: 'train', namespace: 'research', kind: 'jobs.batch', image: 'python:3' },
      resources: '2 nvidia.com/gpu, 4 CPUs, 16 GiB of memory',
    });
    const amounts = { cpu: '4', memory: '16Gi', 'nvidia.com/gpu': '2' };
    expect(jobs()).toMatchObject([
      {
        apiVersion: 'batch/v1',
        metadata: {
          ...{ name: 'train', namespace: 'research' },
          labels: { 'workspace-research/workspace': 'w', 'workspace-research/run': 'run' },
          annotations: { 'workspace-research/submitter': 'someone@lab.example' },
        },
        spec: {
          backoffLimit: 0,
          template: {
            spec: {
              restartPolicy: 'Never',
              automountServiceAccountToken: false,
              imagePullSecrets: [{ name: 'pull' }],
              containers: [
                {
                  ...{ name: 'main', image: 'python:3', command: ['/bin/sh', '-c', 'python train.py'] },
                  resources: { requests: amounts, limits: amounts },
                },
              ],
            },
          },
        },
      },
    ]);
    expect(jobs()[0]?.metadata.labels).not.toHaveProperty('workspace-research/submitter'); // @ is not allowed in labels
  });

  it('is logged with its approver, and is an activity of the workspace', async () => {
    await submitJob(ports, JOB, ACTOR);
    expect(await rig.log()).toEqual(['submitJob create jobs/train research success']);
    const partition = activitiesPartition('w');
    expect((await activities.list(ports.records, { partition })).items).toMatchObject([
      {
        ...{ kind: 'job_submitted', actor: 'c' },
        summary: 'Submitted job train to the cluster, in namespace research: no GPU',
        details: { name: 'train', namespace: 'research', image: 'python:3', runId: 'run' },
      },
    ]);
  });

  it('is a Volcano job if the cluster supports them', async () => {
    fake.kinds = [VOLCANO_JOB];
    expect(await submitJob(ports, JOB, ACTOR)).toMatchObject({ kind: 'jobs.batch.volcano.sh' });
    expect(jobs()).toMatchObject([
      {
        apiVersion: 'batch.volcano.sh/v1alpha1',
        spec: {
          ...{ schedulerName: 'volcano', minAvailable: 1 },
          tasks: [{ replicas: 1, template: { spec: { automountServiceAccountToken: false } } }],
        },
      },
    ]);
  });

  it('requests the GPU type of most nodes', async () => {
    fake.objects = [
      node('a', { 'huawei.com/Ascend910B': '8' }),
      node('b', { 'huawei.com/Ascend910B': '8' }),
      node('c', { 'nvidia.com/gpu': '8', 'nvidia.com/gpu.shared': '80' }),
    ];
    expect(await submitJob(ports, { ...JOB, gpus: 1 }, ACTOR)).toMatchObject({
      resources: '1 huawei.com/Ascend910B',
    });
  });

  it('is logged even if a person denies it', async () => {
    await refuseJob(ports, JOB, { ...ACTOR, approvedBy: null });
    expect(await rig.log()).toEqual(['submitJob create jobs/train research denied']);
  });
});
