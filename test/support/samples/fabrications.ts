import type { Asked } from '../research-model.ts';

/** Inventions of a model: a quote, a source, a page, another digit, or another claim for a real quote. */
export const KINDS = ['quote', 'source', 'page', 'digit', 'claim'] as const;
export type Kind = (typeof KINDS)[number];

/** The statement of a file. */
export interface Fact {
  topic: string;
  /** A word that is unique to this fact. */
  word: string;
  text: string;
  number: number;
}

const SYLLABLES = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo', 'zu'];
const MONTHS = ['January', 'March', 'May', 'July', 'August', 'October'];
const PEOPLE = ['Anders Holt', 'Maria Quill', 'Jonas Weber', 'Edith Marsh'];
const PLACES = ['Norway', 'Bergen', 'Wales', 'Lisbon'];

/** Returns lowercase letters only, so that nothing looks like a name or a number. */
function wordOf(number: number): string {
  const digits = String(number).padStart(4, '7');
  return [...digits].map((digit) => SYLLABLES[Number(digit)]).join('');
}

const FORMS = 4;

/** Returns sentences that a question of a report finds, in several forms. */
export function factsOf(report: number, question: number): Fact[] {
  return Array.from({ length: FORMS }, (_, at) => {
    const number = report * 100 + question * 10 + at;
    const word = wordOf(number);
    return { topic: topicOf(report, question), word, text: textOf(number, word), number };
  });
}

export function topicOf(report: number, question: number): string {
  return `${wordOf(8000 + report * 10 + question)}s`;
}

function textOf(number: number, word: string): string {
  const many = (1200 + number * 7).toLocaleString('en');
  const texts = [
    `The ${word} owl laid ${many} eggs in ${1900 + (number % 97)}.`,
    `On ${2 + (number % 25)} ${MONTHS[number % 6]} 2019 the ${word} barn lost ${12 + (number % 80)} percent of its mice.`,
    `A ${word} nest is ${2 + (number % 6)}.${1 + (number % 8)} metres wide and holds ${40 + (number % 50)} birds.`,
    `${PEOPLE[number % 4]} counted ${many} ${word} feathers in ${PLACES[number % 4]}.`,
    `The ${word} call is not heard below ${300 + number} Hz.`,
    `The ${word} ring costs $${15 + (number % 70)} and weighs ${3 + (number % 6)} kg.`,
  ];
  return texts[number % texts.length] ?? '';
}

interface Planted {
  kind: Kind;
  text: string;
  /** The evidence that the claim names. */
  evidence: string[];
}

/** Returns all inventions about a fact, which the evidence `id` contains. */
function inventions({ word, text }: Fact, id: string): Record<Kind, [text: string, ...evidence: string[]][]> {
  const bare = text.slice(0, -1);
  const number = bare.match(/\d[\d,]*/g)?.at(-1) ?? '';
  return {
    quote: [
      [`A keeper said: “the ${word} one never sleeps”.`, id],
      [`The ${word} one has no ears at all.`],
      [`Some call it "a ${word} wonder".`, id],
      [`All of them agree on “${word} first”.`, id],
    ],
    source: [
      [`The ${word} one sings all night.`, 'e9999'],
      [`According to Kavoru et al., ${bare}.`, id],
      [`${bare}, as the Journal of Owls reports.`, id],
      [`${bare} (https://owls.example/${word}).`, id],
      [`${bare} (doi:10.1234/${word}).`, id],
      [`A study by kavoru.org says that ${bare}.`, id],
    ],
    page: [
      [`On page ${number} it stands that ${bare}.`, id],
      [`${bare} (p. ${number}).`, id],
      [`${bare}, as Table ${number} shows.`, id],
      [`${bare}, as section ${number} says.`, id],
      [`${bare} (pp. ${number}-${number}).`, id],
      [`${bare}, as is said on page seven.`, id],
      [`${bare} [p. 4711].`, id],
    ],
    digit: otherDigits(text).map((made) => [made, id]),
    claim: [
      [`The ${word} owl eats rabbits.`, id],
      [`It is not true that ${bare}.`, id],
      [`${bare}, because it is cold there.`, id],
    ],
  };
}

