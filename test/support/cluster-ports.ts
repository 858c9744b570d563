import { kubernetesCluster } from '../../lib/adapters/kubernetes/cluster.ts';
import type { ClusterActor } from '../../lib/cluster/audit.ts';
import { operations, operationsPartition } from '../../lib/cluster/schema.ts';
import { readConfig } from '../../lib/config.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openRecords } from '../../lib/wiring/records.ts';
import { fakeObject, startFakeKubernetes } from './fakes/fake-kubernetes.ts';
import { tempFolder, whenDone } from './temp-folder.ts';

export const ACTOR: ClusterActor = { workspaceId: 'w', callerId: 'c', runId: 'run', approvedBy: 'c' };

/** The ports for the cluster rules: the adapter on a fake API server, and a real store for the audit log. */
export async function startClusterPorts() {
  const fake = await startFakeKubernetes();
  whenDone(() => fake.stop());
  const records = await openRecords(readConfig({ DATA_DIR: await tempFolder() }));
  const { cluster: rules } = readConfig({ K8S_IMAGE: 'python:3', K8S_SUBMITTER: 'lab' });
  const cluster = kubernetesCluster({ kubeconfig: { text: fake.kubeconfig() } });
  const ports = { cluster, records, clock: systemClock, rules };

  /** Returns the audit log: `tool verb resource namespace status`, oldest first. */
  async function log(): Promise<string[]> {
    const { items } = await operations.list(records, { partition: operationsPartition(ACTOR.workspaceId) });
    return items.map((entry) =>
      [entry.tool, entry.verb, entry.resource, entry.namespace, entry.status].join(' '),
    );
  }
  return { fake, ports, log };
}

export function node(name: string, allocatable: Record<string, string>, ready = true) {
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return fakeObject('v1', 'Node', name, { spec: {}, status: { allocatable, conditions } });
}
