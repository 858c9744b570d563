import type { Sandbox } from '../launch.ts';
import { type HostGuard, type HostProxy, openHostProxy } from './host-proxy.ts';

/**
 * Runs work with a proxy to the hosts while the work lasts; without a proxy if the sandbox doesn't support
 * one.
 */
export async function withHosts<Result>(
  { admitsHosts = false }: Sandbox,
  { hosts = [], guard }: { hosts?: string[] | undefined; guard: HostGuard },
  work: (proxy?: HostProxy) => Promise<Result>,
): Promise<Result> {
  if (!admitsHosts || hosts.length === 0) return work();
  const proxy = await openHostProxy(hosts, guard);
  try {
    return await work(proxy);
  } finally {
    await proxy.close();
  }
}
