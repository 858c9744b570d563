import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeOpenai, startFakeOpenai } from '../fakes/fake-openai.ts';
import { type Service, startService } from '../service.ts';
import { syncWorkspace } from '../sync.ts';
import { whenDone } from '../temp-folder.ts';
import { makeWorkspace, type TestWorkspace } from '../workspace.ts';

/** Questions about them. */
export const ABOUT_OWLS = [{ role: 'user', content: 'When do owls hunt?' }];

/**
 * Starts a service whose model is the fake's `m`, and a workspace with one file about owls. Ended after the
 * test file.
 */
export async function startWithOwls(
  env: Record<string, string> = {},
): Promise<{ provider: FakeOpenai; service: Service; workspace: TestWorkspace }> {
  const provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  const settings = { PROVIDER_A_BASE_URL: provider.url, PROVIDER_A_API_KEY: 'k', LLM_MODEL: 'm' };
  const service = await startService({ ...settings, ...env });
  const workspace = await makeWorkspace(service);
  await writeFile(join(workspace.root, 'owls.md'), '# Owls\n\nOwls hunt at night.\n');
  await syncWorkspace(service, workspace.id);
  return { provider, service, workspace };
}
