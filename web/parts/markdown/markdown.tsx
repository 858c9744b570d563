import type { Token, Tokens } from 'marked';
import { createContext, Fragment, memo, type ReactNode, type Ref, useContext, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.tsx';
import { PlainTable } from '../plain-table.tsx';
import { ScrollRegion } from '../scroll-region.tsx';
import { CodeBlock } from './code-block.tsx';
import type { FormulaToken } from './find-formula.ts';
import { Formula } from './formula.tsx';
import { depthOf, headingLevels } from './heading-levels.ts';
import { splitCitations, webAddress, withEnds } from './inline-text.ts';
import { endBlocks, type Grown, growBlocks, readBlocks } from './read-blocks.ts';
import { readUncited, type Stretch, signUncited, UNCITED, UNCITED_END } from './uncited.ts';

/**
 * Markdown from a model or a file, as elements. It never becomes HTML, so nothing has to be sanitized. HTML
 * in it is shown as text, an image is a link that names its host, and external links show their target.
 * Unchanged blocks aren't rendered again, so a growing answer renders only its last block, or the last item
 * of its list.
 */
interface Props {
  text: string;
  /** True if the text is still growing. */
  isGrowing?: boolean;
  cited?: ReadonlySet<number>;
  renderCitation?: (index: number) => ReactNode;
  /** Sentences that state numbers without a source. They are marked once the text is complete. */
  uncited?: readonly Stretch[];
  /** The level of the text's first heading: one below the heading above the text. */
  headingLevel?: 2 | 3;
  ref?: Ref<HTMLDivElement>;
}

const NONE: ReadonlySet<number> = new Set();
const NOTHING = () => null;
const NO_STRETCHES: readonly Stretch[] = [];
/** Maximum depth. Deeper quotes and lists are shown flat, because a text may nest ten thousand of them. */
const MAX_DEPTH = 24;

const Citing = createContext<Required<Pick<Props, 'cited' | 'renderCitation'>>>({
  cited: NONE,
  renderCitation: NOTHING,
});

export function Markdown(props: Props) {
  const { text, isGrowing = false, cited = NONE, renderCitation = NOTHING, headingLevel = 3, ref } = props;
  const grown = useRef<Grown>(undefined);
  const { uncited = NO_STRETCHES } = props;
  const blocks = useMemo(() => {
    grown.current = isGrowing ? growBlocks(grown.current, text) : endBlocks(grown.current, text);
    const plain = grown.current.blocks;
    const signed = isGrowing ? text : signUncited(text, uncited);
    return (signed !== text && plain && readUncited(readBlocks(signed) ?? [], plain)) || plain;
  }, [text, isGrowing, uncited]);
  const levels = headingLevels((blocks ?? []).map(depthOf));
  const citing = useMemo(() => ({ cited, renderCitation }), [cited, renderCitation]);
  return (
    <Citing.Provider value={citing}>
      <div ref={ref} data-user-content className="prose min-w-0 break-words">
        {blocks === undefined && <p className="whitespace-pre-wrap">{text}</p>}
        {blocks?.map((block, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end
          <Block key={place} block={block} heading={headingOf(levels[place], headingLevel)} />
        ))}
      </div>
    </Citing.Provider>
  );
}

interface BlockProps {
  block: Token;
  /** The block's element and style, if it's a heading. */
  heading: string | undefined;
}

const Block = memo(({ block, heading }: BlockProps) =>
  heading === undefined ? (
    renderBlock(block, 0)
  ) : (
    <Heading look={heading}>{renderAll((block as Tokens.Heading).tokens, 1)}</Heading>
  ),
);

/** Returns `h3 heading-1`: the element, and the style of the heading's rank in the text. */
function headingOf(rank: number | undefined, first: number): string | undefined {
  return rank === undefined ? undefined : `h${Math.min(6, first + rank)} heading-${Math.min(3, rank + 1)}`;
}

const Item = memo(({ item, depth }: { item: Tokens.ListItem; depth: number }) => (
  <li>{renderAll(item.tokens, depth)}</li>
));

function renderAll(tokens: Token[] | undefined, depth: number): ReactNode {
  if (depth > MAX_DEPTH) return tokens?.map(({ raw }) => raw).join('');
  // biome-ignore lint/suspicious/noArrayIndexKey: a block is drawn whole
  return tokens?.map((token, place) => <Fragment key={place}>{renderBlock(token, depth)}</Fragment>);
}

function renderBlock(token: Token, depth: number): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return <p className="heading">{renderAll(token.tokens, depth + 1)}</p>; // in a list or a quotation
    case 'paragraph':
      return <p>{renderAll(token.tokens, depth + 1)}</p>;
    case 'blockquote':
      return <blockquote dir="auto">{renderAll(token.tokens, depth + 1)}</blockquote>;
    case 'list':
      return renderList(token as Tokens.List, depth + 1);
    case 'code':
      return <CodeBlock text={(token as Tokens.Code).text} name={(token as Tokens.Code).lang} />;
    case 'table':
      return renderTable(token as Tokens.Table, depth + 1);
    case 'hr':
      return <hr />;
    case 'formula':
      return <Formula token={token as FormulaToken} />;
    default:
      return renderInline(token, depth);
  }
}

