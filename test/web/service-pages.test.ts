import { describe, expect, it } from '@jest/globals';
import { auditQuery, joinCsv, readAuditFilter } from '../../web/audit/filter.ts';
import { isGone, readAbout } from '../../web/audit/read-about.ts';
import { isReachable } from '../../web/bots/reachable.ts';
import { pricesOf, rowsOf } from '../../web/settings/price-list.ts';
import { hostOf } from '../../web/settings/provider-name.ts';
import { endAfter, stateOf } from '../../web/tokens/token-state.ts';
import { type Budget, readLimit, shareOf, withBudget, withoutBudget } from '../../web/usage/budget-list.ts';
import { daysBetween, drawBars, roundTop } from '../../web/usage/plot.ts';
import { readUsageSearch, spanOf } from '../../web/usage/span.ts';

describe('audit page', () => {
  it('reads its own parameters from a URL', () => {
    const search = { from: '2026-11-01', to: 'today', actor: 'ann', action: '', more: 'x' };
    expect(readAuditFilter(search)).toEqual({ from: '2026-11-01', actor: 'ann' });
    expect(readAuditFilter({ actor: 7, from: null })).toEqual({});
  });

  it('includes the last day', () => {
    expect(auditQuery({ from: '2026-02-01', to: '2026-02-28' })).toEqual({
      from: '2026-02-01',
      to: '2026-03-01',
    });
    expect(auditQuery({ to: '2026-99-99', actor: 'a' })).toEqual({ actor: 'a' });
  });

  it('exports one table, for any number of pages', () => {
    expect(joinCsv(['at,actor\r\n1,a\r\n', 'at,actor\r\n2,b\r\n', 'at,actor\r\n'])).toBe(
      'at,actor\r\n1,a\r\n2,b\r\n',
    );
  });
});

describe('target of an audit entry', () => {
  const [known, other] = ['019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11', '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a12'];
  const names = new Map([[known, 'library']]);
  it.each([
    ['a name with an ID', known, { said: 'library', ids: [known] }],
    ['an ID without a name', other, { said: '', ids: [other] }],
    [
      'names in a text',
      `viewer for ${known} ${other}: x`,
      { said: `viewer for library ${other}: x`, ids: [known] },
    ],
    ['a text without IDs', 'rules.md $& é', { said: 'rules.md $& é', ids: [] }],
    ['empty', '', { said: '', ids: [] }],
  ])('is %s', (_what, about, read) => expect(readAbout(about, names)).toEqual(read));

  it.each([
    ['notes.delete', 'done', true],
    ['notes.delete', 'refused', false],
    ['tokens.revoke', 'done', false],
  ])('has for %s that is %s the deleted state %p', (action, outcome, gone) =>
    expect(isGone({ action, outcome })).toBe(gone),
  );
});

describe('API token', () => {
  const now = Date.parse('2026-11-23T00:00:00Z');
  it.each([
    [{ expiresAt: null, revokedAt: null }, 'valid'],
    [{ expiresAt: '2026-11-24T00:00:00Z', revokedAt: null }, 'valid'],
    [{ expiresAt: '2026-11-23T00:00:00Z', revokedAt: null }, 'expired'],
    [{ expiresAt: '2026-11-24T00:00:00Z', revokedAt: '2026-11-01T00:00:00Z' }, 'revoked'],
  ])('%j is %s', (token, state) => expect(stateOf(token, now)).toBe(state));

  it('expires after a number of days, or never', () => {
    expect(endAfter('30', now)).toBe('2026-12-23T00:00:00.000Z');
    for (const none of ['never', '', '-3', '1.5']) expect(endAfter(none, now)).toBeNull();
  });
});

