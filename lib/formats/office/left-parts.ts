import { ownValue } from '../../text/own-value.ts';
import type { Decoded } from '../format.ts';
import { type LeftKind, leftOf } from '../left.ts';
import type { Relationship } from './relationships.ts';

/** Parts of an Office document that aren't read, by relationship type. */
const KINDS: Partial<Record<string, LeftKind>> = {
  ...{ image: 'images', video: 'videos', audio: 'sounds', vbaProject: 'macros' },
  ...{ oleObject: 'embedded_objects', package: 'embedded_objects' },
  ...{ control: 'form_fields', ctrlProp: 'form_fields' },
};

/** Counts the parts of a document that aren't read, each once, however many relationships lead to it. */
export function countLeft(relationships: Relationship[]) {
  const entries = new Map<LeftKind, Set<string>>();
  const put = (kind: LeftKind, entry: string) => {
    const known = entries.get(kind) ?? new Set();
    entries.set(kind, known.add(entry));
  };
  const add = (more: Relationship[]) => {
    for (const { type, entry } of more) {
      const kind = ownValue(KINDS, type);
      if (kind !== undefined) put(kind, entry);
    }
  };
  add(relationships);
  return {
    add,
    put,
    counts: (): NonNullable<Decoded['left']> =>
      leftOf(Object.fromEntries([...entries].map(([kind, { size }]) => [kind, size]))),
  };
}

export type LeftParts = ReturnType<typeof countLeft>;
