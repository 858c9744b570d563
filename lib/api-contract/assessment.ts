import { CHECK_KINDS, type CitationCheck } from './citation.ts';
import { DECIDERS, type Decider, type Finding, type FoundPlace, RULES } from './findings.ts';

/** The reasons for the support of a sentence. */
export interface Assessment {
  reason?: string;
  by?: Decider;
  findings?: Finding[];
  checks?: CitationCheck[];
}

/** Reads an assessment from untrusted data, and omits malformed parts. */
export function readAssessment({
  reason,
  by,
  judged,
  findings,
  checks,
}: Record<string, unknown>): Assessment {
  const decider = DECIDERS.find((each) => each === by) ?? (judged === true ? 'model' : undefined);
  return {
    ...(typeof reason === 'string' && reason !== '' && { reason }),
    ...(decider && { by: decider }),
    ...(Array.isArray(findings) && { findings: findings.filter(isFinding) }),
    ...(Array.isArray(checks) && { checks: checks.filter(isCheck) }),
  };
}

function isFinding(value: unknown): value is Finding {
  const { rule, own, found, where } = (value ?? {}) as Partial<Record<keyof Finding, unknown>>;
  const path: unknown = (where as Partial<FoundPlace> | null | undefined)?.path;
  const isPlaced = where === undefined || typeof path === 'string';
  const isWorded = typeof own === 'string' && (found === undefined || typeof found === 'string');
  return RULES.some((each) => each === rule) && isWorded && isPlaced;
}

function isCheck(value: unknown): value is CitationCheck {
  const { kind, ok, detail } = (value ?? {}) as Partial<Record<keyof CitationCheck, unknown>>;
  const isText = detail === undefined || typeof detail === 'string';
  return CHECK_KINDS.some((each) => each === kind) && typeof ok === 'boolean' && isText;
}
