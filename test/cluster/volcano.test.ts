import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as yaml from 'js-yaml';
import { startClusterRig } from '../support/cluster.ts';
import { eventually } from '../support/sync.ts';
import { whenDone } from '../support/temp-folder.ts';
import { asAdmin, FOLDER, kubeconfigOf } from './control-plane.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const JOBS = '/apis/batch.volcano.sh/v1alpha1/namespaces/research/jobs';

/** Volcano's job type, as in its own Go types. Its controllers don't run, so such a job gets no pods. */
async function installVolcano(): Promise<void> {
  const definition = yaml.load(await readFile(join(FOLDER, 'volcano.yaml'), 'utf8'));
  await asAdmin('POST', DEFINITIONS, definition);
  whenDone(async () => {
    await asAdmin('DELETE', `${DEFINITIONS}/jobs.batch.volcano.sh`);
    await untilServed(false); // the next file uses the built-in jobs again
  });
  await untilServed(true);
}

function untilServed(wanted: boolean): Promise<boolean> {
  const isServed = () =>
    asAdmin('GET', JOBS).then(
      () => true,
      () => false,
    );
  return eventually(isServed, (served) => served === wanted, 30_000);
}

await installVolcano();
const rig = await startClusterRig(kubeconfigOf('service'), {
  K8S_IMAGE: 'trainer:1',
  K8S_SUBMITTER: 'team-owl',
});
const NAMESPACE = { namespace: 'research' };

describe('cluster with Volcano', () => {
  it('gets Volcano jobs, which are found, counted, and deleted', async () => {
    const input = { name: 'many-gpus', ...NAMESPACE, command: 'python train.py', gpus: 4 };
    const { error, approval } = await rig.callTool('submitJob', input);
    expect(error).toBeUndefined();
    expect(approval?.summary).toMatch(/Volcano|volcano/);
    const job = JSON.stringify(await asAdmin('GET', `${JOBS}/many-gpus`));
    expect(job).toMatch(/"nvidia.com\/gpu":"?4/);
    expect(job).toContain('python train.py');
    await expect(asAdmin('GET', '/apis/batch/v1/namespaces/research/jobs/many-gpus')).rejects.toThrow(/404/);

    const results = await rig.callTool('collectJobResults', { name: 'many-gpus', ...NAMESPACE });
    expect(results.error).toBeUndefined();
    const { body } = await rig.member.call<{ jobs: unknown[] }>('GET', '/api/cluster/status');
    expect(body.jobs).toContainEqual({
      ...{ name: 'many-gpus', namespace: 'research' },
      ...{ active: 0, succeeded: 0, failed: 0 },
    });
    const kind = 'jobs.batch.volcano.sh';
    expect(
      (await rig.callTool('cluster', { action: 'delete', kind, name: 'many-gpus', ...NAMESPACE })).error,
    ).toBe(undefined);
    await expect(asAdmin('GET', `${JOBS}/many-gpus`)).rejects.toThrow(/404/);
  });
});
