import { readFile } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Secrets } from '../ports/secrets.ts';

/**
 * Milliseconds for which a cluster is cached, because the kubeconfig, or a file that it names, may be replaced while
 * the service runs.
 */
const CACHE_MS = 10 * 60_000;

let latest: { key: string; until: number; cluster: Cluster } | undefined;

/**
 * Opens the cluster of the kubeconfig at KUBECONFIG_PATH, or in the secret KUBECONFIG; undefined without
 * either. If the kubeconfig is unusable, each call reports that, so that nothing else in the service fails
 * because of it.
 */
export async function openCluster(
  { cluster: { kubeconfigPath }, proxy }: Pick<Config, 'cluster' | 'proxy'>,
  secrets: Secrets,
): Promise<Cluster | undefined> {
  const text =
    kubeconfigPath === undefined ? await secrets.get('KUBECONFIG') : await readText(kubeconfigPath);
  if (text === undefined) return undefined;
  const key = JSON.stringify([kubeconfigPath, text]);
  if (latest?.key === key && Date.now() < latest.until) return latest.cluster;
  const { kubernetesCluster } = await import('../adapters/kubernetes/cluster.ts');
  const kubeconfig = kubeconfigPath === undefined ? { text } : { path: kubeconfigPath };
  const cluster = kubernetesCluster({ kubeconfig, proxy });
  latest = { key, until: Date.now() + CACHE_MS, cluster };
  return cluster;
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => ''); // the cluster's calls report the reason
}
