import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollRegion } from '../parts/scroll-region.tsx';

/**
 * A region that shows when it contains more than is visible. Browsers hide scroll bars, and empty lines could
 * fill the visible part of a command that a person approves.
 */
export function LongRegion(props: ComponentProps<typeof ScrollRegion>) {
  const { t } = useTranslation();
  const region = useRef<HTMLDivElement>(null);
  const isCut = useIsCut(region);
  return (
    <>
      <ScrollRegion {...props} ref={region} />
      {isCut && <p className="mt-1 text-xs font-semibold text-warn">{t('agent.scrollOn')}</p>}
    </>
  );
}

/**
 * Returns whether content is cut off. The region grows until it scrolls, and has no size while its container is closed.
 */
function useIsCut(region: RefObject<HTMLElement | null>): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const watched = region.current;
    if (watched === null) return;
    const look = () => setCut(watched.scrollHeight > watched.clientHeight + 1);
    const watching = new ResizeObserver(look);
    watching.observe(watched);
    return () => watching.disconnect();
  }, [region]);
  return isCut;
}
