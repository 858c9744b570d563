import { expect, it } from '@jest/globals';
import { emptyDraft, wishOf } from '../../../web/research/start-draft.ts';

it("wishOf contains only fields of the API, without the question's origin", () => {
  const draft = { ...emptyDraft('en'), question: ' How do owls hear? ', isFromAnswer: true };
  expect(wishOf(draft)).toEqual({
    ...{ question: 'How do owls hear?', depth: 'standard', sources: ['files', 'datasets'] },
    ...{ addresses: [], language: 'en', approvePlan: false },
  });
});
