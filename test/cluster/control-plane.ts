import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KubernetesApi, kubernetesApi } from '../lanes/servers/kubernetes-api.ts';

const { CLUSTER_FOLDER: folder, CLUSTER_URL: url } = process.env;
if (folder === undefined || url === undefined) throw new Error('these tests are run by npm run test:cluster');

/** The control plane that test/lanes/cluster.ts started. */
export const API_SERVER: string = url;
export const FOLDER: string = folder;

type User = 'admin' | 'service' | 'reader';

export function kubeconfigOf(user: User): string {
  return join(FOLDER, `${user}.kubeconfig`);
}

/** The cluster as an administrator sees it, without the service. */
export const asAdmin: KubernetesApi = kubernetesApi(
  API_SERVER,
  await readFile(join(FOLDER, 'admin.token'), 'utf8'),
);

/** Returns the kubeconfig of a user with another token, another server, or both. */
export async function changedKubeconfig(
  user: User,
  change: { token?: string; server?: string },
): Promise<string> {
  const text = await readFile(kubeconfigOf(user), 'utf8');
  const withToken = text.replace(/(token: ).*/, (line, key) =>
    change.token ? `${key}${change.token}` : line,
  );
  return withToken.replace(API_SERVER, change.server ?? API_SERVER);
}
