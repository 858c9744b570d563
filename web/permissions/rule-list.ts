import type { Schemas } from '../../lib/api-contract/schema.ts';

export type Rule = Schemas['PermissionRule'];
export type KeptRule = Schemas['KeptPermissionRule'];

/** Returns the rule in readable form. */
export function textOf({ tool, pattern }: Pick<Rule, 'tool' | 'pattern'>): string {
  return `${tool} ${pattern}`;
}

/**
 * Changes a list that others may change in the meantime: finds the rule by its contents, and does nothing if
 * the rule is missing. `at` selects one of two equal rules.
 */
export function withoutRule(rules: KeptRule[], rule: Rule, at: number): KeptRule[] {
  const place = placeOf(rules, rule, at);
  return rules.filter((_, index) => index !== place);
}

/** Moves the rule by this many positions, but not beyond either end of the list. */
export function withMoved(rules: KeptRule[], rule: Rule, at: number, by: number): KeptRule[] {
  const place = placeOf(rules, rule, at);
  const moved = rules[place];
  if (moved === undefined) return rules;
  const others = rules.filter((_, index) => index !== place);
  return others.toSpliced(Math.min(others.length, Math.max(0, place + by)), 0, moved);
}

function placeOf(rules: KeptRule[], rule: Rule, at: number): number {
  const isIt = (each: Rule | undefined) => each !== undefined && isSame(each, rule);
  return isIt(rules[at]) ? at : rules.findIndex(isIt);
}

function isSame(one: Rule, other: Rule): boolean {
  return one.tool === other.tool && one.pattern === other.pattern && one.action === other.action;
}
