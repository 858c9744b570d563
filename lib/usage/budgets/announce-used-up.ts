import { waitUntil } from '../../async/after-response.ts';
import type { Records } from '../../ports/records.ts';
import type { TimedRecords } from '../../ports/timed-records.ts';
import { announceEvent } from '../../webhooks/announce.ts';
import { monthOf } from './month.ts';
import { type Budget, nameOf } from './schema.ts';

/** What this process has announced, because each refused call would otherwise ask for the webhooks. */
const announced = new WeakMap<Records, Set<string>>();

/** Tells webhooks after the response that calls are refused because a budget is used up, once per month. */
export function announceUsedUp({ records, clock }: TimedRecords, budget: Budget): void {
  const month = monthOf(clock);
  const name = `${nameOf(budget)}#${month}`;
  const known = announced.get(records) ?? new Set();
  announced.set(records, known);
  if (known.has(name)) return;
  known.add(name);
  const { scope, id } = budget;
  const at = Date.parse(`${month}-01T00:00:00Z`);
  const event = { type: 'budget.reached' as const, name, at, data: { scope, id, path: '/settings/usage' } };
  const telling = announceEvent({ records, clock }, event).then((isStored) => isStored || known.delete(name));
  waitUntil('announcing a used-up budget', telling);
}
