import type { Config } from '../config.ts';
import type { Cluster } from '../ports/cluster.ts';
import type { Secrets } from '../ports/secrets.ts';

/** The cluster of the kubeconfig, which lies at KUBECONFIG_PATH or in the secret KUBECONFIG; undefined without either. */
export async function openCluster(
  _config: Pick<Config, 'cluster'>,
  _secrets: Secrets,
): Promise<Cluster | undefined> {
  return undefined;
}
