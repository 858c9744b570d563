import { UsageError } from '../infra/command-line.ts';
import type { Schemas } from '../lib/api-contract/schema.ts';
import { textOf, type Values } from './command.ts';

export const MODEL_OPTIONS = { provider: { type: 'string' }, model: { type: 'string' } } as const;
export const MODEL_TEXTS = {
  provider: 'model provider (a: OpenAI-compatible, b: Anthropic, c: Gemini); requires --model',
  model: 'name of the model; requires --provider',
};

/** Options that override the judge setting of the workspace or the service. */
export const JUDGE_OPTIONS = { judge: { type: 'boolean' }, 'no-judge': { type: 'boolean' } } as const;
export const JUDGE_TEXTS = {
  judge: 'let the model judge whether the quotes support the sentences, in more calls',
  'no-judge': 'let only code compare them, whatever the settings say',
};

export function readJudge({ judge, 'no-judge': noJudge }: Values): { judge?: boolean } {
  if (judge && noJudge) throw new UsageError("--judge and --no-judge can't be used together.");
  if (judge || noJudge) return { judge: judge === true };
  return {};
}

/** Returns the chosen model. The service accepts both fields or neither, and rejects any unknown provider. */
export function readModel(values: Values): { provider?: Schemas['ProviderId']; model?: string } {
  const [provider, model] = [textOf(values, 'provider'), textOf(values, 'model')];
  if ((provider === undefined) !== (model === undefined))
    throw new UsageError('--provider and --model must be used together.');
  return provider === undefined || model === undefined
    ? {}
    : { provider: provider as Schemas['ProviderId'], model };
}
