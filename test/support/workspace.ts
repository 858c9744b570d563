import { randomUUID } from 'node:crypto';
import type { Service } from './service.ts';

export interface TestWorkspace {
  id: string;
  root: string;
}

/** Creates an empty workspace under the first of WORKSPACE_ROOTS. */
export async function makeWorkspace(
  service: Pick<Service, 'call'>,
  path: string = randomUUID(),
): Promise<TestWorkspace> {
  const answer = await service.call<{ id: string; rootPath: string }>('POST', '/api/workspaces', { path });
  if (answer.status !== 201) throw new Error(`no workspace: ${answer.status} ${answer.bytes.toString()}`);
  return { id: answer.body.id, root: answer.body.rootPath };
}
