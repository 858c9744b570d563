import type { Service } from '../service.ts';
import { makeWorkspace } from '../workspace.ts';

/** Creates a workspace in which the agent asks before it writes a file; returns its ID. */
export async function makeAskingWorkspace(service: Pick<Service, 'call'>): Promise<string> {
  const { id } = await makeWorkspace(service);
  const rules = [{ tool: 'writeFile', pattern: '*', action: 'ask' }];
  const { status, body } = await service.call('PUT', `/api/workspaces/${id}/permissions`, { rules });
  if (status !== 200) throw new Error(`PUT permissions answered ${status}: ${JSON.stringify(body)}`);
  return id;
}
