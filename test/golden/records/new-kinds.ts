import type { RecordValue } from '../../../lib/ports/records.ts';

/** A sample of each kind that came after the latest fixture was made; the next fixture takes their place. */
export const newKinds: Record<string, RecordValue> = {
  memory: {
    scope: 'workspace',
    owner: '0190a8e4-7a5c-7c1b-9d2e-3f4a5b6c7d8e',
    facts: [
      {
        id: '0190a8e4-7a5c-7c1b-9d2e-3f4a5b6c7d8e-0123456789abcdef',
        text: 'Owls are protected.',
        shared: true,
        createdBy: 'ann@example.org',
        createdAt: '2026-11-30T12:00:00.000Z',
        updatedAt: '2026-11-30T12:00:00.000Z',
      },
    ],
    version: 1,
  },
  'run-erasure': {
    workspaceId: '0190a8e4-7a5c-7c1b-9d2e-3f4a5b6c7d8e',
    askedAt: '2026-11-29T12:00:00.000Z',
    until: '2026-11-29T12:02:00.000Z',
    expiresAt: 1798545600,
  },
  'document-correction': {
    workspaceId: '0190a8e4-7a5c-7c1b-9d2e-3f4a5b6c7d8e',
    path: 'papers/owls.pdf',
    hash: 'c'.repeat(64),
    fields: { title: 'Owls', authors: ['Ann Sand'], year: 2021, doi: '10.1000/1', tags: ['birds'], citeKey: 'sand2021' },
    version: 1,
  },
  'agent-message': {
    runId: '0190a8e4-7a5c-7c1b-9d2e-3f4a5b6c7d8e',
    id: '0190a8e4-7a5c-7c1b-9d2e-3f4a5b6c7d8f',
    text: 'Use owls.',
    createdAt: '2026-11-30T12:00:00.000Z',
    state: 'queued',
    expiresAt: 1798545600,
  },
  'token-secret': { hash: 'b'.repeat(64), of: 'a'.repeat(64) },
  'conversation-hand-over': { key: 'k'.repeat(43), of: 'o'.repeat(43) },
  offboarding: {
    key: 'k'.repeat(43),
    personId: 'ann@example.org',
    action: 'hand-over',
    kinds: ['conversations', 'tasks', 'workspaces'],
    to: { id: 'ben@example.org', role: 'member', workspaceIds: null },
    askedAt: '2026-11-29T12:00:00.000Z',
    finishedAt: null,
    isIdle: true,
    until: '2026-11-29T12:01:00.000Z',
    from: null,
    erasing: null,
    done: { conversations: 2, tasks: 1, workspaces: 1 },
    left: { conversations: 0, tasks: 0, workspaces: 0 },
  },
};
