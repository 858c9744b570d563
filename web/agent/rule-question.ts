/** A string as JSON writes it: the service quotes patterns and arguments so. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const REASON = String.raw`(?:the )?rule (\S+ ${QUOTED}) (?:asks about|requires approval of) (${QUOTED})`;
const FIRST = new RegExp(String.raw`(?:\w+: )?${REASON}`, 'iy');
const NEXT = new RegExp(`; ${REASON}`, 'iy');

export interface RuleQuestion {
  rule: string;
  what: string;
}

/** Which rules ask, and about what, of a question that rules alone made; none for the question of a tool. */
export function readRuleQuestions(summary: string): RuleQuestion[] {
  const questions: RuleQuestion[] = [];
  let at = 0;
  for (let reason = FIRST; ; reason = NEXT) {
    reason.lastIndex = at;
    const [whole, rule, what] = reason.exec(summary) ?? [];
    if (whole === undefined || rule === undefined || what === undefined) break;
    questions.push({ rule, what });
    at += whole.length;
  }
  return at === summary.length || summary.slice(at) === '.' ? questions : [];
}
