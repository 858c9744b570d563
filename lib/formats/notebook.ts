import type { Format } from './format.ts';

export const notebook: Format<'notebook', 'encoded'> = {
  name: 'notebook',
  /** Notebooks were code in version 1 of the service, whose records do not say how a file was read. 2 left titles and links. */
  version: 4,
  title: 'Jupyter notebook',
  extensions: ['ipynb'],
  mediaType: 'application/x-ipynb+json',
  content: 'encoded',
  unit: 'cell',
  emptyNote: 'The cells of this notebook are empty.',
};
