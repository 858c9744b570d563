import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as yaml from 'js-yaml';
import { findFreePort } from '../../../infra/free-port.ts';
import { fetchOnLoopback, type KubernetesApi, kubernetesApi } from './kubernetes-api.ts';
import { installKubernetes } from './kubernetes-binaries.ts';
import { type Server, startProcess, temporaryFolder } from './process.ts';

export interface ControlPlane extends Server {
  /**
   * Contains NAME.kubeconfig and NAME.token of admin, service, and reader, ca.crt, service-accounts.key, and
   * volcano.yaml.
   */
  folder: string;
}

const ROOT = resolve(import.meta.dirname, '../../..');
const ADMIN_TOKEN = 'admin-token';
const NODES = 3;
const OBJECTS_WITHIN_MS = 30_000;

/**
 * A control plane on loopback without containers: etcd, API server, controllers, scheduler, and kwok, which
 * simulates three nodes with 8 GPUs each and the pods on them. The user `service` is the account of
 * infra/cluster-rbac.yml, `reader` is the same with read-only permissions, `admin` has all permissions.
 */
export async function startKubernetes(): Promise<ControlPlane> {
  const installed = await installKubernetes();
  const { path: folder, remove } = await temporaryFolder('kubernetes');
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stopOne of stops.toReversed()) await stopOne(); // clients before servers
    remove();
  };
  try {
    const start = startersIn(folder, join(installed, 'bin'), stops);
    await writeKeys(folder);
    const url = await startApiServer(start, await startEtcd(start, folder));
    const api = kubernetesApi(url, ADMIN_TOKEN);
    await writeKubeconfig(folder, { name: 'admin', url, token: ADMIN_TOKEN });
    await Promise.all([startControllers(start), startScheduler(start), startKwok(start, folder)]);
    await fillCluster(api);
    await openAccounts(api, folder, url);
    await writeFile(
      join(folder, 'volcano.yaml'),
      await readFile(join(installed, 'crds/batch.volcano.sh_jobs.yaml')),
    );
    return { url, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Start = (name: string, args: string[], healthUrl: string) => Promise<void>;

function startersIn(folder: string, programs: string, stops: (() => Promise<void>)[]): Start {
  return async (name, args, healthUrl) => {
    const command = {
      name,
      file: join(programs, name),
      args,
      cwd: folder,
      healthUrl,
      fetch: fetchOnLoopback,
    };
    const { stop } = await startProcess({ ...command, env: { PATH: process.env.PATH } });
    stops.push(stop);
  };
}

async function startEtcd(start: Start, folder: string): Promise<string> {
  const client = `http://127.0.0.1:${await findFreePort()}`;
  const peer = `http://127.0.0.1:${await findFreePort()}`;
  const addresses = [
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
  ];
  await start(
    'etcd',
    ['--data-dir', join(folder, 'data'), '--unsafe-no-fsync', ...addresses],
    `${client}/health`,
  );
  return client;
}

async function startApiServer(start: Start, etcd: string): Promise<string> {
  const port = await findFreePort();
  const url = `https://127.0.0.1:${port}`;
  const args = [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    '--cert-dir=certs',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--token-auth-file=tokens.csv',
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes',
    '--service-account-key-file=service-accounts.key',
    '--service-account-signing-key-file=service-accounts.key',
    '--endpoint-reconciler-type=none',
    '--kubelet-preferred-address-types=InternalIP',
  ];
  await start('kube-apiserver', args, `${url}/readyz`);
  return url;
}

async function startControllers(start: Start): Promise<void> {
  const port = await findFreePort();
  const key = '--service-account-private-key-file=service-accounts.key';
  const args = [...asAdmin(port), key, '--use-service-account-credentials=false'];
  await start('kube-controller-manager', args, `https://127.0.0.1:${port}/healthz`);
}

async function startScheduler(start: Start): Promise<void> {
  const port = await findFreePort();
  await start('kube-scheduler', asAdmin(port), `https://127.0.0.1:${port}/healthz`);
}

function asAdmin(port: number): string[] {
  return [
    '--kubeconfig=admin.kubeconfig',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--leader-elect=false',
  ];
}

async function startKwok(start: Start, folder: string): Promise<void> {
  const port = await findFreePort();
  const stages = await readFile(join(import.meta.dirname, 'kwok-stages.yml'), 'utf8');
  const filled = stages.replaceAll('KUBELET_PORT', String(port)).replaceAll('RUN_FOLDER', folder);
  await writeFile(join(folder, 'stages.yml'), filled);
  await writeLog(folder, 'research', [
    'epoch 1 loss 0.52',
    'epoch 2 loss 0.31',
    '!warning: slow disk',
    'done',
  ]);
  await writeLog(folder, 'others', ['nothing to see here']);
  const args = [
    '--kubeconfig=admin.kubeconfig',
    '--config=stages.yml',
    '--manage-all-nodes=true',
    '--node-lease-duration-seconds=40', // otherwise the nodes count as lost after that time
    `--server-address=127.0.0.1:${port}`,
    '--node-ip=127.0.0.1',
    `--node-port=${port}`,
    '--tls-cert-file=certs/apiserver.crt',
    '--tls-private-key-file=certs/apiserver.key',
  ];
  await start('kwok', args, `http://127.0.0.1:${port}/healthz`);
}

/** Writes the log in the format of a container runtime; a line that starts with `!` went to stderr. */
async function writeLog(folder: string, name: string, lines: string[]): Promise<void> {
  const time = new Date().toISOString();
  const entries = lines.map((line) =>
    line.startsWith('!') ? `${time} stderr F ${line.slice(1)}\n` : `${time} stdout F ${line}\n`,
  );
  await writeFile(join(folder, `${name}.log`), entries.join(''));
}

async function writeKeys(folder: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' });
  await writeFile(join(folder, 'service-accounts.key'), pem, { mode: 0o600 });
  await writeFile(join(folder, 'tokens.csv'), `${ADMIN_TOKEN},admin,1,system:masters\n`, { mode: 0o600 });
}

/** Creates the nodes, and the objects of infra/cluster-rbac.yml as an administrator would apply them. */
async function fillCluster(api: KubernetesApi): Promise<void> {
  const resources = { cpu: '32', memory: '128Gi', pods: '110', 'nvidia.com/gpu': '8' };
  for (let number = 0; number < NODES; number++) {
    const name = `node-${number}`;
    const labels = { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/hostname': name };
    const status = { capacity: resources, allocatable: resources };
    await api('POST', '/api/v1/nodes', { metadata: { name, labels }, status });
  }
  const rules = yaml.loadAll(
    await readFile(join(ROOT, 'infra/cluster-rbac.yml'), 'utf8'),
  ) as KubernetesObject[];
  for (const object of rules) await applyObject(api, object);
}

/** The reader has its own account, and the first of the service's two roles. */
async function openAccounts(api: KubernetesApi, folder: string, url: string): Promise<void> {
  await applyObject(api, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'reader', namespace: 'research' },
  });
  await applyObject(api, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'workspace-research-look' },
    subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'research' }],
  });
  for (const [name, account] of [
    ['service', 'workspace-research'],
    ['reader', 'reader'],
  ] as const) {
    const path = `/api/v1/namespaces/research/serviceaccounts/${account}`;
    const asked = { spec: { expirationSeconds: 7200 } };
    const { status } = await api<{ status: { token: string } }>('POST', `${path}/token`, asked);
    await writeKubeconfig(folder, { name, url, token: status.token });
  }
  // A pod is admitted only if its namespace has a service account, which the controllers create.
  await eventuallyThere(api, '/api/v1/namespaces/research/serviceaccounts/default');
  await eventuallyThere(api, '/api/v1/namespaces/default/serviceaccounts/default');
}

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [field: string]: unknown;
}

/** Server-side apply. */
async function applyObject(api: KubernetesApi, object: KubernetesObject): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const namespace = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const path = `${group}${namespace}/${kind.toLowerCase()}s/${metadata.name}`;
  await api('PATCH', `${path}?fieldManager=lane&force=true`, object);
}

async function eventuallyThere(api: KubernetesApi, path: string): Promise<void> {
  const until = performance.now() + OBJECTS_WITHIN_MS;
  for (;;) {
    try {
      await api('GET', path);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(100);
    }
  }
}

/** Writes a kubeconfig for the user, and the token separately. The context's namespace is `research`. */
async function writeKubeconfig(
  folder: string,
  { name, url, token }: { name: string; url: string; token: string },
): Promise<void> {
  const authority = await readFile(join(folder, 'certs/apiserver.crt'));
  const cluster = { server: url, 'certificate-authority-data': authority.toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'lane', cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name: 'lane', context: { cluster: 'lane', user: name, namespace: 'research' } }],
    'current-context': 'lane',
  };
  await writeFile(join(folder, `${name}.kubeconfig`), yaml.dump(config), { mode: 0o600 });
  await writeFile(join(folder, `${name}.token`), token, { mode: 0o600 });
}
