import { lazy, Suspense, useRef } from 'react';
import { useIsAdminOfAll } from '../access/role.ts';
import { withFirstUseCatalog } from '../languages/languages.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { AiBanner } from './ai-banner.tsx';
import { useHealth } from './queries.ts';

const fetchTiles = withFirstUseCatalog(() => import('./model-tiles.tsx'));
const fetchOffer = withFirstUseCatalog(() => import('./judge-setting.tsx'));
const ModelTiles = lazy(async () => ({ default: (await fetchTiles()).ModelTiles }));
const JudgeOffer = lazy(async () => ({ default: (await fetchOffer()).JudgeOffer }));

interface Props {
  /** Called by *Later*. Without it, that tile isn't shown. */
  onLater?: () => void;
}

/**
 * How to get a model: tiles for administrators, a sentence for others. Offers the judge once a model is
 * connected here. The tiles and their strings are fetched on demand, so that the first page can show them.
 */
export function ConnectModels({ onLater }: Props) {
  const health = useHealth();
  const isAdmin = useIsAdminOfAll();
  const wasMissing = useRef(false);
  if (health.data?.aiAvailable === false) wasMissing.current = true;
  if (!wasMissing.current) return null;
  if (!isAdmin) return <AiBanner />;
  return (
    <Suspense fallback={<Skeletons rows={2} className="h-16" />}>
      {health.data?.aiAvailable ? <JudgeOffer /> : <ModelTiles {...(onLater && { onLater })} />}
    </Suspense>
  );
}
