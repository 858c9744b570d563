import * as z from 'zod';

/** Fields that the cluster itself fills in. A server may omit any of them, or set them to null. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const count = z
  .int()
  .nullish()
  .transform((value) => value ?? 0);
const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
const quantities = z
  .record(z.string(), z.coerce.string())
  .nullish()
  .transform((given) => given ?? {});

const condition = z.object({ type: text, status: text, reason: text, message: text });
const metadata = z.object({
  name: z.string(),
  namespace: text,
  uid: text,
  labels: z
    .record(z.string(), z.string())
    .nullish()
    .transform((labels) => labels ?? {}),
  creationTimestamp: text,
  ownerReferences: list(z.object({ uid: text })),
});

export const nodeShape = z.object({
  metadata,
  spec: z.object({ unschedulable: z.boolean().optional() }).prefault({}),
  status: z.object({ allocatable: quantities, conditions: list(condition) }).prefault({}),
});
export type NodeShape = z.output<typeof nodeShape>;

const terminated = z.object({ exitCode: z.int().optional(), reason: text, message: text }).optional();
const waiting = z.object({ reason: text, message: text }).optional();
const containerStatus = z.object({
  name: text,
  restartCount: count,
  state: z.object({ terminated, waiting }).prefault({}),
});

/** The limits of a container. GPUs are assigned as a whole, and are listed in its limits. */
const resources = z
  .object({ limits: quantities })
  .nullish()
  .transform((given) => given ?? { limits: {} });

export const podShape = z.object({
  metadata,
  spec: z
    .object({
      nodeName: text,
      containers: list(z.object({ name: z.string(), resources })),
      initContainers: list(z.object({ name: z.string() })),
    })
    .prefault({}),
  status: z
    .object({
      phase: text,
      reason: text,
      message: text,
      conditions: list(condition),
      containerStatuses: list(containerStatus),
      initContainerStatuses: list(containerStatus),
    })
    .prefault({}),
});
export type PodShape = z.output<typeof podShape>;

export const jobShape = z.object({
  metadata,
  spec: z
    .object({
      selector: z.object({ matchLabels: z.record(z.string(), z.string()).optional() }).optional(),
      suspend: z.boolean().nullish(),
    })
    .prefault({}),
  status: z
    .object({
      active: count,
      succeeded: count,
      failed: count,
      startTime: text,
      completionTime: text,
      conditions: list(condition),
    })
    .prefault({}),
});

/** A job of batch.volcano.sh/v1alpha1. */
export const volcanoJobShape = z.object({
  metadata,
  status: z
    .object({
      state: z.object({ phase: text, reason: text, message: text }).prefault({}),
      pending: count,
      running: count,
      succeeded: count,
      failed: count,
      terminating: count,
    })
    .prefault({}),
});

/** An event of the core group. Older and newer reporters omit different fields. */
export const eventShape = z.object({
  type: text,
  reason: text,
  message: text,
  count: count,
  firstTimestamp: text,
  lastTimestamp: text,
  eventTime: text,
  series: z.object({ count: count, lastObservedTime: text }).nullish(),
  involvedObject: z.object({ kind: text, name: text, uid: text }).prefault({}),
  metadata: z.object({ creationTimestamp: text }).prefault({}),
});

const usage = z.object({ cpu: text, memory: text });
export const metricsShape = z.object({
  metadata: z.object({ name: z.string() }),
  usage: usage.optional(),
  containers: list(z.object({ name: text, usage: usage.prefault({}) })),
});
