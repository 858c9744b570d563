import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { needsRecognition } from './index-facts.ts';

type Listed = Pick<
  Schemas['ListedFile'],
  'path' | 'reason' | 'found' | 'kind' | 'recognition' | 'left' | 'encoding'
>;

/**
 * Returns a function that says why a file isn't in the index. For an indexed file, it returns what wasn't
 * read, or the file's type.
 */
export function useWhyListed(): (file: Listed) => string {
  const { t } = useTranslation();
  const wordsOfLack = useLack();
  return (file) => {
    const { path, reason, found, kind } = file;
    if (found === 'empty' || found === 'incomplete') return t(`index.found.${found}`);
    const expected = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
    if (found !== undefined) return t('index.found.other', { found, expected });
    if (needsRecognition(file)) return t('index.needsOcr');
    return reason ? t(`index.reason.${reason}`) : wordsOfLack(file) || kind;
  };
}

const KINDS = [
  ...['attachments', 'charts', 'embedded_objects', 'form_fields'],
  ...['images', 'macros', 'sounds', 'videos'],
] as const;

function useLack(): (file: Listed) => string {
  const { t, i18n } = useTranslation();
  const list = new Intl.ListFormat(i18n.language, { style: 'narrow' });
  return ({ left = [], encoding }) => {
    const counts = left.map(({ kind, count }) => {
      const known = KINDS.find((each) => each === kind) ?? 'other';
      return t(`index.left.${known}`, { count });
    });
    const partly = counts.length === 0 ? [] : [t('index.partly', { left: list.format(counts) })];
    const uncertain = encoding?.certain === false ? [t('index.uncertain', { name: encoding.name })] : [];
    return [...partly, ...uncertain].join(' · ');
  };
}
