import type { Schemas } from '../../lib/api-contract/schema.ts';

export type Member = Schemas['Member'];

export function nameOf({ subject, group }: Member): string {
  return subject ?? group ?? '';
}

function isSame(one: Member, other: Member): boolean {
  return one.subject === other.subject && one.group === other.group;
}

/** Returns the list with this entry in place of the one with the same name, or at the end. */
export function withMember(members: Member[], member: Member): Member[] {
  const isThere = members.some((each) => isSame(each, member));
  return isThere ? members.map((each) => (isSame(each, member) ? member : each)) : [...members, member];
}

export function withoutMember(members: Member[], member: Member): Member[] {
  return members.filter((each) => !isSame(each, member));
}
