import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationsPage } from '../../lib/cluster/schema.ts';
import { type AgentRun, getRun, readStream, waitForRun } from './agent-client.ts';
import { makeCaller } from './callers.ts';
import type { Part } from './event-frames.ts';
import { type FakeOpenai, inTurn, startFakeOpenai } from './fakes/fake-openai.ts';
import { type Service, startService } from './service.ts';
import { tempFolder, whenDone } from './temp-folder.ts';
import { makeWorkspace } from './workspace.ts';

type Approval = NonNullable<AgentRun['approvals']>[number];

export interface ToolOutcome {
  runId: string;
  /** The approval request; undefined if there was none. */
  approval: Approval | undefined;
  /** Set for a successful call. */
  output: Record<string, unknown> | undefined;
  /** Set for a failed call, as the model reads it. */
  error: string | undefined;
  /** Its part of the stream. */
  part: Part | undefined;
}

export interface CallOptions {
  /** The person's answer; default yes. */
  approved?: boolean;
  /** Runs while the run waits for the approval. */
  meanwhile?: (approval: Approval) => Promise<void>;
}

export type ClusterRig = Awaited<ReturnType<typeof startClusterRig>>;

/** The real service with a cluster, a member, and a model that calls the tool of the test. */
export async function startClusterRig(kubeconfigPath: string, env: Record<string, string> = {}) {
  const provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  const service = await startService({
    PROVIDER_A_BASE_URL: provider.url,
    AUTH_MODE: 'token',
    KUBECONFIG_PATH: kubeconfigPath,
    ...env,
  });
  const [admin, member] = await Promise.all([makeCaller(service, 'admin'), makeCaller(service, 'member')]);
  const workspace = await makeWorkspace({ ...service, call: admin.call });
  const asMember: Service = { ...service, call: member.call };
  const callTool = (name: string, input: unknown, options: CallOptions = {}) =>
    runTool(
      asMember,
      { provider, headers: member.headers, workspaceId: workspace.id },
      { name, input },
      options,
    );
  /** Returns the audit log of the workspace, newest first. */
  const operations = async (query = '') => {
    const path = `/api/cluster/operations?workspaceId=${workspace.id}${query}`;
    return (await member.call<OperationsPage>('GET', path)).body;
  };
  return { service, provider, workspace, admin, member, callTool, operations };
}

/** Writes a file with this kubeconfig, for KUBECONFIG_PATH. */
export async function kubeconfigFile(text: string): Promise<string> {
  const path = join(await tempFolder(), 'kubeconfig');
  await writeFile(path, text);
  return path;
}

interface Conversation {
  provider: FakeOpenai;
  headers: Record<string, string>;
  workspaceId: string;
}

async function runTool(
  service: Service,
  { provider, headers, workspaceId }: Conversation,
  call: { name: string; input: unknown },
  { approved = true, meanwhile = async () => {} }: CallOptions,
): Promise<ToolOutcome> {
  provider.answer = inTurn({ calls: [call] }, 'Done.');
  const messages = [{ role: 'user', content: 'Do it.' }];
  const body = { workspaceId, cwd: '', messages };
  const begun = await readStream(service, '/api/agent', { body, headers });
  const runId = begun.headers.get('x-run-id') ?? '';
  const { approvals = [] } = await getRun(service, runId);
  const [approval] = approvals;
  if (approval !== undefined) {
    await meanwhile(approval);
    const path = `/api/agent/runs/${runId}/approvals/${approval.id}`;
    const { status, body } = await service.call('POST', path, { approved });
    if (status !== 200) throw new Error(`the approval answered ${status}: ${JSON.stringify(body)}`);
  }
  await waitForRun(service, runId, 'done', 'failed');
  const { frames } = await readStream(service, `/api/agent/runs/${runId}/stream`, { headers });
  const part = frames.map(({ part }) => part).find(({ type }) => type.startsWith('tool-output'));
  const output = part?.output as Record<string, unknown> | undefined;
  return { runId, approval, part, output, error: part?.errorText as string | undefined };
}
