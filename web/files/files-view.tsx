import { useParams, useSearch } from '@tanstack/react-router';
import { type DragEvent, useState } from 'react';
import { useMay } from '../access/role.ts';
import { FilesPane } from './files-pane.tsx';
import { OpenFile } from './open-file.tsx';
import { readDropped } from './uploads/read-dropped.ts';
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
