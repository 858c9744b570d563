import { appendFileSync } from 'node:fs';
import { afterAll, expect } from '@jest/globals';
import { outputs } from './service-outputs.ts';

/** Log line of a service for a code that its route doesn't declare (lib/http/route-errors.ts). */
const UNDECLARED = /"message":"undeclared error code","route":"([^"]+)","code":"([^"]+)"/g;

/**
 * Every route declares the codes that it returns. With RECORD_ERRORS=FILE, missing codes are appended to the
 * file instead.
 */
afterAll(() => {
  const found = outputs.flatMap((output) => [...output().matchAll(UNDECLARED)]);
  const missing = [...new Set(found.map(([, route, code]) => `${route} ${code}`))].sort();
  const { RECORD_ERRORS } = process.env;
  if (RECORD_ERRORS) appendFileSync(RECORD_ERRORS, missing.map((line) => `${line}\n`).join(''));
  else expect(missing).toEqual([]);
});
