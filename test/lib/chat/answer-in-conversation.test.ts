import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { answerInConversation } from '../../../lib/chat/answer-in-conversation.ts';
import { readMessages } from '../../../lib/conversations/branches.ts';
import { deleteConversation } from '../../../lib/conversations/change.ts';
import { findConversation } from '../../../lib/conversations/find.ts';
import { textOf, toMessage } from '../../../lib/conversations/messages.ts';
import { endIfDead } from '../../../lib/conversations/turn/stop-turn.ts';
import type { LanguageModel, ModelEvent } from '../../../lib/ports/language-model.ts';
import type { Records } from '../../../lib/ports/records.ts';
import { lastFrame } from '../../../lib/run-events/record-frames.ts';
import { framesPartition } from '../../../lib/run-events/schema.ts';
import { startPipeline } from '../../support/pipeline.ts';

const ANN: Caller = { id: 'ann', role: 'viewer', workspaceIds: null };
const pipeline = await startPipeline();
pipeline.ports.embedder = undefined;
const made = await pipeline.makeWorkspace();
const workspace = { ...made, name: 'w', createdAt: new Date().toISOString() };

/** Emits "one", waits for `between`, and emits "two". */
function saysTwo(between: () => Promise<unknown>): LanguageModel {
  const text = (said: string): ModelEvent => ({ type: 'text', text: said });
  return {
    ...{ provider: 'a', model: 'scripted' },
    async *stream() {
      yield text('one ');
      await between();
      yield text('two');
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}

let offsetMs = 0;
const clock = { now: () => Date.now() + offsetMs };

async function ask(id: string, records: Records, model: LanguageModel) {
  const ports = { ...pipeline.ports, records, clock };
  const messages = [{ id: 'q', role: 'user' as const, text: 'Which?' }];
  const asked = { workspace, actor: ANN.id, messages, model, timeLeftMs: 60_000 };
  const parts = await answerInConversation(ports, ANN, { id, messages }, asked);
  const types: string[] = [];
  for await (const { type } of parts()) types.push(type);
  return types;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('stored answer', () => {
  it('continues, and is stored completely, if the store rejects events', async () => {
    const { records } = pipeline.ports;
    const put: Records['put'] = async (record, expect) => {
      if (record.key.partition.startsWith('AGENT_FRAMES#')) throw new Error('disk full');
      return records.put(record, expect);
    };
    const types = await ask(
      'broken',
      { ...records, put },
      saysTwo(() => pause(60)),
    );
    expect(types.at(-1)).toBe('finish');
    const found = await findConversation(records, ANN, 'broken');
    expect(found.turnId).toBeNull();
    const kept = (await readMessages(records, found)).map(toMessage).map(textOf);
    expect(kept).toEqual(['Which?', 'one two']);
  });

  it('leaves nothing if the conversation is deleted in the meantime', async () => {
    const { records } = pipeline.ports;
    let turnId: string | null = null;
    const model = saysTwo(async () => {
      ({ turnId } = await findConversation(records, ANN, 'gone'));
      await deleteConversation(pipeline.ports, ANN, 'gone');
    });
    await ask('gone', records, model).catch(() => undefined);
    expect(await records.count({ partition: framesPartition(String(turnId)) })).toBe(0);
  });

  it('continues after a stall past its lease if no other process has ended it', async () => {
    const { records } = pipeline.ports;
    const stall = async () => {
      offsetMs += 40_000;
    };
    expect((await ask('stalled', records, saysTwo(stall))).at(-1)).toBe('finish');
    const found = await findConversation(records, ANN, 'stalled');
    expect(found.turnId).toBeNull();
    expect((await readMessages(records, found)).map(toMessage).map(textOf)).toEqual(['Which?', 'one two']);
  });

  it.each(['between two words', 'before it is stored'])(
    'changes nothing after a stall past its lease, %s, if another process ended it',
    async (when) => {
      const { records } = pipeline.ports;
      const id = `ended ${when}`;
      /** Another process finds the answer dead while this process is stopped. */
      const stall = async () => {
        offsetMs += 40_000;
        const found = await findConversation(records, ANN, id);
        if (found.turnId === null) return;
        turnId = found.turnId;
        await endIfDead({ ...pipeline.ports, clock }, found);
        ended = await stored();
      };
      const stored = async () => {
        const found = await findConversation(records, ANN, id);
        return [found, await readMessages(records, found), await lastFrame(records, turnId)];
      };
      let turnId = '';
      let ended: unknown;
      const put: Records['put'] = async (record, expect) => {
        if (when === 'before it is stored' && record.key.sort === 'MESSAGE#0000000001') await stall();
        return records.put(record, expect);
      };
      const model = saysTwo(() => (when === 'between two words' ? stall() : Promise.resolve()));
      expect((await ask(id, { ...records, put }, model)).at(-1)).toBe('data-error');
      expect(turnId).not.toBe('');
      expect(await stored()).toEqual(ended);
      expect(JSON.stringify(ended)).toContain('answer-cut');
    },
  );
});
