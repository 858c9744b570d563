/** Matches a string as in JSON, which the service uses to quote patterns and arguments. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const REASON = String.raw`(?:the )?rule (\S+ ${QUOTED}) (?:asks about|requires approval of) (${QUOTED})`;
const FIRST = new RegExp(String.raw`(?:\w+: )?${REASON}`, 'iy');
const NEXT = new RegExp(`; ${REASON}`, 'iy');

export interface RuleQuestion {
  rule: string;
  what: string;
}

/**
 * Returns the rules, with their subjects, if only rules require the approval. Empty for a tool's own
 * question.
 */
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
