import { beforeEach, describe, expect, it } from '@jest/globals';
import { jobResults } from '../../../../lib/cluster/jobs/results.ts';
import { ACTOR, startClusterPorts } from '../../../support/cluster-ports.ts';
import { type FakeObject, fakeObject, VOLCANO_JOB } from '../../../support/fakes/fake-kubernetes.ts';

type Rig = Awaited<ReturnType<typeof startClusterPorts>>;

let rig: Rig;
let fake: Rig['fake'];

beforeEach(async () => {
  rig = await startClusterPorts();
  ({ fake } = rig);
});

function read(tailLines = 100) {
  return jobResults(rig.ports, { name: 'train', namespace: 'research', tailLines }, ACTOR);
}

function job(status: Record<string, unknown> = {}, spec: Record<string, unknown> = {}): FakeObject {
  const made = fakeObject('batch/v1', 'Job', 'train', { metadata: { namespace: 'research' }, status });
  return { ...made, spec: { selector: { matchLabels: { 'controller-uid': made.metadata.uid } }, ...spec } };
}

function pod(
  owner: FakeObject,
  name: string,
  createdAt: string,
  fields: Record<string, unknown> = {},
): FakeObject {
  return fakeObject('v1', 'Pod', name, {
    metadata: {
      namespace: 'research',
      creationTimestamp: createdAt,
      labels: { 'controller-uid': String(owner.metadata.uid), 'volcano.sh/job-name': 'train' },
      ownerReferences: [{ uid: owner.metadata.uid }],
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'main' }] },
    status: { phase: 'Running' },
    ...fields,
  });
}

