import { Fragment, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNamed } from '../code/language-of.ts';
import type { Token } from '../code/token.ts';
import { useColors } from '../code/use-colors.ts';
import { CopyButton } from '../copy-button.tsx';
import { ScrollRegion } from '../scroll-region.tsx';

/** Milliseconds without changes after which a growing block is colored. */
const REST_MS = 300;
const MAX_NAME = 30;

interface Props {
  text: string;
  /** The text of the block's first line: a language, and maybe more. */
  name?: string | undefined;
}

/**
 * Code with its language, colors, and a copy button. It can take the focus, so that the keyboard can scroll
 * it.
 */
export function CodeBlock({ text, name = '' }: Props) {
  const { t } = useTranslation();
  const [language = ''] = name.trim().split(/[\s{,]/);
  const lines = useMemo(() => text.split('\n'), [text]);
  const colored = useColors(lines, languageNamed(language), REST_MS);
  return (
    <div dir="ltr" className="code">
      <div className="flex min-h-9 items-center justify-between border-b border-line pl-3">
        <span data-label className="truncate text-xs text-muted">
          {language.slice(0, MAX_NAME)}
        </span>
        <CopyButton text={text} isBare />
      </div>
      <ScrollRegion label={t('parts.code')} className="overflow-x-auto px-3.5 py-3">
        <pre>
          <code>{colored === undefined ? text : colored.map(showLine)}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}

function showLine(tokens: readonly Token[], place: number) {
  const pieces = tokens.map(({ text, kind }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a block is drawn whole
    kind ? <Look key={at} text={text} kind={kind} /> : text,
  );
  return <Fragment key={place}>{place === 0 ? pieces : ['\n', ...pieces]}</Fragment>;
}

function Look({ text, kind }: Required<Token>) {
  return <span className={`code-${kind}`}>{text}</span>;
}
