import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { MAX_TOKENS, type OnnxModel, openOnnxModel } from './onnx-model.ts';

/** Scores how well a text answers a question, from 0 to 1. */
export type ScoreText = (question: string, text: string) => Promise<number>;

/** Returns the probability of each label of a pair. */
export type LabelPair = (premise: string, hypothesis: string) => Promise<{ label: string; score: number }[]>;

/** Maximum tokens of a question or a sentence, so that some text fits next to it. */
const MAX_SHORT_TOKENS = 192;

/** Loads a reranking model with the packages of a folder. The model reads the question and a text as one pair. */
export async function loadRerankingModel(
  packages: string,
  files: string,
  threads: number,
): Promise<ScoreText> {
  const model = await openOnnxModel(packages, files, threads);
  return async (question, text) =>
    relevance(await readPair(model, shorten(model, question, MAX_SHORT_TOKENS), text));
}

/**
 * Loads a natural language inference or fact-checking model. A sentence that is too long gets no labels, because its
 * truncated end could be wrong.
 */
export async function loadEntailmentModel(
  packages: string,
  files: string,
  threads: number,
): Promise<LabelPair> {
  const labels = await readLabelNames(files);
  const model = await openOnnxModel(packages, files, threads);
  return async (premise, hypothesis) => {
    const tokens = model.count(hypothesis);
    if (tokens > MAX_SHORT_TOKENS) return [];
    const fitting = shorten(model, premise, MAX_TOKENS - tokens); // otherwise the pair's second text would be truncated
    const scores = softmax(await readPair(model, fitting, hypothesis));
    return scores.map((score, at) => ({ label: labels[at] ?? `LABEL_${at}`, score }));
  };
}

const configSchema = z.object({ id2label: z.record(z.string(), z.string()).default({}) });

/** A config without label names has two default labels, `LABEL_0` and `LABEL_1`. */
async function readLabelNames(files: string): Promise<Record<string, string>> {
  return configSchema.parse(JSON.parse(await readFile(join(files, 'config.json'), 'utf8'))).id2label;
}

/** Returns the model's raw outputs for a pair. */
async function readPair(model: OnnxModel, first: string, second: string): Promise<number[]> {
  const { data, dims } = await model.run([model.tokenize(first, second)]);
  return dims.length === 2 ? Array.from(data, Number) : [];
}

/** Returns the start of a text, at most this many tokens long. */
function shorten(model: OnnxModel, text: string, most: number): string {
  let shortened = text;
  for (let tokens = model.count(text); tokens > most; tokens = model.count(shortened)) {
    shortened = shortened.slice(0, Math.floor((shortened.length * most) / tokens));
  }
  return shortened.toWellFormed();
}

/**
 * Rerankers return one number per pair, or two for "doesn't answer" and "answers". Returns NaN for a model that isn't a
 * reranker.
 */
function relevance(numbers: number[]): number {
  const [first = Number.NaN, second] = numbers;
  if (numbers.length > 2) return Number.NaN;
  return sigmoid(second === undefined ? first : second - first);
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

function softmax(values: number[]): number[] {
  const largest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
