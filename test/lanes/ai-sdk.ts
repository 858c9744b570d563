import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sdk, SdkWorld } from '../support/ai-sdk/page.ts';
import { stories } from '../support/ai-sdk/stories.ts';
import { makeAskingWorkspace } from '../support/ai-sdk/world.ts';
import { makeCaller } from '../support/callers.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { installOnce } from '../support/install-once.ts';
import { startService } from '../support/service.ts';
import { cleanUp } from '../support/temp-folder.ts';
import { runCommand } from './servers/install.ts';

/**
 * Runs the AI SDK's own client in each supported version, from the first message to the last reload. `npm run
 * test:ai-sdk -- approval`: runs only stories whose names match.
 */
const VERSIONS = ['5.0.277', '6.0.326', '7.0.173'];

const wanted = process.argv[2] ?? '';
const provider = await startFakeOpenai();
const service = await startService({ PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token' });
const { headers, call } = await makeCaller(service, 'admin');
let failed = 0;
try {
  for (const version of VERSIONS) failed += await tellAll(version);
} finally {
  await service.stop();
  await provider.stop();
  await cleanUp();
}
process.exitCode = failed === 0 ? 0 : 1;

/** Returns how many stories failed. */
async function tellAll(version: string): Promise<number> {
  const major = Number.parseInt(version, 10);
  const told = stories.filter(({ versions, name }) => versions.includes(major) && name.includes(wanted));
  const world = { sdk: await loadSdk(version), version: major, service, headers, provider };
  let passed = 0;
  for (const { name, tell } of told) {
    const workspaceId = await makeAskingWorkspace({ call });
    passed += await tellOne(`ai ${version}  ${name}`, () => tell({ ...world, workspaceId } as SdkWorld));
  }
  console.log(`ai ${version}: ${passed} of ${told.length} stories passed`);
  return told.length - passed;
}

async function tellOne(name: string, tell: () => Promise<void>): Promise<number> {
  provider.paceMs = 0;
  provider.beforePiece = undefined;
  try {
    await tell();
    console.log(`ok      ${name}`);
    return 1;
  } catch (error) {
    console.log(`FAILED  ${name}\n${String(error)}`);
    return 0;
  }
}

async function loadSdk(version: string): Promise<Sdk> {
  const folder = await installOnce('ai-sdk', version, async (into) => {
    await runCommand('npm', ['install', '--prefix', into, '--ignore-scripts', `ai@${version}`]);
  });
  const entry = createRequire(join(folder, 'package.json')).resolve('ai');
  return (await import(pathToFileURL(entry).href)) as Sdk;
}
