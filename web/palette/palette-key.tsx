import { lazy, Suspense, useEffect, useState } from 'react';
import { withCatalog } from '../languages/languages.ts';
import { isOutsideText } from '../parts/is-outside-text.ts';
import { isKey } from '../parts/pressed-key.ts';
import { OPEN_BY_KEY, type OpenedByKey } from './open-by-key.ts';

const fetchPalette = withCatalog(() => import('./palette.tsx'));
const fetchKeyList = withCatalog(() => import('./key-list.tsx'));
const DIALOGS = {
  palette: lazy(() => fetchPalette().then(({ Palette }) => ({ default: Palette }))),
  keys: lazy(() => fetchKeyList().then(({ KeyList }) => ({ default: KeyList }))),
};
const NAMES = Object.keys(DIALOGS) as OpenedByKey[];

/** Opens the palette and the list of keys by their keys, on every page. Both are fetched at first use. */
export function PaletteKey() {
  const [opened, setOpened] = useState<OpenedByKey>();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const name = NAMES.find((each) => isKey(each, event));
      if (name === undefined || (name === 'keys' && !isOutsideText(event))) return;
      event.preventDefault();
      setOpened(name);
    };
    const onOpen = (event: Event) => setOpened((event as CustomEvent<OpenedByKey>).detail);
    addEventListener('keydown', onKey);
    addEventListener(OPEN_BY_KEY, onOpen);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener(OPEN_BY_KEY, onOpen);
    };
  }, []);
  if (opened === undefined) return null;
  const Opened = DIALOGS[opened];
  return (
    <Suspense>
      <Opened onClose={() => setOpened(undefined)} />
    </Suspense>
  );
}
