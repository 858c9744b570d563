/** How an incomplete answer ended without a failure: the field `ending` of its notice. */
export const ENDINGS = ['length', 'filtered', 'empty', 'repeats'] as const;
export type Ending = (typeof ENDINGS)[number];

/** The code of the notice about why nothing has arrived yet. It isn't stored. */
export const WAITING = 'waiting-for-model';
