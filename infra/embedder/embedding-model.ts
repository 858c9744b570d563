import { type OnnxModel, openOnnxModel, type Tensor } from './onnx-model.ts';

/** Embeds texts as unit vectors, all in one run of the model. */
export type EmbedTexts = (texts: string[]) => Promise<Float32Array[]>;

/** Loads an embedding model with the packages of a folder. */
export async function loadEmbeddingModel(
  packages: string,
  files: string,
  threads: number,
): Promise<EmbedTexts> {
  const model = await openOnnxModel(packages, files, threads);
  return (texts) => embed(model, texts);
}

async function embed(model: OnnxModel, texts: string[]): Promise<Float32Array[]> {
  const rows = texts.map((text) => model.tokenize(text));
  const tensor = await model.run(rows);
  return rows.map(({ ids }, index) => unit(pool(tensor, index, ids.length)));
}

/** Returns the mean over a text's tokens, if the model returns one vector per token. */
function pool({ data, dims }: Tensor, index: number, tokens: number): Float32Array {
  const values = data as Float32Array;
  const size = dims.at(-1) ?? 0;
  if (dims.length === 2) return values.slice(index * size, (index + 1) * size);
  const length = dims[1] ?? 0;
  const sum = new Float32Array(size);
  for (let token = 0; token < tokens; token++) {
    const start = (index * length + token) * size;
    for (let at = 0; at < size; at++) sum[at] = (sum[at] ?? 0) + (values[start + at] ?? 0);
  }
  return sum;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / (length || 1));
}
