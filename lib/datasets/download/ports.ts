import type { Hub } from '../../ports/hub.ts';
import type { DatasetPorts } from '../ports.ts';

export interface DownloadPorts extends DatasetPorts {
  hubs: Record<'hub_a' | 'hub_b', Hub>;
}
