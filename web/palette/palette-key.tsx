import { lazy, Suspense, useEffect, useState } from 'react';
import { withCatalog } from '../languages/languages.ts';
import { pressedKey } from '../parts/pressed-key.ts';

const fetchPalette = withCatalog(() => import('./palette.tsx'));
const Palette = lazy(() => fetchPalette().then((module) => ({ default: module.Palette })));
const OPEN = 'open-palette';

/** Opens the palette by a button, for people who don't know the key. */
export function openPalette(): void {
  dispatchEvent(new Event(OPEN));
}

/** Ctrl-K, and on a Mac Cmd-K, from everywhere; fetched when it is opened first. */
export function PaletteKey() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || pressedKey(event).toLowerCase() !== 'k')
        return;
      event.preventDefault();
      setOpen(true);
    };
    const onOpen = () => setOpen(true);
    addEventListener('keydown', onKey);
    addEventListener(OPEN, onOpen);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener(OPEN, onOpen);
    };
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <Palette onClose={() => setOpen(false)} />
    </Suspense>
  );
}
