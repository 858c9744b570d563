import type { NodeShape, PodShape } from './objects.ts';

/**
 * Matches device plugins' names for a whole GPU or an equivalent: `nvidia.com/gpu`, `huawei.com/Ascend910B`.
 */
const GPU = /^[\w.-]+\/(gpu|dcu|mlu|npu|i915|xe|Ascend\d\w*)$/i;

/** Returns the number of GPUs that a node may assign to pods, by resource name. */
export function gpusOf({ status }: NodeShape): Map<string, number> {
  return gpusAmong(status.allocatable);
}

/** Returns the number of GPUs of all kinds assigned to a pod. */
export function gpusOfPod({ spec }: PodShape): number {
  return spec.containers
    .flatMap(({ resources }) => [...gpusAmong(resources.limits).values()])
    .reduce((sum, amount) => sum + amount, 0);
}

function gpusAmong(quantities: Record<string, string>): Map<string, number> {
  const found = Object.entries(quantities).filter(([name, amount]) => GPU.test(name) && Number(amount) > 0);
  return new Map(found.map(([name, amount]) => [name, Number(amount)]));
}

export interface GpuSupply {
  resource: string;
  total: number;
  /** The maximum on a single schedulable node, which is also the maximum for a pod. */
  largest: number;
}

/** Returns the GPU resource that the cluster has most of. */
export function findGpus(nodes: NodeShape[]): GpuSupply | undefined {
  const supplies = new Map<string, GpuSupply>();
  for (const node of nodes) {
    const takesPods = isReady(node) && node.spec.unschedulable !== true;
    for (const [resource, amount] of gpusOf(node)) {
      const { total, largest } = supplies.get(resource) ?? { total: 0, largest: 0 };
      const most = takesPods ? Math.max(largest, amount) : largest;
      supplies.set(resource, { resource, total: total + amount, largest: most });
    }
  }
  return [...supplies.values()].sort((a, b) => b.total - a.total)[0];
}

export function isReady({ status }: NodeShape): boolean {
  return status.conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}
