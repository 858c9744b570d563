import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Look, readOutput } from './ansi.ts';

const COLORS = {
  danger: 'text-danger',
  good: 'text-good',
  warn: 'text-warn',
  accent: 'text-accent',
  muted: 'text-muted',
} as const;

/** Output of a command as plain text: it contains no links, and nothing in it has an effect. */
export function TerminalText({ text }: { text: string }) {
  const { t } = useTranslation();
  const { spans, isCut } = useMemo(() => readOutput(text), [text]);
  return (
    <>
      {isCut && <p className="font-sans text-muted">{t('parts.outputCut')}</p>}
      <pre className="font-mono break-words whitespace-pre-wrap">
        {spans.map((span, place) => {
          const key = `span ${place}`;
          return (
            <span key={key} className={classOf(span.look)}>
              {span.text}
            </span>
          );
        })}
      </pre>
    </>
  );
}

function classOf({ color, isBold, isFaint, isUnderlined }: Look): string {
  const classes = [
    color ? COLORS[color] : isFaint && 'text-muted',
    isBold && 'font-semibold',
    isUnderlined && 'underline',
  ];
  return classes.filter(Boolean).join(' ');
}
