import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { startFakeCollector } from '../support/fakes/fake-collector.ts';
import { startFakeEntailment } from '../support/fakes/fake-entailment.ts';
import { feishuEnvironment, startFakeFeishu } from '../support/fakes/fake-feishu.ts';
import { startFakeIssuer } from '../support/fakes/fake-issuer.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { startFakeWecom } from '../support/fakes/fake-wecom.ts';
import { runProgram } from '../support/processes/run-program.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';

const DOCTOR = resolve(import.meta.dirname, '../../infra/doctor.ts');

/** Hugging Face and ModelScope on loopback, with their clock and the token that Hugging Face accepts. */
async function startHub({ aheadMs = 0 } = {}): Promise<string> {
  const server = createServer(({ url, headers }, response) => {
    const isKnown = url !== '/api/whoami-v2' || headers.authorization === 'Bearer good-token';
    response.writeHead(isKnown ? 200 : 401, { date: new Date(Date.now() + aheadMs).toUTCString() }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenDone(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function examine(env: Record<string, string>) {
  const cwd = await tempFolder();
  const dataDir = env.DATA_DIR ?? cwd;
  const hub = env.HUB_A_BASE_URL ?? (await startHub());
  const { code, stdout } = await runProgram(process.execPath, [DOCTOR], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: await tempFolder(),
      DATA_DIR: dataDir,
      HUB_A_BASE_URL: hub,
      HUB_B_BASE_URL: hub,
      ...env,
    },
    cwd,
  });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/));
  return { code, states: Object.fromEntries(lines.map(([state, name]) => [name, state])), stdout };
}

it('doctor reports how many folders can be watched, and which setting raises the number', async () => {
  const { stdout } = await examine({});
  expect(stdout).toMatch(
    /^ok +watching +folders are watched, up to \d+ of them \(fs\.inotify\.max_user_watches\)$/m,
  );
});

it('doctor reports what the host supports, and how to fix the rest', async () => {
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
    'watching',
    'port',
    'reached',
    'access',
    'commands',
    'git',
    'search',
    'models',
    'proxies',
    'embedder',
    'scans',
    'reranker',
    'entailment',
    'hubs',
    'sources',
    'cluster',
    'bots',
    'traces',
    'clock',
    'budgets',
  ]);
  expect(stdout).toContain('npm run embedder -- install');
  expect(stdout).toContain('npm run recognition -- install');
  expect(code).toBe(0);
});

it('doctor exits with 1 if something must be fixed, and still checks the rest', async () => {
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
  expect(stdout).toContain('Set IMA_APP_ID, IMA_APP_SECRET, IMA_VERIFICATION_TOKEN.');
  expect(stdout).not.toContain('secret-key');
  expect(stdout).toMatch(/^wrong +embedder +\S+manifest.json is damaged\. Install it again\.$/m);
  expect(stdout).toMatch(/^wrong +scans +\S+manifest.json is damaged\. Install it again\.$/m);
  expect(code).toBe(1);
});

const WECOM = {
  IMB_BOT_ENABLED: 'true',
  IMB_CORP_ID: 'wx5823bf96d3bd56c7',
  IMB_AGENT_ID: '218',
  IMB_TOKEN: 'callback-token',
  IMB_ENCODING_AES_KEY: 'a'.repeat(43),
};

