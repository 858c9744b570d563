import { predictEntailment } from '../adapters/text-embeddings-inference/entailment.ts';
import type { Config } from '../config.ts';
import type { Entailment } from '../ports/entailment.ts';
import { tracedEntailment } from './traced.ts';

const UNNAMED = 'entailment';

/** Opens the entailment model at ENTAILMENT_BASE_URL, otherwise the one on this host. Undefined if there is none. */
export function openEntailment({
  entailment: { apiKey, baseUrl, model = UNNAMED },
  localEntailment,
}: Config): Entailment | undefined {
  if (baseUrl !== undefined) return tracedEntailment(predictEntailment({ apiKey, baseUrl, model }));
  return localEntailment && tracedEntailment(predictEntailment({ ...localEntailment, takesTime: true }));
}
