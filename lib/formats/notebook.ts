import type { Format } from './format.ts';

export const notebook: Format<'notebook', 'encoded'> = {
  name: 'notebook',
  /**
   * In version 1 of the service, notebooks were code, and records didn't state how a file was read. Version 2
   * lacked titles and links.
   */
  version: 4,
  title: 'Jupyter notebook',
  extensions: ['ipynb'],
  mediaType: 'application/x-ipynb+json',
  content: 'encoded',
  unit: 'cell',
  emptyNote: 'The cells of this notebook are empty.',
};