function renderInline(token: Token, depth: number): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{renderAll(token.tokens, depth + 1)}</strong>;
    case 'em':
      return <em>{renderAll(token.tokens, depth + 1)}</em>;
    case 'del':
      return <del>{renderAll(token.tokens, depth + 1)}</del>;
    case 'codespan':
      return <code dir="ltr">{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'image':
      return <Picture href={(token as Tokens.Image).href} text={(token as Tokens.Image).text} />;
    case 'link':
      return <Link token={token as Tokens.Link}>{renderAll(token.tokens, depth + 1)}</Link>;
    case 'text':
      return token.tokens ? renderAll(token.tokens, depth + 1) : <Cited text={unescaped(token)} />;
    case 'escape':
      return (token as Tokens.Escape).text;
    case UNCITED:
      return <Uncited text={unescaped(token)} />;
    case UNCITED_END:
      return <UncitedEnd />;
    case 'checkbox':
      return <TaskMark done={(token as Tokens.Checkbox).checked} />;
    default:
      return <Cited text={token.raw} />;
  }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Returns the text with character references replaced by their characters, because the lexer leaves them unchanged. */
function unescaped(token: Token): string {
  const text = 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

function TaskMark({ done }: { done: boolean }) {
  const { t } = useTranslation();
  return (
    <span role="img" aria-label={t(done ? 'parts.done' : 'parts.open')}>
      {done ? '☑ ' : '☐ '}
    </span>
  );
}

function Cited({ text }: { text: string }) {
  const { cited, renderCitation } = useContext(Citing);
  return withEnds(splitCitations(text, cited)).map((piece, place) =>
    'text' in piece ? (
      piece.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn whole
      <span key={place} className="whitespace-nowrap">
        {renderCitation(piece.cited)}
        {'end' in piece && piece.end}
      </span>
    ),
  );
}

function Uncited({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <span
      title={t('parts.uncited')}
      className="underline decoration-warn decoration-dotted decoration-2 underline-offset-4"
    >
      <Cited text={text} />
    </span>
  );
}

/** Describes the line for screen readers. */
function UncitedEnd() {
  const { t } = useTranslation();
  const name = t('parts.uncited');
  return (
    <span role="img" aria-label={name} title={name} className="ml-0.5 inline-block align-[-1px] text-warn">
      <Icon name="info" size={13} />
    </span>
  );
}

function Heading({ look, children }: { look: string; children: ReactNode }) {
  const [Element, className] = look.split(' ') as ['h2', string];
  return <Element className={`heading ${className}`}>{children}</Element>;
}

/** A link. With a definition `[1]: address` in the same text, `[1]` would be one, but stays a citation. */
function Link({ token, children }: { token: Tokens.Link; children: ReactNode }) {
  const { cited } = useContext(Citing);
  const number = /^\[(\d{1,3})\]$/.exec(token.raw)?.[1];
  if (number !== undefined && cited.has(Number(number))) return <Cited text={token.raw} />;
  return <Outward href={token.href}>{children}</Outward>;
}

function Outward({ href, children }: { href: string; children: ReactNode }) {
  const address = webAddress(href);
  if (address === undefined) return <>{children}</>;
  return (
    <a
      href={address.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent underline"
    >
      {children}
      <span className="ml-1 text-xs text-muted no-underline">({address.host})</span>
    </a>
  );
}

function Picture({ href, text }: { href: string; text: string }) {
  const { t } = useTranslation();
  const name = text === '' ? t('parts.picture') : t('parts.pictureOf', { name: text });
  return <Outward href={href}>{name}</Outward>;
}

function renderList({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const rows = items.map((item, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are only added at the end
    <Item key={place} item={item} depth={depth} />
  ));
  if (!ordered) return <ul dir="auto">{rows}</ul>;
  return (
    <ol dir="auto" start={Number(start) || 1}>
      {rows}
    </ol>
  );
}

function renderTable({ header, rows }: Tokens.Table, depth: number): ReactNode {
  return (
    <Table
      header={header.map((cell) => renderAll(cell.tokens, depth))}
      rows={rows.map((row) => row.map((cell) => renderAll(cell.tokens, depth)))}
    />
  );
}

function Table({ header, rows }: { header: ReactNode[]; rows: ReactNode[][] }) {
  const { t } = useTranslation();
  return (
    <ScrollRegion dir="auto" label={t('parts.table')} className="overflow-x-auto">
      <PlainTable header={header} rows={rows} />
    </ScrollRegion>
  );
}
