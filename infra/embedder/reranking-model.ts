import { type OnnxModel, openOnnxModel, type Tensor } from './onnx-model.ts';

/** Scores how well each text answers a question, from 0 to 1, all in one run of the model. */
export type ScoreTexts = (question: string, texts: string[]) => Promise<number[]>;

/** A longer question is cut off, or no text would fit next to it. */
const MAX_QUESTION_TOKENS = 192;

/** Loads a cross-encoder with the packages of a folder: a model that reads the question and a text as one pair. */
export async function loadRerankingModel(
  packages: string,
  files: string,
  threads: number,
): Promise<ScoreTexts> {
  const model = await openOnnxModel(packages, files, threads);
  return async (question, texts) => {
    const asked = shorten(model, question);
    const tensor = await model.run(texts.map((text) => model.tokenize(asked, text)));
    return texts.map((_, index) => relevance(tensor, index));
  };
}

function shorten(model: OnnxModel, question: string): string {
  let shortened = question;
  for (let tokens = model.count(question); tokens > MAX_QUESTION_TOKENS; tokens = model.count(shortened)) {
    shortened = shortened.slice(0, Math.floor((shortened.length * MAX_QUESTION_TOKENS) / tokens));
  }
  return shortened.toWellFormed();
}

/** Cross-encoders return one number for a pair, or two: for "doesn't answer" and "answers". NaN: the model is no cross-encoder. */
function relevance({ data, dims }: Tensor, index: number): number {
  const size = dims.length === 2 ? dims[1] : undefined;
  const values = data as Float32Array;
  if (size === 1) return sigmoid(values[index] ?? Number.NaN);
  if (size === 2) return sigmoid((values[2 * index + 1] ?? Number.NaN) - (values[2 * index] ?? Number.NaN));
  return Number.NaN;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
