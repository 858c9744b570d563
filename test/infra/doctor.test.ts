import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { runProgram } from '../support/processes/run-program.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DOCTOR = resolve(import.meta.dirname, '../../infra/doctor.ts');

async function examine(env: Record<string, string>) {
  const dataDir = env.DATA_DIR ?? (await tempFolder());
  const { code, stdout } = await runProgram(process.execPath, [DOCTOR], {
    env: { PATH: process.env.PATH, TMPDIR: await tempFolder(), DATA_DIR: dataDir, ...env },
    cwd: dataDir,
  });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/));
  return { code, states: Object.fromEntries(lines.map(([state, name]) => [name, state])), stdout };
}

it('says what the machine has, and what to do for the rest', async () => {
  const { code, states, stdout } = await examine({});
  expect(states).toMatchObject({
    node: 'ok',
    data: 'ok',
    search: 'ok',
    models: 'note',
    embedder: 'note',
    scans: 'note',
  });
  expect(Object.keys(states)).toEqual([
    'node',
    'data',
    'disk',
    'roots',
    'port',
    'access',
    'commands',
    'git',
    'search',
    'models',
    'proxies',
    'embedder',
    'scans',
    'reranker',
    'sources',
    'cluster',
    'bots',
    'budgets',
  ]);
  expect(stdout).toContain('npm run embedder -- install');
  expect(stdout).toContain('npm run recognition -- install');
  expect(code).toBe(0);
});

it('ends with 1 where something must be mended, and looks at the rest all the same', async () => {
  const folder = await tempFolder();
  await mkdir(join(folder, 'embedder'));
  await writeFile(join(folder, 'embedder/manifest.json'), '{"model":');
  await mkdir(join(folder, 'recognition'));
  await writeFile(join(folder, 'recognition/manifest.json'), '{}');
  const { code, states, stdout } = await examine({
    DATA_DIR: folder,
    RIPGREP_PATH: '/nowhere/rg',
    PROVIDER_B_API_KEY: 'secret-key',
    PROVIDER_B_BASE_URL: 'http://127.0.0.1:9',
    IMA_BOT_ENABLED: 'true',
    KUBECONFIG_PATH: '/nowhere/config',
    HTTPS_PROXY: 'http://127.0.0.1:9',
  });
  expect(states).toMatchObject({ search: 'wrong', embedder: 'wrong', models: 'wrong', data: 'ok' });
  expect(states).toMatchObject({ bots: 'wrong', cluster: 'wrong', proxies: 'wrong' });
  expect(stdout).toContain('set IMA_APP_ID, IMA_APP_SECRET, IMA_VERIFICATION_TOKEN');
  expect(stdout).not.toContain('secret-key');
  expect(stdout).toMatch(/^wrong +embedder +\S+manifest.json is damaged: install again$/m);
  expect(stdout).toMatch(/^wrong +scans +\S+manifest.json is damaged: install again$/m);
  expect(code).toBe(1);
});
