import { useParams, useSearch } from '@tanstack/react-router';
import { type DragEvent, useState } from 'react';
import { useMay } from '../access/role.ts';
import { FilesPane } from './files-pane.tsx';
import { OpenFile } from './open-file.tsx';
import type { Dropped } from './uploads/interrupted-uploads.ts';
import { useUploads } from './uploads/use-uploads.ts';

export function FilesView() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' });
  return <Files key={workspaceId} workspaceId={workspaceId} />;
}

function Files({ workspaceId }: { workspaceId: string }) {
  const { path } = useSearch({ from: '/w/$workspaceId/files' });
  const mayWrite = useMay('member', workspaceId);
  const uploads = useUploads(workspaceId);
  const [isOver, setOver] = useState(false);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (mayWrite) await uploads.start(await readDropped(event.dataTransfer));
  };
  return (
    <section
      aria-labelledby="files-title"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(mayWrite);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex h-full ${isOver ? 'outline-2 -outline-offset-4 outline-accent outline-dashed' : ''}`}
    >
      <div
        className={`w-full flex-col border-line p-4 pb-0 md:flex md:w-96 md:shrink-0 md:border-r ${path ? 'hidden' : 'flex'}`}
      >
        <FilesPane path={path} uploads={uploads} />
      </div>
      <OpenFile workspaceId={workspaceId} path={path} />
    </section>
  );
}

const MOST = 5_000;

/** Files that were dropped or chosen, those in folders with their path. */
async function readDropped(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: Dropped[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: Dropped[]): Promise<void> {
  if (found.length >= MOST) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const each of some) await collect(each, found);
  }
}
