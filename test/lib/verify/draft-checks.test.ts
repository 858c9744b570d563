import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { keepAttachments } from '../../../lib/conversations/attachments/keep.ts';
import { addressOf } from '../../../lib/conversations/attachments/schema.ts';
import { deleteConversation } from '../../../lib/conversations/change.ts';
import { sha256 } from '../../../lib/paths/hash.ts';
import { KEEP_RUN_SECONDS, runMessageSchema, runs } from '../../../lib/runs/schema.ts';
import { beginCheck } from '../../../lib/verify/begin.ts';
import { deleteCheck } from '../../../lib/verify/delete-check.ts';
import {
  draftChecks,
  dropDraft,
  dropDrafts,
  dropDraftsIn,
  putRequest,
  sweepDrafts,
} from '../../../lib/verify/draft-checks.ts';
import { findCheck } from '../../../lib/verify/find-check.ts';
import type { DraftCheckPorts } from '../../../lib/verify/ports.ts';
import { MEMBER } from '../../support/agent.ts';
import { keepAnswer } from '../../support/cited-answer.ts';
import { type CheckRig, startCheckRig } from '../../support/draft-checks.ts';

const SENTENCE = 'Owls hunt at night in 12 forests.';

let rig: CheckRig;
beforeEach(async () => {
  rig = await startCheckRig({ 'owls.md': `${SENTENCE}\n` });
});

async function storedKeys(): Promise<string[]> {
  const pages = await Array.fromAsync(rig.ports.objects.keys(`attachments/${rig.workspace.id}/`));
  return pages.flat();
}

/** Returns everything about a run except the run itself. */
async function findingsOf(runId: string) {
  const partitions = [`AGENT_RUN#${runId}`, `AGENT_FRAMES#${runId}`];
  const pages = await Promise.all(
    partitions.map((partition) => rig.ports.records.query({ partition, limit: 100 })),
  );
  const keys = pages.flatMap(({ records }) => records.map(({ key }) => key.sort));
  return keys.filter((sort) => !['RUN', 'LEASE'].includes(sort));
}

function draftsOf({ id: ownerId }: Caller) {
  return { partition: draftChecks.key({ ownerId, runId: '' }).partition };
}

async function workAll(): Promise<void> {
  while ((await rig.work()) > 0);
}

describe('the check of an attachment', () => {
  it('is deleted with its conversation', async () => {
    const { ports, workspace } = rig;
    const at = { id: 'chat-1', workspaceId: workspace.id, caller: MEMBER };
    const conversation = await keepAnswer(ports, at, []);
    const hash = await sha256(Buffer.from(SENTENCE));
    const file = { hash, name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from(SENTENCE), isCut: false };
    await keepAttachments(ports, conversation, [{ ...file, text: SENTENCE }]);
    const { runId } = await rig.begin({ attachment: { url: addressOf('chat-1', hash) } });
    await workAll();
    expect((await rig.look(runId)).text).toBe(SENTENCE);
    await deleteConversation({ ...ports, dropWith: dropDraftsIn }, MEMBER, 'chat-1');
    expect(await storedKeys()).toEqual([]);
    expect(await findingsOf(runId)).toEqual([]);
    expect(await draftChecks.get(ports.records, { ownerId: MEMBER.id, runId })).toBeUndefined();
    await expect(rig.look(runId)).rejects.toMatchObject({ code: 'draft_check_not_found' });
  });
});

describe('a check that is deleted', () => {
  it('leaves neither its draft nor its verdicts if it was finished', async () => {
    const { records } = rig.ports;
    const { runId } = await rig.begin({ text: SENTENCE });
    const remove = async () => deleteCheck(rig.ports, await findCheck(records, MEMBER, runId));
    await expect(remove()).rejects.toMatchObject({ code: 'draft_check_not_ready' });
    await workAll();
    expect(await findingsOf(runId)).not.toEqual([]);
    await remove();
    expect(await storedKeys()).toEqual([]);
    expect(await findingsOf(runId)).toEqual([]);
    expect(await draftChecks.get(records, { ownerId: MEMBER.id, runId })).toBeUndefined();
    await expect(rig.look(runId)).rejects.toMatchObject({ code: 'draft_check_not_found' });
  });
});

describe('a check whose draft is deleted during the check', () => {
  it('stores nothing about the draft afterwards', async () => {
    const { runId } = await rig.begin({ text: SENTENCE });
    const { searchFor } = rig.ports;
    const whileSearching: DraftCheckPorts['searchFor'] = (use) => {
      const search = searchFor(use);
      const open: typeof search.vectors.open = async (...wanted) => {
        await dropDraft(rig.ports, MEMBER.id, runId);
        return search.vectors.open(...wanted);
      };
      return { ...search, vectors: { ...search.vectors, open } };
    };
    await rig.work({ ...rig.ports, searchFor: whileSearching });
    expect((await findingsOf(runId)).filter((sort) => !/^\d+$/.test(sort))).toEqual([]);
    expect(await runs.get(rig.ports.records, { id: runId })).toMatchObject({ status: 'failed' });
  });
});

