import type { LocatedClaim } from './collections.ts';
import type { Locate } from './quote-location.ts';
import { seededRandom } from './seeded-random.ts';

/** As long as a passage in the index. */
const PASSAGE = 1500;

/** Returns the share of claims for which a location is chosen in a passage of an unrelated document. */
export function acceptedUnrelated(claims: LocatedClaim[], pairs: number, locate: Locate): number {
  const random = seededRandom(34);
  const pick = () => claims[Math.floor(random() * claims.length)];
  let accepted = 0;
  for (let count = 0; count < pairs; ) {
    const [one, other] = [pick(), pick()];
    if (one === undefined || other === undefined || one.text === other.text) continue;
    count++;
    if (locate({ ...passageOf(other), claim: one.claim }) !== undefined) accepted++;
  }
  return accepted / pairs;
}

function passageOf({ text, sentences, ...located }: LocatedClaim): LocatedClaim {
  const within = sentences.filter(({ end }) => end <= PASSAGE);
  return { ...located, text: text.slice(0, PASSAGE), sentences: within };
}
