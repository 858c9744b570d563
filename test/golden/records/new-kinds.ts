import type { RecordValue } from '../../../lib/ports/records.ts';

const id = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';
const at = '2026-01-01T00:00:00.000Z';
const counts = { total: 2, done: 1, failed: 0, textsEmbedded: 3 };
const amounts = { calls: 1, inputTokens: 100, outputTokens: 2, embeddedTokens: 0, embeddedTexts: 0 };
const others = { rerankedTexts: 0, commandMs: 0, estimatedTokens: 0, model: 'm', expiresAt: 9e9 };

/** A sample of each kind that came after the latest fixture was made; the next fixture takes their place. */
export const newKinds: Record<string, RecordValue> = {
  'agent-undo': { workspaceId: id, name: id, until: at },
  'audit-entry': {
    ...{ id, at, actor: 'a', role: 'admin', action: 'tokens.revoke', workspaceId: null, about: id },
    ...{ outcome: 'done', status: null, address: '127.0.0.1' },
  },
  'bot-report': {
    ...{ platform: 'ima', chatId: 'oc_1', runId: id, failures: 0, expiresAt: 9e9 },
    wanted: { depth: 'quick', question: 'Owls?' },
    message: {
      ...{ kind: 'message', platform: 'ima', chatId: 'oc_1', chatType: 'p2p', senderId: 'ou_1', messageId: 'om_1' },
      ...{ content: { type: 'text', text: '/research Owls?' }, receivedAt: at },
    },
  },
  'bot-signature': { signature: 'a', digest: 'b', expiresAt: 9e9 },
  'budget-list': { budgets: [{ scope: 'service', id: 'service', monthlyUsd: 1 }], stamp: id },
  conversation: {
    ...{ id: 'chat-1', workspaceId: id, title: 'Owls?', kind: 'chat', mode: null, ownerId: 'local' },
    ...{ shared: false, pinned: false, messageCount: 2, createdAt: at, updatedAt: at, key: 'k' },
    ...{ titleGiven: false, live: [[0, 1]], nextPlace: 2, version: 2, turnId: null, turnUntil: null },
    ...{ questionId: null, answerPlace: null, stopRequested: false, lastTurnId: id },
  },
  'conversation-attachment': {
    ...{ key: 'k', hash: 'a'.repeat(64), name: 'a.png', mediaType: 'image/png', size: 1, isCut: false },
    ...{ createdAt: at, ownerId: 'local' },
  },
  'conversation-message': {
    ...{ key: 'k', place: 0, id: 'm', role: 'user', parts: '[{"type":"text","text":"Owls?"}]' },
    ...{ metadata: null, createdAt: at },
  },
  'conversation-of-workspace': { workspaceId: id, key: 'k' },
  'conversation-share': { workspaceId: id, id: 'chat-1', key: 'k' },
  'conversation-words': { key: 'k', words: 'owls ' },
  'draft-check': {
    ...{ ownerId: 'local', runId: id, workspaceIds: [id], name: 'draft.docx', path: null, hash: 'a'.repeat(64) },
    ...{ folder: `attachments/${id}/drafts/${id}/`, bytes: 3, without: [], isPrivate: false, format: 'docx' },
    ...{ judge: true, budget: { calls: 3 }, sentences: 2, claims: 1, isUnread: false, until: at },
  },
  'extract-walk': { workspaceId: id, after: 'extracts/w/h.txt', walkedAt: null },
  'folder-look': { workspaceId: id, startedAt: 1, tookMs: 2 },
  'folder-watch': {
    ...{ workspaceId: id, watcher: id, watching: 'polling', reason: 'network', since: 1, upTo: null },
    pendingSince: 2,
  },
  'folder-watcher': { id: 'watcher', owner: id, until: 2, beatAt: 1, former: { owner: id, beatAt: 1 } },
  'git-clone': { workspaceId: id, url: 'https://github.com/a/b' },
  'index-renewal': { kind: 2, cursor: 'c', done: false },
  'mcp-headers': {
    ...{ workspaceId: id, owner: '', until: at, latest: { writeId: id, at }, pending: id },
  },
  'mcp-server': {
    ...{ id, workspaceId: id, name: 'far', url: 'https://far.example.com/mcp', headerNames: ['authorization'] },
    ...{ createdBy: 'a', createdAt: at },
  },
  'passage-table': { workspaceId: id, space: 'lexical_v2', id },
  'paper-address': { hash: 'h', expiresAt: 9e9 },
  'pending-cleaning': { workspaceId: id, space: 'lexical_v2', dueAt: at },
  'pending-recognition': { workspaceId: id, path: 'a.pdf', hash: 'h', by: 'r', pages: [1, 2], pagesRead: 1 },
  'quote-marker': { workspaceId: id, of: 'hash', value: 'h', paths: ['a.md'], stamp: id },
  'quoted-file': {
    ...{ workspaceId: id, path: 'a.md', document: { kind: 'note', key: id, place: 0 }, version: 1 },
    quotes: [
      {
        ...{ index: 1, quote: 'Owls hunt.', startLine: 1, endLine: 1, part: { page: 2 }, fileHash: null },
        ...{ exact: false, broken: { reason: 'changed', since: at, told: true } },
      },
    ],
  },
  'quoting-document': {
    ...{ workspaceId: id, document: { kind: 'answer', key: 'k', place: 3 }, paths: ['a.md'], stamp: id },
    ...{ settled: true, dueAt: at, createdAt: at },
  },
  'recognition-run': { workspaceId: id, step: 1, active: true, path: 'a.pdf', heartbeatAt: at },
  person: {
    ...{ id: 'ann', kind: 'user', name: 'Ann', email: null, role: 'member', workspaceIds: null, seenAt: at },
  },
  'permission-rules': {
    workspaceId: id,
    rules: [{ tool: 'bash', pattern: 'ls *', action: 'allow', addedBy: 'a', addedAt: at, answeredCall: null }],
    version: 1,
  },
  'research-answer': { workspaceId: id, hash: 'h', text: '{"claims":[]}', expiresAt: 9e9 },
  'research-step': {
    ...{ runId: id, name: 'read', hash: 'h', value: '"{}"', expiresAt: 9e9 },
    use: { calls: 1, inputTokens: 10, outputTokens: 2 },
  },
  'retraction-check': { workspaceId: id, dueAt: at },
  'retracted-paper': { workspaceId: id, path: 'a.pdf' },
  'research-study': {
    ...{ runId: id, question: 'Owls?', sources: ['files'], addresses: [], depth: 'quick', language: 'en' },
    ...{ budget: { calls: 9 }, approvePlan: false, previousRunId: null, way: 'anew', expiresAt: 9e9 },
  },
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
  'stale-extract': { workspaceId: id, hash: 'h', dueAt: at, removedAt: null },
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
  'upload-part': { uploadId: id, number: 0, createdAt: '2099-01-01T00:00:00.000Z' },
  'use-of-day': { ...amounts, ...others, day: '2026-01-01', callerId: 'c', workspaceId: id, kind: 'chat' },
  'use-of-month': { ...amounts, ...others, month: '2026-01', scope: 'workspace', id },
  'waiting-file': { workspaceId: id, path: 'a.md', askedAt: 1, expiresAt: 9e9 },
};
