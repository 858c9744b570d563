import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { type Activity, activities } from '../../lib/activity/schema.ts';
import type { FinishReason, LanguageModel, ModelRequest } from '../../lib/ports/language-model.ts';
import type { Records } from '../../lib/ports/records.ts';

/** A model that records its requests and returns the test's answers. */
export function answeringModel(
  answer: (request: ModelRequest) => string | Promise<string>,
  end: { reason: FinishReason } = { reason: 'stop' },
) {
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    provider: 'a',
    model: 'answering',
    async *stream(request) {
      requests.push(request);
      yield { type: 'text', text: await answer(request) };
      yield { type: 'finish', reason: end.reason, usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  return { model, requests };
}

export type PastActivity = Pick<Activity, 'kind' | 'summary'> & { details?: Activity['details'] };

/** Creates activities in the past, a millisecond apart. */
export async function putActivities(
  records: Records,
  workspaceId: string,
  time: string,
  happened: PastActivity[],
): Promise<void> {
  const begin = Date.parse(time);
  await activities.putMany(
    records,
    happened.map((activity, index) => ({
      details: {},
      ...activity,
      id: v7({ msecs: begin + index, random: Buffer.from(randomUUID().slice(0, 16)) }),
      workspaceId,
      actor: 'someone',
      createdAt: new Date(begin + index).toISOString(),
    })),
  );
}
