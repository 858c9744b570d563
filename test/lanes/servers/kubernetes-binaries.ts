import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installOnce } from '../../support/install-once.ts';
import { go, requireGo } from './go.ts';

const KUBERNETES = '1.34.2';
const KWOK = 'v0.7.0';
/** Debian's 3.4 is too old, because watches would fall back to polling. */
const ETCD = 'v3.6.6';
const VOLCANO = 'v1.14.0';
const CONTROLLER_TOOLS = 'v0.19.0';
const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];

interface Program {
  name: string;
  module: string;
  /** Arguments of `go build`. */
  program: string;
  /** An importable package of this repository, so that `go get` keeps all dependencies of the program. */
  imports: string[];
}

const KWOK_PROGRAM: Program = {
  name: 'kwok',
  module: `sigs.k8s.io/kwok@${KWOK}`,
  program: 'sigs.k8s.io/kwok/cmd/kwok',
  imports: ['sigs.k8s.io/kwok/pkg/kwok/cmd'],
};
const ETCD_PROGRAM: Program = {
  name: 'etcd',
  module: `go.etcd.io/etcd/server/v3@${ETCD}`,
  program: 'go.etcd.io/etcd/server/v3',
  imports: ['go.etcd.io/etcd/server/v3/etcdmain'],
};

/**
 * Returns the folder with `bin/` (etcd, the API server, controllers, the scheduler, kwok) and `crds/`
 * (Volcano's). It's built from Go modules at the first use, which takes minutes and 2 GB of temporary files,
 * removed at the end.
 */
export async function installKubernetes(): Promise<string> {
  return installOnce('kubernetes', KUBERNETES, async (folder) => {
    await requireGo('Kubernetes');
    const build = join(folder, 'build');
    await mkdir(join(folder, 'bin'), { recursive: true });
    await buildKubernetes(folder);
    await buildProgram(folder, KWOK_PROGRAM);
    await buildProgram(folder, ETCD_PROGRAM);
    await generateVolcano(folder);
    await rm(build, { recursive: true, force: true });
  });
}

/** k8s.io/kubernetes refers to its staging modules as v0.0.0, so each is replaced by its published module. */
async function buildKubernetes(folder: string): Promise<void> {
  const module = `k8s.io/kubernetes@v${KUBERNETES}`;
  const cwd = await startModule(folder, 'kubernetes');
  const download = JSON.parse(await go(folder, cwd, 'mod', 'download', '-json', module)) as { GoMod: string };
  const goMod = await readFile(download.GoMod, 'utf8');
  const staged = new Set(
    [...goMod.matchAll(/(k8s\.io\/[a-z0-9-]+) => \.\/staging/g)].map(([, name]) => name),
  );
  const twin = `v0.${KUBERNETES.split('.').slice(1).join('.')}`;
  const replacements = [...staged].map((name) => `-replace=${name}=${name}@${twin}`);
  await go(folder, cwd, 'mod', 'edit', ...replacements);
  await importPackages(
    cwd,
    COMPONENTS.map((name) => `k8s.io/kubernetes/cmd/${name}/app`),
  );
  await go(folder, cwd, 'get', module);
  for (const name of COMPONENTS) await link(folder, cwd, name, `k8s.io/kubernetes/cmd/${name}`);
}

async function buildProgram(folder: string, { name, module, program, imports }: Program): Promise<void> {
  const cwd = await startModule(folder, name);
  await importPackages(cwd, imports);
  await go(folder, cwd, 'get', module);
  await link(folder, cwd, name, program);
}

/**
 * Volcano's job type, from its Go types. Its controllers can't be installed this way, so its jobs start no
 * pods.
 */
async function generateVolcano(folder: string): Promise<void> {
  const cwd = await startModule(folder, 'volcano');
  await importPackages(cwd, [
    'volcano.sh/apis/pkg/apis/batch/v1alpha1',
    'sigs.k8s.io/controller-tools/pkg/crd',
  ]);
  const modules = [`volcano.sh/apis@${VOLCANO}`, `sigs.k8s.io/controller-tools@${CONTROLLER_TOOLS}`];
  await go(folder, cwd, 'get', ...modules);
  await go(
    folder,
    cwd,
    'run',
    'sigs.k8s.io/controller-tools/cmd/controller-gen',
    // The options of Volcano's own Makefile keep the pods' labels. Descriptions would be most of its size.
    'crd:crdVersions=v1,generateEmbeddedObjectMeta=true,maxDescLen=0',
    'paths=volcano.sh/apis/pkg/apis/batch/v1alpha1',
    `output:crd:dir=${join(folder, 'crds')}`,
  );
}

async function startModule(folder: string, name: string): Promise<string> {
  const cwd = join(folder, 'build', name);
  await mkdir(cwd, { recursive: true });
  await go(folder, cwd, 'mod', 'init', `local/${name}`);
  return cwd;
}

async function importPackages(cwd: string, packages: string[]): Promise<void> {
  const imports = packages.map((path) => `\t_ "${path}"`).join('\n');
  await writeFile(join(cwd, 'main.go'), `package main\n\nimport (\n${imports}\n)\n\nfunc main() {}\n`);
}

async function link(folder: string, cwd: string, name: string, program: string): Promise<void> {
  const started = performance.now();
  await go(folder, cwd, 'build', '-ldflags=-s -w', '-o', join(folder, 'bin', name), program);
  console.error(`built ${name} in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
