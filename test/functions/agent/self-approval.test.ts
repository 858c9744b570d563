import { expect, it } from '@jest/globals';
import { readStream } from '../../support/agent-client.ts';
import { kubeconfigFile } from '../../support/cluster.ts';
import { startFakeKubernetes } from '../../support/fakes/fake-kubernetes.ts';
import { inTurn, startFakeOpenai } from '../../support/fakes/fake-openai.ts';
import { startService } from '../../support/service.ts';
import { whenDone } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

it('cluster is read-only if a command could approve its own actions', async () => {
  const [provider, cluster] = [await startFakeOpenai(), await startFakeKubernetes()];
  whenDone(() => Promise.all([provider.stop(), cluster.stop()]));
  const service = await startService({
    PROVIDER_A_BASE_URL: provider.url,
    KUBECONFIG_PATH: await kubeconfigFile(cluster.kubeconfig()),
    AUTH_MODE: 'disabled',
    COMMAND_NETWORK: 'host',
  });
  expect(service.output()).toMatch(/^cluster .* read-only: commands can reach this service/m);
  const workspace = await makeWorkspace(service);
  const job = { name: 'train', command: 'true', image: 'python:3' };
  const wanted = [
    { name: 'submitJob', input: job },
    { name: 'cluster', input: { action: 'delete', kind: 'pod', name: 'p' } },
    { name: 'cluster', input: { action: 'get', kind: 'pods' } },
  ];
  provider.answer = inTurn({ calls: wanted }, 'So be it.');
  const messages = [{ role: 'user', content: 'Train.' }];
  const body = { workspaceId: workspace.id, cwd: '', messages };
  const { frames, done } = await readStream(service, '/api/agent', { body });
  expect(done).toBe(true);
  const outputs = frames.map(({ part }) => part).filter(({ type }) => type.startsWith('tool-output'));
  const refused = expect.stringMatching(/AUTH_MODE=disabled/);
  expect(outputs).toHaveLength(3);
  expect(outputs.filter(({ errorText }) => errorText !== undefined)).toEqual([
    expect.objectContaining({ errorText: refused }),
    expect.objectContaining({ errorText: refused }),
  ]);
  expect(outputs.find(({ type }) => type === 'tool-output-available')?.output).toMatchObject({
    columns: ['Name'],
  });
  expect(cluster.objects).toEqual([]);
});
