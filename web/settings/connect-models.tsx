import { lazy, Suspense } from 'react';
import { useIsAdminOfAll } from '../access/role.ts';
import { withFirstUseCatalog } from '../languages/languages.ts';
import { Skeletons } from '../parts/empty-state.tsx';
import { AiBanner } from './ai-banner.tsx';
import { useHealth } from './queries.ts';

const fetchTiles = withFirstUseCatalog(() => import('./model-tiles.tsx'));
const ModelTiles = lazy(async () => ({ default: (await fetchTiles()).ModelTiles }));

interface Props {
  /** Called by *Later*. Without it, there is no such tile. */
  onLater?: () => void;
}

/**
 * How to get a model: tiles for administrators, a sentence for others. Nothing once one is connected. The tiles and their
 * strings are fetched when they are shown, so that the first page can show them.
 */
export function ConnectModels({ onLater }: Props) {
  const health = useHealth();
  const isAdmin = useIsAdminOfAll();
  if (health.data?.aiAvailable !== false) return null;
  if (!isAdmin) return <AiBanner />;
  return (
    <Suspense fallback={<Skeletons rows={2} className="h-16" />}>
      <ModelTiles {...(onLater && { onLater })} />
    </Suspense>
  );
}
