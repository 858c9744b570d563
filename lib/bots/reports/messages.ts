import type { DepthName, Estimate, Research } from '../../research/request-schema.ts';
import type { Counts } from '../../research/schema.ts';
import { pluralize } from '../../text/pluralize.ts';

export function startMessage(depth: DepthName, { calls, costUsd }: Estimate): string {
  const cost = costUsd === null ? '' : `, about $${costUsd.toFixed(2)}`;
  return `The report has started (${depth}: at most ${calls} model calls${cost}). I send it here as a file when it is done. /research shows its progress, /stop stops it.`;
}

/** Returns the report's progress as a message. */
export function progressMessage({ plan, evidence, sections, counts, calls }: Research): string {
  if (plan === null) return '⏳ Planning';
  const steps = [
    pluralize(plan.questions.length, 'question'),
    pluralize(evidence.length, 'quote'),
    pluralize(sections.length, 'verified section'),
    pluralize(calls, 'call'),
  ];
  return `⏳ ${steps.join(', ')}${counts.sentences === 0 ? '' : `\n${countsMessage(counts)}`}`;
}

/**
 * Returns the milestone to report on a platform that can't change messages; null if none has been reached.
 */
export function milestoneOf(research: Research): { name: string; text: string } | null {
  const { plan, sections } = research;
  if (plan === null) return null;
  if (sections.length > 0) return { name: 'writing', text: progressMessage(research) };
  const questions = plan.questions.map(({ question }) => `- ${question}`).join('\n');
  return { name: 'plan', text: `⏳ Questions of the report:\n${questions}` };
}

export function countsMessage({ sentences, supported, marked, dropped }: Counts): string {
  return `${pluralize(sentences, 'sentence')} written: ${supported} supported, ${marked} flagged, ${dropped} dropped`;
}
