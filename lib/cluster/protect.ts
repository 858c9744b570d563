import { Forbidden } from '../errors.ts';

/** What the service itself never does, whatever the cluster would allow. */
export class ClusterBlocked extends Forbidden {}
