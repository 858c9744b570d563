import { type DragEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readDropped } from '../files/uploads/read-dropped.ts';
import { Icon } from '../parts/icon.tsx';
import type { useDrop } from './use-drop.ts';

interface Props {
  mayDrop: boolean;
  drop: ReturnType<typeof useDrop>;
  children: ReactNode;
}

/** Takes files that are dropped anywhere on the page, for a new workspace. */
export function DropPage({ mayDrop, drop, children }: Props) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const take = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!mayDrop) return;
    const dropped = await readDropped(event.dataTransfer);
    if (dropped.length > 0) drop.mutate(dropped);
  };
  return (
    <main
      id="main"
      className="min-h-full"
      onDragOver={(event) => {
        if (!mayDrop || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => void take(event)}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none fixed inset-0 z-30 flex items-center justify-center bg-canvas/85 outline-2 -outline-offset-8 outline-accent outline-dashed">
          <p className="flex items-center gap-3 text-lg font-semibold">
            <Icon name="upload" size={26} />
            {t('workspaces.dropHere')}
          </p>
        </div>
      )}
    </main>
  );
}
