import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { excerpt, linePieces } from '../files/line-pieces.ts';
import { Pieces } from '../files/lines.tsx';
import { languageOf } from '../parts/code/language-of.ts';
import type { Token } from '../parts/code/token.ts';
import { useColors } from '../parts/code/use-colors.ts';
import { Loaded } from '../parts/loaded.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useDiff } from './queries.ts';
import { type Hunk, type PatchBlock, type PatchLine, readPatch } from './read-patch.ts';

interface Props {
  workspaceId: string;
  path: string;
  staged: boolean;
}

/** The diff of a file, which is fetched when it's opened. */
export function FileDiff({ workspaceId, path, staged }: Props) {
  const { t } = useTranslation();
  const diff = useDiff(workspaceId, path, staged);
  return (
    <div className="w-full min-w-0">
      <Loaded query={diff} rows={2} rowClass="h-8">
        {({ patch, binary, truncated }) => (
          <>
            {patch === '' ? (
              <p className="text-sm text-muted">{t(binary ? 'git.binary' : 'git.noLines')}</p>
            ) : (
              <Patch path={path} patch={patch} />
            )}
            {truncated && <p className="mt-1 text-xs text-warn">{t('git.cut')}</p>}
          </>
        )}
      </Loaded>
    </div>
  );
}

type Colors = Map<PatchLine, readonly Token[]>;

function Patch({ path, patch }: { path: string; patch: string }) {
  const { t } = useTranslation();
  const hunks = useMemo(() => readPatch(patch), [patch]);
  const colors = useSideColors(hunks, path);
  return (
    <ScrollRegion
      label={t('git.diffOf', { path })}
      className="max-h-[32rem] overflow-auto rounded-md border border-line bg-surface font-mono text-xs"
    >
      {hunks.map(({ title, blocks }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a patch comes whole
        <div key={place} className="border-line not-first:border-t">
          {(place > 0 || title !== '') && (
            <p data-user-content className="bg-sunken px-3 py-0.5 text-muted">
              {title === '' ? '⋯' : title}
            </p>
          )}
          {blocks.map((block, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a patch comes whole
            <Block key={at} block={block} colors={colors} />
          ))}
        </div>
      ))}
    </ScrollRegion>
  );
}

/** Colors the old and the new lines separately, because each side is a text of its own. */
function useSideColors(hunks: Hunk[], path: string): Colors {
  const sides = useMemo(() => {
    const blocks = hunks.flatMap((hunk) => hunk.blocks);
    const [old, fresh] = [blocks.flatMap((block) => block.old), blocks.flatMap((block) => block.fresh)];
    return { old, fresh, oldText: old.map(({ text }) => text), freshText: fresh.map(({ text }) => text) };
  }, [hunks]);
  const language = languageOf(path);
  const [old, fresh] = [useColors(sides.oldText, language), useColors(sides.freshText, language)];
  return useMemo(() => {
    const pairs = (lines: PatchLine[], tokens: Token[][] | undefined) =>
      lines.map((line, at) => [line, tokens?.[at] ?? [{ text: line.text }]] as const);
    return new Map([...pairs(sides.old, old), ...pairs(sides.fresh, fresh)]);
  }, [sides, old, fresh]);
}

/**
 * On a wide screen, the old lines are next to the new ones; otherwise, they are above them, and equal lines
 * appear once.
 */
function Block({ block: { isChange, old, fresh }, colors }: { block: PatchBlock; colors: Colors }) {
  return (
    <div className="xl:grid xl:grid-cols-2 xl:divide-x xl:divide-line">
      <div className={isChange ? 'min-w-0' : 'hidden min-w-0 xl:block'} aria-hidden={!isChange}>
        {old.map((line) => (
          <Line key={line.number} line={line} sign={isChange ? '-' : ' '} colors={colors} />
        ))}
      </div>
      <div className="min-w-0">
        {fresh.map((line) => (
          <Line key={line.number} line={line} sign={isChange ? '+' : ' '} colors={colors} />
        ))}
      </div>
    </div>
  );
}

const LOOKS = { ' ': '', '-': 'bg-danger-soft', '+': 'bg-good-soft' } as const;
/** A line with more tokens is shown without colors. */
const MAX_TOKENS = 500;

interface LineProps {
  line: PatchLine;
  sign: keyof typeof LOOKS;
  colors: Colors;
}

function Line({ line, sign, colors }: LineProps) {
  const { t } = useTranslation();
  const tokens = colors.get(line) ?? [];
  const isPlain = tokens.length > MAX_TOKENS || line.text.length > 2_000;
  return (
    <div className={`flex ${LOOKS[sign]}`}>
      <span aria-hidden="true" className="w-12 shrink-0 pr-2 text-right leading-5 text-muted select-none">
        {line.number}
      </span>
      <span className="w-4 shrink-0 leading-5 text-muted">{sign}</span>
      <span data-user-content className="min-w-0 flex-1 pr-2 leading-5 wrap-anywhere whitespace-pre-wrap">
        <Pieces pieces={isPlain ? excerpt(line.text, undefined) : linePieces(tokens, undefined)} />
        {line.isOpen && <span className="text-muted italic"> {t('agent.noLineBreak')}</span>}
      </span>
    </div>
  );
}
