import type { Cluster, ClusterPlace } from '../../ports/cluster.ts';
import { findKind } from './find-kind.ts';
import { eventShape } from './objects.ts';

export interface ClusterEvent {
  time: string;
  /** Either `Normal` or `Warning`. */
  type: string;
  reason: string;
  /** For example, `Pod/train-x7k2p`. */
  object: string;
  message: string;
  times: number;
}

/** The number of events to read. The cluster's own order of events is useless. */
const READ = 500;
const MAX_EVENTS = 50;

/** Returns the latest events of a namespace, or of one object in it, oldest first. */
export async function readEvents(
  cluster: Cluster,
  namespace: string,
  about: { fieldSelector?: string; labelSelector?: string | undefined } = {},
): Promise<ClusterEvent[]> {
  const kind = await findKind(cluster, 'events');
  const { objects } = await cluster.list(kind, { namespace, ...about, limit: READ });
  const events = objects.map((object) => describeEvent(eventShape.parse(object)));
  return events.sort((a, b) => (a.time < b.time ? -1 : 1)).slice(-MAX_EVENTS);
}

/** Reads the events of each name separately, because a field selector has no "or". */
export async function readEventsOf(
  cluster: Cluster,
  { namespace }: Pick<ClusterPlace, 'namespace'>,
  uids: string[],
): Promise<ClusterEvent[]> {
  const each = uids.map((uid) =>
    readEvents(cluster, namespace, { fieldSelector: `involvedObject.uid=${uid}` }),
  );
  const events = (await Promise.all(each)).flat();
  return events.sort((a, b) => (a.time < b.time ? -1 : 1)).slice(-MAX_EVENTS);
}

function describeEvent(event: ReturnType<typeof eventShape.parse>): ClusterEvent {
  const { type, reason, message, series, involvedObject, metadata } = event;
  const times = [series?.lastObservedTime, event.lastTimestamp, event.eventTime, event.firstTimestamp];
  return {
    time: times.find((time) => time !== undefined && time !== '') ?? metadata.creationTimestamp,
    type,
    reason,
    object: `${involvedObject.kind}/${involvedObject.name}`,
    message: message.slice(0, 500).toWellFormed(),
    times: series?.count || event.count || 1,
  };
}
