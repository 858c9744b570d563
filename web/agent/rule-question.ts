/** A string as JSON writes it: the service quotes patterns and arguments so. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const ASKED = new RegExp(
  String.raw`^(?:\w+: )?(?:the )?rule (\S+ ${QUOTED}) (?:asks about|requires approval of) (${QUOTED})\.?$`,
  'i',
);

/** Returns the rule and its subject from the question of a rule; undefined for the question of a tool. */
export function readRuleQuestion(summary: string): { rule: string; what: string } | undefined {
  const [, rule, what] = ASKED.exec(summary) ?? [];
  return rule === undefined || what === undefined ? undefined : { rule, what };
}
