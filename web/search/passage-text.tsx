import type { Schemas } from '../../lib/api-contract/schema.ts';
import { Place } from '../chat/citations.tsx';
import { readPlace } from '../chat/message-view.ts';
import { DocumentName } from '../parts/document-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { foundWords, fromBestMatch } from './found-words.ts';

type Found = Schemas['FoundPassage'];

export const PASSAGE_CARD =
  'block rounded-lg border border-line bg-surface px-4 py-3 transition-colors hover:border-accent';

interface Props {
  q: string;
  passage: Found;
  /** True if the file is already named above the passage. */
  isFurther?: boolean;
}

/** A passage with its file and location. Words of the question are marked. */
export function PassageText({ q, passage, isFurther = false }: Props) {
  const { path, title, startLine, endLine, context, text } = passage;
  return (
    <>
      <span className="flex items-center gap-2 text-sm">
        {!isFurther && <Icon name="file" size={16} />}
        {isFurther ? <span className="sr-only">{path}</span> : <DocumentName path={path} title={title} />}
        <span className="shrink-0 text-xs text-muted">
          <Place citation={{ path, startLine, endLine, place: readPlace(passage) }} />
        </span>
      </span>
      {context !== '' && (
        <span data-user-content className="mt-1 block truncate text-xs text-muted">
          {context}
        </span>
      )}
      <span data-user-content className="mt-1.5 line-clamp-4 text-sm whitespace-pre-line">
        {fromBestMatch(foundWords(text, q)).map((piece, place) =>
          piece.isFound ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn whole
            <mark key={place} className="rounded-sm bg-mark text-ink">
              {piece.text}
            </mark>
          ) : (
            piece.text
          ),
        )}
      </span>
    </>
  );
}
