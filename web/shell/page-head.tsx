import { type ReactNode, useEffect } from 'react';
import { setTitle } from './title.ts';

interface Props {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
}

/** The name of a view: of the tab, too. */
export function PageHead({ title, note, actions }: Props) {
  useEffect(() => {
    setTitle({ view: title });
  }, [title]);
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-5">
      <div className="min-w-0 flex-1 basis-44">
        <h1 className="truncate text-xl font-semibold tracking-tight">{title}</h1>
        {note && <div className="mt-0.5 text-sm text-muted">{note}</div>}
      </div>
      {actions && <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