/** Returns the sentence with another digit, at each digit. */
function otherDigits(text: string): string[] {
  return [...text.matchAll(/\d/g)].map(({ 0: digit, index }) => {
    const other = digit === '9' ? '1' : `${Number(digit) + 1}`;
    return text.slice(0, index) + other + text.slice(index + 1);
  });
}

/** Number of inventions of each kind in a section per fact. */
const OF_A_KIND = 2;

/**
 * A model that invents wherever it can, and again after a correction. It also lies as a judge: it calls a
 * quote that belongs to another claim, which code can't detect, `partly` for every third one.
 */
export function fabricator(facts: Fact[]) {
  const planted = new Map<string, Planted>();
  function plant(kind: Kind, text: string, evidence: string[] = []): string {
    planted.set(text, { kind, text, evidence });
    return text;
  }
  function verdict(text: string): 'yes' | 'partly' | 'no' {
    if (planted.get(text)?.kind !== 'claim') return 'yes';
    return text.length % 3 === 0 ? 'partly' : 'no';
  }
  const factOf = (quote: string) => facts.find(({ word }) => quote.includes(` ${word} `));

  function draftsOf({ quote, id }: Asked['evidence'][number]) {
    const fact = factOf(quote);
    if (fact === undefined) return [];
    const all = inventions(fact, id);
    return KINDS.flatMap((kind) => {
      const made = all[kind];
      return Array.from({ length: OF_A_KIND }, (_, at) => {
        const [text, ...evidence] = made[(fact.number * OF_A_KIND + at) % made.length] ?? [''];
        return { text: plant(kind, text, evidence), evidence };
      });
    });
  }

  function write({ evidence }: Asked) {
    const paragraphs = evidence.map((each) => [...draftsOf(each), honest(each)]);
    const open = evidence.slice(0, 5).flatMap((each) => openQuestions(each));
    return { paragraphs, open };
  }

  function honest({ quote, id }: Asked['evidence'][number]) {
    return { text: quote, evidence: [id] };
  }

  function openQuestions({ quote }: Asked['evidence'][number]): string[] {
    const changed = otherDigits(quote)[0] ?? '';
    return [plant('digit', `Is it so that ${changed.slice(0, -1)}?`)];
  }

  /** Makes the correct claim for each fact in its passage, except if another claim has the same quote. */
  function read({ passages, question }: Asked) {
    const claims = passages.flatMap(({ number, text }) => {
      const found = facts.filter((fact) => question.includes(fact.topic) && text.includes(fact.text));
      return found.flatMap((fact) => claimsOf(number, fact));
    });
    return { claims };
  }

  function claimsOf(passage: number, { word, text, number }: Fact) {
    const made = `The ${word} one has three eyes.`;
    const honestly = { passage, claim: text, quote: text };
    const lies = [
      [honestly, { passage, claim: plant('quote', made), quote: made }],
      [honestly, { passage: 99, claim: plant('source', `The ${word} one can swim.`), quote: text }],
      [{ passage, claim: plant('page', `On page 12 it stands that ${text}`), quote: text }],
      [{ passage, claim: plant('digit', otherDigits(text).at(-1) ?? ''), quote: text }],
      [{ passage, claim: plant('claim', `The ${word} one is a cat.`), quote: text }],
    ];
    return lies[number % lies.length] ?? [];
  }

  function weigh({ claims }: Asked) {
    const ids = claims.map(({ id }) => id);
    return { contradictions: ids.slice(1).map((id, at) => [ids[at], id]) };
  }

  function summarize({ evidence }: Asked) {
    const sentences = evidence
      .slice(0, 2)
      .flatMap((each) => [...draftsOf(each).filter((_, at) => at % 2 === 0)]);
    return { sentences: sentences.slice(0, 10) };
  }

  function rewrite({ sentences }: Asked) {
    return {
      sentences: sentences.map(({ number, text }) => ({
        number,
        text,
        evidence: planted.get(text)?.evidence,
      })),
    };
  }

  function judge({ sentences }: Asked) {
    return { verdicts: sentences.map(({ number, text }) => ({ number, says: verdict(text), why: '' })) };
  }

  const answers: Partial<Record<Asked['step'], (asked: Asked) => unknown>> = {
    ...{ read, weigh, write, summary: summarize, rewrite, judge },
  };
  return { planted, script: (asked: Asked): unknown => answers[asked.step]?.(asked) };
}
