import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { needsRecognition } from './index-facts.ts';

type Listed = Pick<Schemas['ListedFile'], 'path' | 'reason' | 'found' | 'kind' | 'recognition'>;

/** Returns how to say why a file isn't in the index; of one that is, what it is. */
export function useWhyListed(): (file: Listed) => string {
  const { t } = useTranslation();
  return (file) => {
    const { path, reason, found, kind } = file;
    if (found === 'empty' || found === 'incomplete') return t(`index.found.${found}`);
    const expected = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
    if (found !== undefined) return t('index.found.other', { found, expected });
    if (needsRecognition(file)) return t('index.needsOcr');
    return reason ? t(`index.reason.${reason}`) : kind;
  };
}
