import type { LanguageModel } from '../../../lib/ports/language-model.ts';

/** A question to a scripted judge. */
export interface ShownClaim {
  number: number;
  sentence: string;
  quotes: string[];
}

export type Says = 'yes' | 'partly' | 'no' | 'contradicted';

const SENTENCE = /<sentence-(?<code>\w+) number="(?<number>\d+)">\n(?<body>[\s\S]*?)<\/sentence-\k<code>>/g;
const QUOTE = /<quote-\w+>\n([\s\S]*?)\n<\/quote-\w+>/g;

/**
 * A model that answers by rules without a network, to test the mechanics of judging. Its numbers say nothing
 * about a model.
 */
export function scriptedJudge(answer: (claims: ShownClaim[], call: number) => string): LanguageModel {
  let calls = 0;
  return {
    provider: 'a',
    model: 'scripted',
    async *stream({ messages }) {
      const text = answer(shownIn(messages.at(-1)?.content ?? ''), ++calls);
      yield { type: 'text', text };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: null, outputTokens: null } };
    },
  };
}

export function verdictsOf(claims: ShownClaim[], says: (claim: ShownClaim) => Says): string {
  return JSON.stringify({
    verdicts: claims.map((claim) => ({ number: claim.number, says: says(claim), why: '' })),
  });
}

/** Judges by the share of the sentence's words that its quotes contain. */
export function byCommonWords({ sentence, quotes }: ShownClaim): Says {
  const said = new Set(
    quotes
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const share = words.filter((word) => said.has(word)).length / Math.max(1, words.length);
  if (share > 0.8) return 'yes';
  return share > 0.5 ? 'partly' : 'no';
}

function shownIn(text: string): ShownClaim[] {
  return [...text.matchAll(SENTENCE)].map(({ groups = {} }) => {
    const { number = '0', body = '' } = groups;
    return {
      number: Number(number),
      sentence: body.split('\n')[0] ?? '',
      quotes: [...body.matchAll(QUOTE)].map(([, quote = '']) => quote),
    };
  });
}
