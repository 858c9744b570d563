import type { StreamPart } from '../api-contract/stream-part.ts';
import type { ModelEvent } from '../ports/language-model.ts';
import { rateLimitNotice } from './answer-ending.ts';
import { waitingNotice } from './notice.ts';

/** Model text for readers; its end may be held back. */
export interface ShownText {
  add(delta: string): string;
  end(): string;
  /** Forgets the shown text, because it turned out to be reasoning. */
  undo?(): void;
}

type Kind = 'text' | 'reasoning';

const AS_IT_IS: ShownText = { add: (delta) => delta, end: () => '' };

/**
 * The blocks of an answer in its stream, each of one kind. `nameBlock` returns the ID for a block's number,
 * counted from 1.
 */
export function openBlocks(nameBlock: (number: number) => string, showText: () => ShownText) {
  let open: { kind: Kind; id: string; shown: ShownText } | undefined;
  let count = 0;
  function* say(delta: string): Iterable<StreamPart> {
    if (open !== undefined && delta !== '') yield { type: `${open.kind}-delta`, id: open.id, delta };
  }
  function* release(): Iterable<StreamPart> {
    yield* say(open?.shown.end() ?? '');
  }
  function* end(): Iterable<StreamPart> {
    yield* release();
    if (open !== undefined) yield { type: `${open.kind}-end`, id: open.id };
    open = undefined;
  }
  return {
    ...{ end, release },
    *add(kind: Kind, delta: string): Iterable<StreamPart> {
      if (open?.kind !== kind) {
        yield* end();
        open = { kind, id: nameBlock(++count), shown: kind === 'text' ? showText() : AS_IT_IS };
        yield { type: `${kind}-start`, id: open.id };
      }
      yield* say(open.shown.add(delta));
    },
    /** The text of the open block was reasoning, so clients move it to the reasoning. */
    *takeBack(): Iterable<StreamPart> {
      if (open?.kind !== 'text') return;
      const { id, shown } = open;
      yield* end();
      shown.undo?.();
      yield { type: 'data-thought', data: { id } };
    },
  };
}

/** Yields what a model event adds to the blocks. Calls and the end add nothing. */
export function* showSaid(block: ReturnType<typeof openBlocks>, event: ModelEvent): Iterable<StreamPart> {
  if (event.type === 'text' || event.type === 'reasoning') yield* block.add(event.type, event.text);
  if (event.type === 'text-was-reasoning') yield* block.takeBack();
  if (event.type === 'waiting') yield waitingNotice(event.tokens);
  if (event.type === 'rate-limited') yield rateLimitNotice(event.seconds);
}
