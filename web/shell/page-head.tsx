import { type ReactNode, useEffect } from 'react';
import { setTitle } from './title.ts';

interface Props {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  /** True if a person wrote the title. */
  isContent?: boolean;
}

/**
 * Returns whether a title can contain the whole text; a longer text, or one with several lines, is shown below the
 * title.
 */
export function fitsTitle(text: string): boolean {
  return text.length <= 120 && !text.includes('\n');
}

/**
 * The title of a view and of its tab. Inside a container with its own spacing, the title has less space below
 * it. On a phone, several actions don't fit next to it, so they follow the note.
 */
export function PageHead({ title, note, actions, isContent }: Props) {
  useEffect(() => {
    setTitle({ view: title });
  }, [title]);
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-2 pb-6 [.space-y-4>&]:pb-2 [.space-y-5>&]:pb-1">
      <h1
        data-user-content={isContent}
        className="line-clamp-5 min-w-0 flex-1 basis-44 text-xl font-semibold tracking-tight wrap-anywhere sm:line-clamp-3"
      >
        {title}
      </h1>
      {note && <div className="order-last -mt-1 basis-full text-sm text-muted">{note}</div>}
      {actions && (
        <div className="flex min-h-9 max-w-full shrink-0 flex-wrap items-center gap-2 max-sm:has-[>:nth-child(2)]:order-last">
          {actions}
        </div>
      )}
    </header>
  );
}
