import type { Format } from './format.ts';

export const mail: Format<'mail', 'encoded'> = {
  name: 'mail',
  version: 6,
  title: 'e-mail',
  extensions: ['eml'],
  mediaType: 'message/rfc822',
  content: 'encoded',
  unit: 'line',
};

/** A page that a browser saved with all its resources, as an email whose body is the page. */
export const mhtml: Format<'mhtml', 'encoded'> = {
  name: 'mhtml',
  version: 6,
  title: 'MHTML',
  extensions: ['mht', 'mhtml'],
  mediaType: 'message/rfc822',
  content: 'encoded',
  unit: 'line',
};