describe('job results', () => {
  it('contain its end, its pods with their logs, and the events of both', async () => {
    const conditions = [
      { type: 'SuccessCriteriaMet', status: 'True' },
      { type: 'Complete', status: 'True', reason: 'CompletionsReached', message: 'Reached' },
    ];
    const done = job({
      succeeded: 1,
      startTime: '2026-11-21T10:00:00Z',
      completionTime: '2026-11-21T10:05:00Z',
      conditions,
    });
    const state = { terminated: { exitCode: 0, reason: 'Completed' } };
    const own = pod(done, 'train-1', '2026-11-21T10:00:00Z', {
      status: { phase: 'Succeeded', containerStatuses: [{ name: 'main', state }] },
    });
    const event = (of: FakeObject, message: string, lastTimestamp: string) =>
      fakeObject('v1', 'Event', message, {
        metadata: { namespace: 'research' },
        ...{ type: 'Normal', reason: 'R', message, lastTimestamp, involvedObject: { uid: of.metadata.uid } },
      });
    fake.objects = [
      done,
      own,
      event(own, 'second', '2026-11-21T10:00:02Z'),
      event(done, 'first', '2026-11-21T10:00:01Z'),
    ];
    fake.logs.set('research/train-1/main', 'loss 0.5\nloss 0.3\n');
    expect(await read(1)).toEqual({
      ...{ name: 'train', namespace: 'research', kind: 'jobs.batch' },
      ...{ state: 'succeeded', reason: 'CompletionsReached: Reached', active: 0, succeeded: 1, failed: 0 },
      ...{ startedAt: '2026-11-21T10:00:00Z', finishedAt: '2026-11-21T10:05:00Z' },
      pods: [
        {
          ...{ name: 'train-1', phase: 'Succeeded', node: 'node-1', reason: '' },
          containers: [{ name: 'main', exitCode: 0, reason: 'Completed', log: 'loss 0.3\n' }],
        },
      ],
      events: [expect.objectContaining({ message: 'first' }), expect.objectContaining({ message: 'second' })],
    });
    expect(await rig.log()).toEqual(['collectJobResults get jobs/train research success']);
  });

  it('belong to exactly this job, not to an earlier one with its name, nor to pods that only claim to belong to it', async () => {
    const now = job({ active: 1 });
    const before = job();
    const claiming = pod(before, 'claims', '2026-11-21T10:00:00Z');
    claiming.metadata.labels = { 'controller-uid': String(now.metadata.uid) };
    fake.objects = [
      now,
      pod(before, 'old', '2026-11-21T09:00:00Z'),
      claiming,
      pod(now, 'own', '2026-11-21T10:00:00Z'),
    ];
    expect((await read()).pods.map(({ name }) => name)).toEqual(['own']);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, object]>([
    ['waits', {}, {}, { state: 'waiting', reason: '' }],
    ['is suspended', {}, { suspend: true }, { state: 'waiting', reason: 'suspended' }],
    ['runs', { active: 1 }, {}, { state: 'running', active: 1 }],
    [
      'failed',
      {
        failed: 1,
        conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'm' }],
      },
      {},
      { state: 'failed', reason: 'BackoffLimitExceeded: m', failed: 1 },
    ],
  ])('report that the job %s', async (_, status, spec, expected) => {
    fake.objects = [job(status, spec)];
    expect(await read()).toMatchObject(expected);
  });

  it('explain why a pod or its container waits, and that there is no log yet', async () => {
    const waiting = job({ active: 1 });
    fake.objects = [
      waiting,
      pod(waiting, 'pending', '2026-11-21T10:00:02Z', {
        spec: { containers: [{ name: 'main' }] },
        status: {
          phase: 'Pending',
          conditions: [
            { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' },
          ],
        },
      }),
      pod(waiting, 'pulling', '2026-11-21T10:00:01Z', {
        status: {
          phase: 'Pending',
          containerStatuses: [
            { name: 'main', state: { waiting: { reason: 'ErrImagePull', message: 'no such' } } },
          ],
        },
      }),
    ];
    const { pods } = await read();
    expect(pods).toMatchObject([
      { name: 'pending', node: '', reason: 'Unschedulable: 0/3 nodes' },
      { name: 'pulling', containers: [{ reason: 'ErrImagePull: no such', exitCode: null }] },
    ]);
    expect(pods[0]?.containers[0]?.log).toMatch(/^\[No log: .*waiting to start/);
  });

  it('are the latest of many attempts, whose logs share the limit', async () => {
    const failing = job({ failed: 5 });
    const tries = [1, 2, 3, 4, 5].map((at) => pod(failing, `try-${at}`, `2026-11-21T10:00:0${at}Z`));
    fake.objects = [failing, ...tries];
    for (const { metadata } of tries) fake.logs.set(`research/${metadata.name}/main`, 'x'.repeat(50_000));
    const { pods } = await read();
    expect(pods.map(({ name }) => name)).toEqual(['try-5', 'try-4', 'try-3']);
    const logs = pods.flatMap(({ containers }) => containers.map(({ log }) => log.length));
    expect(logs).toEqual([6000, 6000, 6000]);
  });

  it('belong to the Volcano job if it is the newer of two jobs with the name', async () => {
    fake.kinds = [VOLCANO_JOB];
    const volcano = fakeObject('batch.volcano.sh/v1alpha1', 'Job', 'train', {
      metadata: { namespace: 'research', creationTimestamp: '2026-11-21T12:00:00Z' },
      status: { state: { phase: 'Aborted', reason: 'by hand' }, failed: 1 },
    });
    fake.objects = [job(), volcano, pod(volcano, 'train-main-0', '2026-11-21T12:00:00Z')];
    expect(await read()).toMatchObject({
      ...{ kind: 'jobs.batch.volcano.sh', state: 'failed', reason: 'Aborted: by hand', failed: 1 },
      pods: [{ name: 'train-main-0' }],
    });
  });

  it('are denied for an unknown job and for a protected namespace', async () => {
    await expect(read()).rejects.toThrow('no job train in namespace research');
    const request = { name: 'train', namespace: 'kube-system', tailLines: 1 };
    await expect(jobResults(rig.ports, request, ACTOR)).rejects.toThrow(/protected/);
    expect(await rig.log()).toEqual([
      'collectJobResults get jobs/train research error',
      'collectJobResults get jobs/train kube-system blocked',
    ]);
  });
});
