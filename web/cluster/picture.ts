import type { Schemas } from '../../lib/api-contract/schema.ts';

type Answer = Schemas['ClusterStatus'];
/** The response if the service has a cluster. */
export type Status = Required<Omit<Answer, 'error'>> & Pick<Answer, 'error'>;
type Node = Status['nodes'][number];
type Pod = Status['pods'][number];

export function hasCluster(answer: Answer | undefined): answer is Status {
  return answer?.configured === true;
}

/** Maximum squares. More of them would say no more than a number. */
const MOST_SQUARES = 64;

export interface NodePicture {
  node: Node;
  pods: Pod[];
  total: number;
  used: number;
  /** One square per GPU: its pod, or undefined if it's free. */
  squares: (string | undefined)[];
}

/**
 * Returns pods and their GPUs by node. The cluster doesn't report which GPU a pod uses, so pods fill the GPUs
 * in order.
 */
export function pictureOf({ nodes, pods }: Pick<Status, 'nodes' | 'pods'>): {
  nodes: NodePicture[];
  waiting: Pod[];
} {
  const names = new Set(nodes.map(({ name }) => name));
  return {
    nodes: nodes.map((node) =>
      drawNode(
        node,
        pods.filter(({ nodeName }) => nodeName === node.name),
      ),
    ),
    waiting: pods.filter(({ nodeName }) => !names.has(nodeName)),
  };
}

/** Returns a node's squares. Finished pods don't use a GPU. */
function drawNode(node: Node, pods: Pod[]): NodePicture {
  const total = Number(node.gpu) || 0;
  const holders = pods
    .filter(({ phase }) => phase !== 'Failed' && phase !== 'Succeeded')
    .map(({ name, gpu }) => ({ name, count: Math.max(0, Number(gpu) || 0) }));
  const used = Math.min(
    total,
    holders.reduce((sum, { count }) => sum + count, 0),
  );
  const names = holders.flatMap(({ name, count }) => Array(Math.min(MOST_SQUARES, count)).fill(name));
  const squares = Array.from({ length: Math.min(total, MOST_SQUARES) }, (_, index) => names[index]);
  return { node, pods, total, used, squares };
}

/** Returns `32826012Ki` as bytes; undefined for any other text. */
export function bytesOf(memory: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|k|M|G|T)?$/.exec(memory) ?? [];
  if (amount === undefined) return undefined;
  const step = unit.endsWith('i') ? 1024 : 1000;
  const power = unit === '' ? 0 : 'kMGT'.indexOf(unit[0] === 'K' ? 'k' : (unit[0] ?? '')) + 1;
  return Number(amount) * step ** power;
}
