import type { Sandbox } from '../launch.ts';
import { type HostGuard, type HostProxy, openHostProxy } from './host-proxy.ts';

/** Runs work with a proxy to the hosts, as long as it takes; without one where the sandbox can't lead to a proxy. */
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
