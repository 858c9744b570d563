import type { TFunction } from 'i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';

/** What a model is good for, in the order of importance. Nothing is said of what isn't known, except of tools. */
export function capabilitySentences(t: TFunction, known: Schemas['ModelCapabilities']): string[] {
  const { tools, jsonSchema, thinking, readTokensPerSecond: reads, writeTokensPerSecond: writes } = known;
  const agent = tools === null ? 'toolsUnknown' : tools ? 'tools' : 'noTools';
  return [
    t(`models.check.${agent}`),
    ...(jsonSchema === false ? [t('models.check.noSchema')] : []),
    ...(thinking === true ? [t('models.check.thinks')] : []),
    ...(reads !== null && writes !== null
      ? [t('models.check.speed', { reads: Math.round(reads), writes: Math.round(writes) })]
      : []),
  ];
}
