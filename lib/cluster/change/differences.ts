import { oneLine } from '../../activity/record.ts';
import type { ClusterObject } from '../../ports/cluster.ts';

/** Fields that the cluster itself updates with every change. */
const BOOKKEEPING = [
  'managedFields',
  'resourceVersion',
  'generation',
  'uid',
  'creationTimestamp',
  'selfLink',
];
const MAX_SHOWN = 12;
const MAX_VALUE = 80;
/** The maximum length of a field's path. Its names may come from the caller. */
const MAX_PATH = 200;

/** Returns the differences between two states of an object, for a person: `spec.replicas: 2 → 3`. Omits its status. */
export function differencesOf(before: ClusterObject, after: ClusterObject): string[] {
  const found: string[] = [];
  compare(comparable(before), comparable(after), '', found);
  if (found.length <= MAX_SHOWN) return found;
  return [...found.slice(0, MAX_SHOWN), `and ${found.length - MAX_SHOWN} more`];
}

function comparable({ status: _, metadata, ...object }: ClusterObject): unknown {
  const kept = Object.entries(metadata).filter(([name]) => !BOOKKEEPING.includes(name));
  return { ...object, metadata: Object.fromEntries(kept) };
}

function compare(before: unknown, after: unknown, path: string, found: string[]): void {
  if (!isNested(before) || !isNested(after)) {
    if (JSON.stringify(before) !== JSON.stringify(after))
      found.push(`${oneLine(path, MAX_PATH)}: ${show(before)} → ${show(after)}`);
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    compare(ownValue(before, name), ownValue(after, name), path === '' ? name : `${path}.${name}`, found);
  }
}

/** Ignores inherited properties, because a label may be named `constructor`. */
function ownValue(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value), MAX_VALUE);
}
