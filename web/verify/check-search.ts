import { searchTexts } from '../shell/search-texts.ts';

/** The states of sentences, as in the URL, starting with those that an author has to check. */
const SENTENCE_STATES = ['contradicted', 'none', 'unjudged', 'full', 'no-claim'] as const;
export type SentenceState = (typeof SENTENCE_STATES)[number];
/** The filters, starting with the sentences of all states that may have an error. */
export const FILTERS = ['errors', ...SENTENCE_STATES] as const;
export type SentenceFilter = (typeof FILTERS)[number];

/** The state of a check's page, as in the URL. */
interface CheckSearch {
  /** The filter for sentences. */
  show?: SentenceFilter | undefined;
  /** The number of the open sentence. */
  sentence?: number | undefined;
  /** The quote whose source is open. */
  source?: string | undefined;
}

export function readCheckSearch({ show, sentence, ...search }: Record<string, unknown>): CheckSearch {
  return {
    show: FILTERS.find((each) => each === show),
    sentence: typeof sentence === 'number' && Number.isSafeInteger(sentence) ? sentence : undefined,
    ...searchTexts('source')(search),
  };
}
