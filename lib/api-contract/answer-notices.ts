/** How an incomplete answer ended, if it didn't fail: the field `ending` of its notice. */
export const ENDINGS = ['length', 'filtered', 'empty', 'repeats'] as const;
export type Ending = (typeof ENDINGS)[number];

/** The code of the notice that says why nothing has arrived yet. The notice isn't stored. */
export const WAITING = 'waiting-for-model';
