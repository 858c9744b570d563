import type { ToolContext } from '../../lib/agent/tools/tool.ts';
import type { IndexMessage } from '../../lib/indexing/messages.ts';
import type { Queue } from '../../lib/ports/queue.ts';
import type { Records } from '../../lib/ports/records.ts';

/** A store without records, which drops all writes. */
const noRecords = {
  get: async () => undefined,
  getMany: async () => [],
  query: async () => ({ records: [] }),
  putMany: async () => {},
} as unknown as Records;

export function makeContext(rootPath: string, changes: Partial<ToolContext> = {}): ToolContext {
  return {
    runId: 'run',
    workspace: { id: 'w', name: 'w', rootPath, createdAt: '2026-11-21T00:00:00.000Z' },
    cwd: '',
    caller: { id: 'c', role: 'member', workspaceIds: null },
    use: { callerId: 'c', workspaceId: 'w', kind: 'agent' },
    approvedBy: null,
    records: noRecords,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** Records the paths that it checked. */
export function touchQueue(): Queue & { touched: string[] } {
  const touched: string[] = [];
  const queue: Partial<Queue> = {
    async send(messages) {
      for (const { body } of messages) {
        const message = body as IndexMessage;
        if (message.kind === 'touch') touched.push(...message.paths);
      }
    },
  };
  return Object.assign(queue as Queue, { touched });
}
