import type { RecordValue } from '../../../lib/ports/records.ts';

const id = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';
const at = '2026-01-01T00:00:00.000Z';
const counts = { total: 2, done: 1, failed: 0, textsEmbedded: 3 };
const amounts = { calls: 1, inputTokens: 100, outputTokens: 2, embeddedTokens: 0, embeddedTexts: 0 };
const others = { rerankedTexts: 0, commandMs: 0, estimatedTokens: 0, model: 'm', expiresAt: 9e9 };

/** Of each kind that came after the latest fixture was made; the next one takes their place. */
export const newKinds: Record<string, RecordValue> = {
  'bot-signature': { signature: 'a', digest: 'b', expiresAt: 9e9 },
  'git-clone': { workspaceId: id, url: 'https://github.com/a/b' },
  'index-renewal': { kind: 2, cursor: 'c', done: false },
  'mcp-server': {
    ...{ id, workspaceId: id, name: 'far', url: 'https://far.example.com/mcp', headerNames: ['authorization'] },
    ...{ createdBy: 'a', createdAt: at },
  },
  'paper-address': { hash: 'h', expiresAt: 9e9 },
  'pending-recognition': { workspaceId: id, path: 'a.pdf', hash: 'h', by: 'r', pages: [1, 2], pagesRead: 1 },
  'recognition-run': { workspaceId: id, step: 1, active: true, path: 'a.pdf', heartbeatAt: at },
  reindexing: {
    id: 'latest',
    reindexId: id,
    step: 1,
    space: 'lexical',
    cursor: null,
    isListed: false,
    active: [{ workspaceId: id, syncId: id }],
    ...counts,
    startedAt: at,
    finishedAt: null,
    heartbeatAt: at,
  },
  'skipped-file': { workspaceId: id, path: 'a.bin', size: 1, reason: 'kind', folder: false },
  'skipped-list': { workspaceId: id, stamp: 's', digest: null },
  'table-writer': { id, owner: 'o', until: at, expiresAt: 9e9 },
  'task-part': {
    runId: id,
    workspaceId: id,
    status: 'waiting',
    text: null,
    attempts: 1,
    owner: 'o',
    leaseUntil: at,
    expiresAt: 9e9,
  },
  'use-of-day': { ...amounts, ...others, day: '2026-01-01', callerId: 'c', workspaceId: id, kind: 'chat' },
  'use-of-month': { ...amounts, ...others, month: '2026-01', scope: 'workspace', id },
};
