import * as z from 'zod';
import { UpstreamFailed } from '../../errors.ts';
import type { Entailment, EntailmentScores } from '../../ports/entailment.ts';
import { postJson } from '../outbound/post-json.ts';

const WHO = 'The entailment model';
/** Maximum labels. NLI has three. */
const MAX_LABELS = 8;

export interface EntailmentSettings {
  apiKey?: string | undefined;
  /** The URL before `/predict`: `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** The name for the log and the usage. The server doesn't need it, because it has only one model. */
  model: string;
  /** True if the server accepts `max_ms`, like the local model. */
  takesTime?: boolean;
}

const labelsSchema = z
  .array(z.object({ label: z.string(), score: z.number().min(0).max(1) }))
  .max(MAX_LABELS);
export type LabelScores = z.infer<typeof labelsSchema>;

/**
 * An entailment model behind `/predict` of Hugging Face's Text Embeddings Inference, which classifies pairs of texts.
 */
export function predictEntailment({
  apiKey,
  baseUrl,
  model,
  takesTime = false,
}: EntailmentSettings): Entailment {
  const endpoint = { apiKey, who: WHO, url: `${baseUrl.replace(/\/$/, '')}/predict` };
  return {
    model,
    async entail(pairs, { signal, withinMs }) {
      const inputs = pairs.map(({ premise, hypothesis }) => [premise, hypothesis]);
      const own = takesTime ? { model, max_ms: withinMs } : {};
      return readAnswer(
        pairs.length,
        await postJson(endpoint, { inputs, truncate: true, raw_scores: false, ...own }, signal),
      );
    },
  };
}

/** Reads each pair separately. If its scores are unreadable, the pair has no score. */
function readAnswer(count: number, answer: unknown): (EntailmentScores | undefined)[] {
  if (!Array.isArray(answer) || answer.length !== count)
    throw new UpstreamFailed(
      'model_answer_unusable',
      `${WHO} returned an answer that can't be read. Check ENTAILMENT_BASE_URL.`,
    );
  return answer.map((each) => readLabels(labelsSchema.safeParse(each).data ?? []));
}

/**
 * Returns a model's scores by its label names. An NLI model has `entailment` and `contradiction`; a
 * fact-checking model has two labels, the second of which means a supported sentence. Undefined for other
 * labels.
 */
export function readLabels(labels: LabelScores): EntailmentScores | undefined {
  const scores = new Map(labels.map(({ label, score }) => [label.toLowerCase(), score]));
  const supported = scores.size === 2 ? (scores.get('label_1') ?? scores.get('supported')) : undefined;
  const entailment = scores.get('entailment') ?? supported;
  if (entailment === undefined || scores.size !== labels.length || scores.size < 2) return undefined;
  return { entailment, contradiction: scores.get('contradiction') ?? 0 };
}
