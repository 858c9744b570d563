import { expect, it } from '@jest/globals';
import { fromOwnPage } from '../../../lib/api-contract/object-urls.ts';

it.each([
  [
    'drops the origin of the service',
    'http://127.0.0.1:3000/objects/uploads/a%20b?size=1',
    '/objects/uploads/a%20b?size=1',
  ],
  [
    'keeps the URL of a bucket',
    'https://bucket.s3.eu-west-1.amazonaws.com/uploads/objects/a?X-Amz-Date=1',
    'https://bucket.s3.eu-west-1.amazonaws.com/uploads/objects/a?X-Amz-Date=1',
  ],
])('fromOwnPage %s', (_which, url, expected) => {
  expect(fromOwnPage(url)).toBe(expected);
});