it('doctor asks platforms, hubs, providers, and the issuer whether they accept the credentials', async () => {
  const [feishu, wecom, issuer, openai, collector] = await Promise.all([
    startFakeFeishu(),
    startFakeWecom(),
    startFakeIssuer(),
    startFakeOpenai(),
    startFakeCollector(),
  ]);
  whenDone(() => Promise.all([feishu.stop(), issuer.stop(), openai.stop()]));
  const { code, stdout } = await examine({
    ...feishuEnvironment(feishu, 'verification-token'),
    ...WECOM,
    IMB_BASE_URL: wecom.url,
    IMB_CORP_SECRET: wecom.corpSecret,
    HUB_A_TOKEN: 'good-token',
    AUTH_MODE: 'oidc',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'wrs',
    PROVIDER_A_BASE_URL: openai.url,
    ENTAILMENT_BASE_URL: (await startFakeEntailment()).url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  expect(stdout).toMatch(/^ok +traces +127\.0\.0\.1:\d+ accepts traces$/m);
  expect(collector.spans).toEqual([]);
  expect(stdout).toMatch(/^ok +bots +Feishu accepts IMA_APP_ID and IMA_APP_SECRET$/m);
  expect(stdout).toMatch(/^ok +bots +WeCom accepts IMB_CORP_ID and IMB_CORP_SECRET$/m);
  expect(stdout).toMatch(/^ok +hubs +127\.0\.0\.1:\d+ accepts HUB_A_TOKEN$/m);
  expect(stdout).toMatch(
    /^ok +access +users of .* with a role in the claim role, which publishes its keys \(1\)$/m,
  );
  expect(stdout).toMatch(/^ok +models +The OpenAI-compatible endpoint answers, with \d+ models$/m);
  expect(stdout).toMatch(/^ok +entailment +a service answers, entailment$/m);
  expect(stdout).toMatch(/^ok +clock +agrees with 127\.0\.0\.1:\d+$/m);
  expect(code).toBe(0);
});

it('doctor reports wrong credentials and unreachable services, without secrets', async () => {
  const [feishu, wecom, hub] = await Promise.all([startFakeFeishu(), startFakeWecom(), startHub()]);
  whenDone(() => feishu.stop());
  const gone = 'http://user:url-secret@127.0.0.1:1';
  const { code, stdout } = await examine({
    ...feishuEnvironment(feishu, 'verification-token'),
    IMA_APP_SECRET: 'bot-secret',
    ...WECOM,
    IMB_BASE_URL: wecom.url,
    IMB_CORP_SECRET: 'corp-wrong-secret',
    HUB_A_BASE_URL: hub,
    HUB_B_BASE_URL: gone,
    HUB_A_TOKEN: 'hub-secret',
    ENTAILMENT_BASE_URL: gone.replace('user:url-secret@', ''),
    ENTAILMENT_API_KEY: 'key-secret',
    AUTH_MODE: 'oidc',
    OIDC_ISSUER: 'http://127.0.0.1:1',
    OIDC_AUDIENCE: 'wrs',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1/tenant-secret',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=header-secret',
  });
  expect(stdout).toMatch(
    /^wrong +traces +Can't reach 127\.0\.0\.1:1 \(.*\)\. Check OTEL_EXPORTER_OTLP_ENDPOINT/m,
  );
  expect(stdout).toMatch(
    /^wrong +bots +Feishu does not accept IMA_APP_ID and IMA_APP_SECRET \(10014\)\. Copy /m,
  );
  expect(stdout).toMatch(/^wrong +bots +WeCom does not accept IMB_CORP_SECRET \(40001\)\. Copy /m);
  expect(stdout).toMatch(/^wrong +hubs +127\.0\.0\.1:\d+ does not accept HUB_A_TOKEN \(401\)/m);
  expect(stdout).toMatch(/^wrong +hubs +Can't reach 127\.0\.0\.1:1 \(.*\)\. Check .* HUB_B_BASE_URL\.$/m);
  expect(stdout).toMatch(/^wrong +entailment +The entailment model can't be reached/m);
  expect(stdout).toMatch(/^wrong +access +OIDC_ISSUER: Can't reach it \(.*\)\. Correct the setting/m);
  expect(stdout).not.toMatch(/secret\b/);
  expect(code).toBe(1);
});

it('doctor reports which platform of a bot is unreachable, and the clock skew', async () => {
  const { stdout } = await examine({
    ...WECOM,
    IMB_CORP_SECRET: 'secret',
    IMB_BASE_URL: 'http://127.0.0.1:1',
    HUB_A_BASE_URL: await startHub({ aheadMs: 200_000 }),
    IMA_BOT_ENABLED: 'true',
    IMA_APP_ID: 'cli_0',
    IMA_APP_SECRET: 'secret',
    IMA_VERIFICATION_TOKEN: 'token',
    IMA_BASE_URL: 'http://127.0.0.1:1',
  });
  const line = (name: string, prefix: string) =>
    new RegExp(
      `^wrong +bots +Can't reach ${name}\\. Check the network and ${prefix}_BASE_URL\\. Check HTTPS_PROXY too\\.$`,
      'm',
    );
  expect(stdout).toMatch(line('Feishu', 'IMA'));
  expect(stdout).toMatch(line('WeCom', 'IMB'));
  expect(stdout).toMatch(
    /^wrong +clock +(199|200|201) s behind 127\.0\.0\.1:\d+, so tokens and signatures fail/m,
  );
});

it.each([
  ["that can't be created", '/proc/x', "DATA_DIR: /proc/x can't be created there. Set another folder."],
  ['that is a file', 'file', "isn't a folder, or has a file in its path. Set a folder."],
])('doctor explains in one line the problem of a data folder %s', async (_, place, text) => {
  const folder = await tempFolder();
  await writeFile(join(folder, 'file'), '');
  const { code, stdout } = await examine({ DATA_DIR: resolve(folder, place) });
  expect([code, stdout.match(/^wrong .*$/gm)]).toEqual([1, [expect.stringContaining(text)]]);
});

it("doctor rejects workspaces in the service's own code, as the start does", async () => {
  const { stdout } = await examine({ WORKSPACE_ROOTS: resolve(import.meta.dirname, 'here') });
  expect(stdout).toMatch(
    /^wrong +roots +WORKSPACE_ROOTS: .* is in the service's own code\. Set a folder outside/m,
  );
});
