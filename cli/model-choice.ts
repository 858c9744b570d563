import { UsageError } from '../infra/command-line.ts';
import { textOf, type Values } from './command.ts';

export const MODEL_OPTIONS = { provider: { type: 'string' }, model: { type: 'string' } } as const;
export const MODEL_TEXTS = { provider: 'a, b or c, with --model', model: 'the model, with --provider' };

/** The service accepts both or neither. */
export function readModel(values: Values): { provider?: string; model?: string } {
  const [provider, model] = [textOf(values, 'provider'), textOf(values, 'model')];
  if ((provider === undefined) !== (model === undefined))
    throw new UsageError('--provider and --model go together');
  return provider === undefined || model === undefined ? {} : { provider, model };
}
