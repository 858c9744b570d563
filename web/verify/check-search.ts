import { searchTexts } from '../shell/search-texts.ts';

/** The states of sentences, as the address names them; first those that an author has to look at. */
const SENTENCE_STATES = ['contradicted', 'none', 'unjudged', 'full', 'no-claim'] as const;
export type SentenceState = (typeof SENTENCE_STATES)[number];
/** What filters show: first the sentences of all states that may have an error. */
export const FILTERS = ['errors', ...SENTENCE_STATES] as const;
export type SentenceFilter = (typeof FILTERS)[number];

/** What the page of a check shows, as the URL has it. */
interface CheckSearch {
  /** The filter whose sentences are shown. */
  show?: SentenceFilter | undefined;
  /** The number of the sentence that is open. */
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
