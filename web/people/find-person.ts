import { compareNames } from '../../lib/api-contract/compare-names.ts';
import { foldForSearch } from '../../lib/api-contract/fold-text.ts';
import type { Person } from './queries.ts';

type Named = Pick<Person, 'id' | 'name' | 'email' | 'state'>;

/** The result for a typed text: one person, several, or no one known. */
export type Match<Each extends Named> = { is: 'one'; person: Each } | { is: 'several' } | { is: 'none' };

/** Finds a person by a name, an email address, or an ID. A valid token takes precedence over an expired one. */
export function matchPerson<Each extends Named>(people: readonly Each[], typed: string): Match<Each> {
  const text = foldForSearch(typed.trim());
  const byId = people.find(({ id }) => id === typed.trim());
  if (byId) return { is: 'one', person: byId };
  const named = people.filter(({ name, email }) =>
    [name, email].some((each) => foldForSearch(each ?? '') === text),
  );
  const working = named.filter(({ state }) => state === 'active');
  const [person, ...others] = working.length > 0 ? working : named;
  if (text === '' || person === undefined) return { is: 'none' };
  return others.length > 0 ? { is: 'several' } : { is: 'one', person };
}

/** Returns the people whose name, email address, or ID contains the typed text: valid tokens first, then by name. */
export function likeTyped<Each extends Named>(people: readonly Each[], typed: string, most: number): Each[] {
  const text = foldForSearch(typed.trim());
  const isLike = ({ id, name, email }: Each) =>
    [id, name ?? '', email ?? ''].some((each) => foldForSearch(each).includes(text));
  return people
    .filter(isLike)
    .sort((one, other) => rankOf(one) - rankOf(other) || compareNames(labelOf(one), labelOf(other)))
    .slice(0, most);
}

function rankOf({ state }: Named): number {
  return state === 'active' ? 0 : 1;
}

export function labelOf({ name, email, id }: Pick<Named, 'id' | 'name' | 'email'>): string {
  return name ?? email ?? id;
}

/** Returns what distinguishes people with the same name: the email address, or the end of the ID. */
export function hintOf({ id, name, email }: Pick<Named, 'id' | 'name' | 'email'>): string {
  if (email !== null && name !== null) return email;
  return id.length > 16 ? `…${id.slice(-8)}` : id;
}

/**
 * Returns the people who lose access to a workspace without a list when this entry becomes its first. A group
 * may contain users, but never a token.
 */
export function losing<Each extends Pick<Person, 'id' | 'kind' | 'reaches' | 'isGlobalAdmin'>>(
  people: readonly Each[],
  first: { subject?: string; group?: string },
): Each[] {
  return people.filter(
    ({ id, kind, reaches, isGlobalAdmin }) =>
      reaches === true &&
      !isGlobalAdmin &&
      id !== first.subject &&
      (first.group === undefined || kind !== 'user'),
  );
}