describe('usage plot', () => {
  it.each([
    [0, 1],
    [0.03, 0.05],
    [1, 1],
    [1.2, 2],
    [7, 10],
    [3_400, 5_000],
    [Number.NaN, 1],
  ])('has a round maximum: %d → %d', (value, top) => expect(roundTop(value)).toBeCloseTo(top, 10));

  it('stacks parts from the bottom', () => {
    const [first, second] = drawBars(
      [
        { key: 'a', parts: [1, 0, 3] },
        { key: 'b', parts: [] },
      ],
      { width: 100, height: 40 },
      4,
    );
    expect(first?.parts).toEqual([
      { y: 30, height: 10, place: 0 },
      { y: 0, height: 30, place: 2 },
    ]);
    expect(second?.parts).toEqual([]);
    expect((second?.x ?? 0) + (second?.width ?? 0)).toBeLessThanOrEqual(100);
  });

  it('shows days without usage, and at most a year', () => {
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysBetween('2000-01-01', '2026-03-01')).toHaveLength(366);
    expect(daysBetween('x', '2026-03-01')).toEqual([]);
  });

  it('recognizes periods by their names', () => {
    const now = new Date('2026-01-15T12:00:00Z');
    expect(spanOf('month', now)).toEqual({ from: '2026-01-01', to: '2026-01-15' });
    expect(spanOf('last', now)).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(spanOf('days30', now)).toEqual({ from: '2025-12-17', to: '2026-01-15' });
  });

  it('reads known values from a URL', () => {
    expect(readUsageSearch({ from: '2026-01-01', to: 1, by: 'model', of: 'owls' })).toEqual({
      from: '2026-01-01',
      by: 'model',
    });
  });
});

describe('budgets', () => {
  const used = { tokens: 50, costUsd: 3, unpricedModels: [] };
  const budget = (more: Partial<Budget>): Budget => {
    return { scope: 'service', id: 'service', used, resetsAt: '', ...more };
  };

  it('are as close to their end as the closer limit', () => {
    expect(shareOf(budget({ monthlyUsd: 4, monthlyTokens: 500 }))).toBe(0.75);
    expect(shareOf(budget({ monthlyTokens: 0 }))).toBe(1);
  });

  it("are changed individually, and sent without the service's calculated fields", () => {
    const list = [budget({ monthlyUsd: 1 }), budget({ scope: 'caller', id: 'a', monthlyTokens: 5 })];
    const changed = withBudget(list, { scope: 'caller', id: 'a', monthlyUsd: 2 });
    expect(changed).toEqual([
      { scope: 'service', id: 'service', monthlyUsd: 1 },
      { scope: 'caller', id: 'a', monthlyUsd: 2 },
    ]);
    expect(withBudget(list, { scope: 'workspace', id: 'a', monthlyUsd: 2 })).toHaveLength(3);
    expect(withoutBudget(list, { scope: 'caller', id: 'a' })).toEqual([
      { scope: 'service', id: 'service', monthlyUsd: 1 },
    ]);
  });

  it.each([
    ['', undefined],
    [' 5 ', 5],
    ['0', 0],
    ['-1', undefined],
    ['x', undefined],
  ])('read a limit %j as %s', (text, limit) => expect(readLimit(text)).toBe(limit));
});

describe('prices', () => {
  it('convert to rows and back', () => {
    const prices = { m: { inputPerMillion: 0.5, outputPerMillion: 2 } };
    const settings = { llmModel: null, prices, listPrices: { asOf: '2026-01-31', models: {} } };
    expect(pricesOf(rowsOf(settings))).toEqual(prices);
    expect(pricesOf([{ key: 0, model: ' ', input: '', output: '' }])).toEqual({});
  });

  it.each([
    ['', '1'],
    ['1', '-1'],
    ['x', '1'],
  ])('are incomplete with %j and %j', (input, output) => {
    expect(pricesOf([{ key: 0, model: 'm', input, output }])).toBeUndefined();
  });
});

it.each([
  ['https://research.example.org/settings', true],
  ['http://research.example.org/', false],
  ['https://127.0.0.1/', false],
  ['https://172.20.1.1/', false],
  ['https://[::1]/', false],
])('platform reaches %s: %s', (address, is) => expect(isReachable(address)).toBe(is));

it("provider is named by its host if the host isn't the vendor's", () => {
  const none = { configured: true, baseUrl: null };
  const providers = { a: { ...none, baseUrl: 'http://10.0.0.5:8000/v1' }, b: none, c: none };
  expect(hostOf(providers, 'a')).toBe('10.0.0.5:8000');
  expect(hostOf(providers, 'b')).toBeUndefined();
});
