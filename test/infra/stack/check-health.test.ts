import { describe, expect, it } from '@jest/globals';
import { checkHealth } from '../../../infra/stack/check-health.ts';

const API = 'https://a.execute-api.eu-west-1.amazonaws.com/dev';
const OK = '{"status":"ok","version":"1.0.0"}';

/** Checks an API that gives these answers in turn, and then repeats the last one. */
async function check(...answers: (Response | Error)[]) {
  const told: string[] = [];
  const asked: string[] = [];
  const request = async (url: unknown) => {
    asked.push(String(url));
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Response) return answer.clone();
    throw answer;
  };
  const refusal = await checkHealth(API, { tell: (line) => void told.push(line), every: 0, request }).then(
    () => undefined,
    ({ message }: Error) => message,
  );
  return { told, asked, refusal };
}

describe('checkHealth', () => {
  it('reports what the API says', async () => {
    const { told, asked, refusal } = await check(new Response(OK));
    expect(refusal).toBeUndefined();
    expect(told).toEqual([`${API}/api/health: ${OK}`]);
    expect(asked).toEqual([`${API}/api/health`]);
  });

  it('asks again while a new API is not reachable, or its first function starts', async () => {
    const lost = new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
    const { asked, refusal } = await check(lost, new Response('{}', { status: 502 }), new Response(OK));
    expect([asked.length, refusal]).toEqual([3, undefined]);
  });

  it.each([
    ['an error', new Response('{"error":"No\n\u001b[31m"}', { status: 502 }), '502 {"error":"No [31m"}'],
    ['another status', new Response('{"status":"degraded"}'), '200 {"status":"degraded"}'],
    ['no JSON', new Response('<html>'), '200 <html>'],
    ['a long answer', new Response('x'.repeat(10_000)), `200 ${'x'.repeat(296)}`],
    ['no answer', new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }), 'ECONNREFUSED'],
  ])('fails after six requests with %s, and says that nothing was undone', async (_, answer, said) => {
    const { told, asked, refusal } = await check(answer);
    expect(told).toEqual([]);
    expect(asked).toHaveLength(6);
    expect(refusal).toContain(`isn't healthy: ${said}. Nothing was undone.`);
  });
});
