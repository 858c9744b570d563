import { afterEach, describe, expect, it, jest } from '@jest/globals';

Object.assign(globalThis, { sessionStorage: { getItem: () => null }, addEventListener: () => {} });
const { callApi } = await import('../../../web/api/client.ts');

afterEach(() => {
  jest.restoreAllMocks();
});

describe('response that starts before its result', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=utf-8'])(
    'fails with the error in its body: %s',
    async (type) => {
      const body = '   {"error":"No","status":502,"code":"git_failed"}';
      const response = new Response(body, { status: 202, headers: { 'content-type': type } });
      jest.spyOn(globalThis, 'fetch').mockResolvedValue(response);
      await expect(callApi('http://service/api')).rejects.toMatchObject({ status: 502, code: 'git_failed' });
    },
  );
});
