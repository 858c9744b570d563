import { describe, expect, it } from '@jest/globals';
import { activities } from '../../lib/activity/schema.ts';
import { openDatabase } from '../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../lib/adapters/sqlite/records.ts';
import { sendings } from '../../lib/adapters/wecom/send-pieces.ts';
import { chats, inbox, marks, turns } from '../../lib/bots/schema.ts';
import { boundSignatures } from '../../lib/bots/wecom/bound-signatures.ts';
import { passiveReplies } from '../../lib/bots/wecom/passive-reply.ts';
import { syncs } from '../../lib/indexing/schema.ts';
import { notes } from '../../lib/notes/schema.ts';
import { skills, slugClaims } from '../../lib/skills/schema.ts';
import { taskRuns } from '../../lib/tasks/schema.ts';
import { tokens } from '../../lib/tokens/schema.ts';
import { rootClaims, workspaces } from '../../lib/workspaces/schema.ts';
import { makeSkill } from '../support/skills.ts';
import { tempFolder } from '../support/temp-folder.ts';

const records = sqliteRecords(openDatabase(await tempFolder()));
const id = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';
const createdAt = '2026-01-01T00:00:00.000Z';
const workspace = { id, name: 'w', rootPath: '/w', createdAt };
const claim = { rootPath: '/w', workspaceId: id, state: 'settled' as const, workspace };
const token = {
  id,
  name: 't',
  role: 'admin' as const,
  workspaceIds: null,
  createdAt,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  hash: 'h',
};
const skill = makeSkill({
  steps: [{ instruction: 'a' }],
  parameters: [{ name: 'a', label: 'A', type: 'select', required: true, options: ['b'] }],
});
const activity = {
  id,
  workspaceId: id,
  kind: 'chat' as const,
  actor: 'a',
  summary: 'Asked',
  details: {},
  createdAt,
};
const note = {
  id,
  workspaceId: id,
  title: 't',
  content: '',
  type: 'manual' as const,
  reportDate: null,
  createdAt,
  updatedAt: createdAt,
};
const slugClaim = { workspaceId: null, slug: 's', skillId: id, claimedAt: 1 };
const taskRun = {
  id,
  taskId: id,
  trigger: 'schedule' as const,
  scheduledFor: createdAt,
  status: 'running' as const,
  startedAt: createdAt,
  finishedAt: null,
  error: null,
  summary: null,
  noteId: null,
  attempts: 1,
  owner: id,
  leaseUntil: createdAt,
  expiresAt: 1,
};
const sync = {
  workspaceId: id,
  syncId: id,
  status: 'ready' as const,
  space: 'lexical',
  planId: null,
  batches: 0,
  doneBatches: [],
  splitBatches: [],
  total: 0,
  newCount: 0,
  updatedCount: 0,
  unchangedCount: 0,
  removedCount: 0,
  failedCount: 0,
  skippedCount: 0,
  textsEmbedded: 0,
  textsUnderWay: [{ number: '0', texts: 1 }],
  lackingCount: 0,
  errors: [{ path: 'a', error: 'b' }],
  startedAt: createdAt,
  finishedAt: null,
  heartbeatAt: createdAt,
};
const chatId = { platform: 'ima' as const, chatId: 'oc_1' };
const message = {
  ...chatId,
  kind: 'message' as const,
  chatType: 'p2p' as const,
  senderId: 'ou_1',
  messageId: 'om_1',
  content: { type: 'text' as const, text: 'a' },
  receivedAt: createdAt,
};
const activeRun = {
  runId: id,
  message,
  reading: null,
  startedAt: createdAt,
  cardId: null,
  question: null,
  asked: [],
  approvable: [],
  forget: false,
  failures: 0,
};
const chat = {
  ...chatId,
  workspacePath: '/w',
  mode: 'agent' as const,
  history: [{ role: 'user' as const, text: 'a' }],
  activeRun,
  version: 1,
  createdAt,
  updatedAt: createdAt,
};
const turn = { ...chatId, owner: '', until: createdAt, wanted: 1 };
const mark = { platform: 'ima' as const, kind: 'sent' as const, id: 'a', sentAs: 'om_2', expiresAt: 9e9 };
const passiveReply = {
  messageId: '1',
  status: 'open' as const,
  until: 1,
  key: null,
  text: null,
  expiresAt: 9e9,
};
const boundSignature = { signature: 'a', digest: 'b', expiresAt: 9e9 };
const sending = { key: 'k', sent: 1, triedAt: 1, expiresAt: 9e9 };

/** The same value with a field more in every object of it. */
function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  if (typeof value !== 'object' || value === null) return value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, later(inner)])),
    more: 1,
  };
}

describe('a record that a later version wrote with more fields', () => {
  it('is read as an activity of this version', async () => {
    const value = { ...activity, more: 1 };
    await records.put({ key: activities.key(activity), value });
    expect(await activities.get(records, activity)).toEqual(activity);
  });

  it.each([
    ['workspace', workspaces, workspace],
    ['root claim', rootClaims, claim],
    ['token', tokens, token],
    ['skill', skills, skill],
    ['slug claim', slugClaims, slugClaim],
    ['run of a task', taskRuns, taskRun],
    ['sync', syncs, sync],
    ['note', notes, note],
    ['chat of a bot', chats, chat],
    ['message that waits', inbox, message],
    ['turn on a chat', turns, turn],
    ['mark', marks, mark],
    ['passive reply', passiveReplies, passiveReply],
    ['bound signature', boundSignatures, boundSignature],
    ['sending', sendings, sending],
  ])('is read as a %s of this version', async (_, stored, item) => {
    const { key, get } = stored as typeof workspaces;
    const known = item as typeof workspace;
    await records.put({ key: key(known), value: later(item) as Record<string, unknown> });
    expect(await get(records, known)).toEqual(item);
  });
});
