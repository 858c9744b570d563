import { expect, it } from '@jest/globals';
import { isBaseUrl, isWrongBaseUrl } from '../../../web/settings/provider-name.ts';

it.each(['127.0.0.1:1/v1', 'localhost:1234', 'file:///etc', 'https//example.org', 'http://'])(
  'isBaseUrl rejects a URL without a scheme and a host: %s',
  (text) => {
    expect(isBaseUrl(text)).toBe(false);
  },
);

it('isWrongBaseUrl is true for an error in a typed URL, but not for a start that may become valid', () => {
  const typed = ['', 'h', 'http', 'https:/', 'HTTP://', 'http://127.0.0.1:1/v1', 'https://example.org/v1'];
  expect(typed.filter(isWrongBaseUrl)).toEqual([]);
  expect(['1', 'localhost:1', 'htp', 'http:/1'].filter((text) => !isWrongBaseUrl(text))).toEqual([]);
});
