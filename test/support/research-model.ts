import { elements, numberOf } from './prompt-elements.ts';

/** The request to a scripted model in one of the calls of a report. */
export interface Asked {
  /** The step's name: plan, read, weigh, write, summary, rewrite, judge. */
  step: Step;
  /** The question, without its tags. */
  question: string;
  passages: { number: number; text: string }[];
  claims: { id: string; claim: string }[];
  evidence: { id: string; claim: string; quote: string }[];
  sentences: { number: number; text: string; quotes: string[] }[];
}

const STEPS = {
  plan: 'You plan a research report',
  read: 'You collect evidence',
  weigh: 'You compare claims',
  write: 'You write the section',
  summary: 'You summarize the findings',
  rewrite: 'You fix sentences',
  judge: 'You judge sentences',
} as const;
type Step = keyof typeof STEPS;

export function isOfResearch(system: string): boolean {
  return Object.values(STEPS).some((beginning) => system.startsWith(beginning));
}

/** Reads a request as the provider receives it. */
export function readAsked(system: string, content: string): Asked {
  const found = Object.entries(STEPS).find(([, beginning]) => system.startsWith(beginning));
  if (found === undefined) throw new Error(`no step of research: ${system.slice(0, 80)}`);
  return {
    step: found[0] as Step,
    question: elements(content, 'question')[0]?.text ?? '',
    passages: elements(content, 'passage').map(({ attributes, text }) => ({
      number: numberOf({ attributes }),
      text,
    })),
    claims: elements(content, 'claim').map(withQuote),
    evidence: elements(content, 'evidence').map(withQuote),
    sentences: elements(content, 'sentence').map(({ attributes, text }) => ({
      number: numberOf({ attributes }),
      text: text.split('\n<quote-')[0] ?? '',
      quotes: elements(text, 'quote').map((quote) => quote.text),
    })),
  };
}

function withQuote({ attributes, text }: { attributes: string; text: string }) {
  const [quote] = elements(text, 'quote');
  return {
    id: /id="(e\d+)"/.exec(attributes)?.[1] ?? '',
    claim: text.split('\n<quote-')[0] ?? '',
    quote: quote?.text ?? '',
  };
}

/** Returns dishonest answers; undefined for the correct answer. */
export type Script = (asked: Asked) => unknown;

/**
 * Returns the answer of an honest model: it quotes first sentences, makes the same claims, and judges by
 * comparing.
 */
export function answerHonestly(asked: Asked): unknown {
  const { question, passages, evidence, sentences } = asked;
  switch (asked.step) {
    case 'plan':
      return { questions: [{ question, answeredBy: 'what a document says', keywords: [] }] };
    case 'read':
      return { claims: passages.map(({ number, text }) => claimOf(number, text)) };
    case 'weigh':
      return { contradictions: [] };
    case 'write':
      return {
        paragraphs: [evidence.slice(0, 8).map(({ id, claim }) => ({ text: claim, evidence: [id] }))],
        open: [],
      };
    case 'summary':
      return { sentences: evidence.slice(0, 2).map(({ id, claim }) => ({ text: claim, evidence: [id] })) };
    case 'rewrite':
      return { sentences: [] };
    case 'judge':
      return { verdicts: sentences.map(judge) };
  }
}

function claimOf(passage: number, text: string) {
  const line = text.split('\n').find((each) => /\w.{10}/.test(each) && !each.startsWith('#')) ?? text;
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line.trim())?.[0] ?? line.trim();
  const quote = sentence.slice(0, 300).trim();
  return { passage, claim: quote, quote };
}

function judge({ number, text, quotes }: Asked['sentences'][number]) {
  const says = quotes.some((quote) => quote.includes(text)) ? 'yes' : 'no';
  return { number, says, why: 'compared' };
}

interface ProviderRequest {
  messages: { role: string; content: unknown }[];
}

/** Returns the fake provider's answer as JSON: the script's answer or, without one, the correct answer. */
export function researchAnswer(script: Script = () => undefined) {
  return ({ messages }: ProviderRequest): string => {
    const [system, user] = messages;
    const asked = readAsked(String(system?.content), String(user?.content));
    const answer = script(asked) ?? answerHonestly(asked);
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  };
}
