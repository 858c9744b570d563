import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { countLost } from './lost-quote.ts';
import type { Citation } from './message-view.ts';

/** Shows above a text how many of its quotes were lost or moved; nothing if all are found. */
export function LostLine({ citations }: { citations: readonly Citation[] }) {
  const { t } = useTranslation();
  const { changed, deleted, retracted, moved } = countLost(citations);
  const found = [
    changed > 0 && t('chat.support.changedSince', { count: changed }),
    deleted > 0 && t('chat.support.deletedSince', { count: deleted }),
    retracted > 0 && t('chat.support.retractedSince', { count: retracted }),
    moved > 0 && t('chat.support.movedSince', { count: moved }),
  ].filter((each) => each !== false);
  if (found.length === 0) return null;
  return <Banner look={changed + deleted + retracted > 0 ? 'warn' : 'calm'}>{found.join(' ')}</Banner>;
}