describe('the draft checks of one user', () => {
  it('are limited to ten unfinished checks', async () => {
    for (let count = 0; count < 10; count++) await rig.begin({ text: SENTENCE });
    await expect(rig.begin({ text: SENTENCE })).rejects.toMatchObject({ code: 'too_many_draft_checks' });
    expect(await storedKeys()).toHaveLength(20);
    await expect(
      beginCheck(rig.ports, { ...MEMBER, id: 'another' }, [rig.workspace], { text: SENTENCE }),
    ).resolves.toMatchObject({ runId: expect.any(String) });
    await workAll();
    await rig.begin({ text: SENTENCE });
  });

  it('are limited to ten unfinished checks, even if they start at the same time', async () => {
    const starts = Array.from({ length: 60 }, () => rig.begin({ text: SENTENCE }));
    const states = (await Promise.allSettled(starts)).map(({ status }) => status);
    expect(states.filter((status) => status === 'fulfilled').length).toBeLessThanOrEqual(10);
    await workAll();
    await rig.begin({ text: SENTENCE });
  });

  it('count a check that was interrupted at its start for five minutes', async () => {
    for (let count = 0; count < 9; count++) await rig.begin({ text: SENTENCE });
    const [known] = await Array.fromAsync(draftChecks.all(rig.ports.records, draftsOf(MEMBER)));
    if (known !== undefined) await putRequest(rig.ports, { ...known, runId: 'cut-short' });
    await expect(rig.begin({ text: SENTENCE })).rejects.toMatchObject({ code: 'too_many_draft_checks' });
    rig.time.offsetMs += 6 * 60_000;
    await rig.begin({ text: SENTENCE });
    await expect(rig.begin({ text: SENTENCE })).rejects.toMatchObject({ code: 'too_many_draft_checks' });
  });

  it('stay within the quota if they start at the same time', async () => {
    const ports = { ...rig.ports, attachmentQuotaBytes: 10 * SENTENCE.length };
    const begin = () => beginCheck(ports, MEMBER, [rig.workspace], { text: SENTENCE });
    const starts = await Promise.allSettled(Array.from({ length: 9 }, begin));
    expect(starts.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(3);
    await workAll();
    for await (const { runId } of draftChecks.all(ports.records, draftsOf(MEMBER)))
      await dropDraft(ports, MEMBER.id, runId);
    for (let count = 0; count < 3; count++) await begin();
    await expect(begin()).rejects.toMatchObject({ code: 'attachments_quota_used_up' });
  });

  it('finish for a part of a draft even if the whole draft was deleted before a worker started', async () => {
    const whole = await rig.begin({ text: `${SENTENCE} Cats sleep.` });
    await workAll();
    const part = await rig.begin({ text: SENTENCE, partOf: whole.runId });
    await dropDraft(rig.ports, MEMBER.id, whole.runId);
    await workAll();
    expect(await rig.look(part.runId)).toMatchObject({ status: 'done', error: null });
  });

  it('count toward the quota of their attachments', async () => {
    const ports = { ...rig.ports, attachmentQuotaBytes: 5 * SENTENCE.length };
    const begin = () => beginCheck(ports, MEMBER, [rig.workspace], { text: SENTENCE });
    const { runId } = await begin();
    await expect(begin()).rejects.toMatchObject({ code: 'attachments_quota_used_up' });
    await workAll();
    await deleteCheck(ports, await findCheck(ports.records, MEMBER, runId));
    const { runId: second } = await begin();
    await workAll();
    await dropDrafts(ports.records, rig.workspace.id);
    expect(await findingsOf(second)).toEqual([]);
    await begin();
  });

  it('cost at most 200 judge calls if the request sets no limit', async () => {
    const budgetOf = async ({ runId }: { runId: string }) =>
      (await draftChecks.get(rig.ports.records, { ownerId: MEMBER.id, runId }))?.budget;
    expect(await budgetOf(await rig.begin({ text: SENTENCE }))).toEqual({ calls: 200 });
    const budget = { calls: 900, minutes: 5 };
    expect(await budgetOf(await rig.begin({ text: SENTENCE, budget }))).toEqual(budget);
  });
});

describe('the scheduler tick', () => {
  it('has a worker delete expired drafts, even in workspaces that no longer check drafts', async () => {
    const { ports, time } = rig;
    await rig.begin({ text: SENTENCE });
    await workAll();
    await sweepDrafts(ports);
    expect(await ports.agentQueue.receive({ max: 10 })).toEqual([]);
    time.offsetMs += KEEP_RUN_SECONDS * 1000 + 25 * 60 * 60 * 1000;
    await sweepDrafts(ports);
    await sweepDrafts(ports);
    const messages = await ports.agentQueue.receive({ max: 10 });
    expect(messages).toHaveLength(1);
    const { runId, draftOf } = runMessageSchema.parse(JSON.parse(messages[0]?.body ?? ''));
    await dropDraft(ports, draftOf ?? '', runId);
    expect(await storedKeys()).toEqual([]);
  });
});
