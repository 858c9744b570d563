/** The actions that are possible in each state of a dataset. */
export const DATASET_ACTIONS = {
  pending: ['cancel'],
  downloading: ['pause', 'cancel'],
  paused: ['retry'],
  failed: ['retry'],
  cancelled: ['retry'],
  ready: ['refresh'],
} as const;
export type DatasetStatus = keyof typeof DATASET_ACTIONS;
export const DATASET_STATUSES = Object.keys(DATASET_ACTIONS) as DatasetStatus[];
export type DatasetAction = (typeof DATASET_ACTIONS)[DatasetStatus][number];
