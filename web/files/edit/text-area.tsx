import { useMemo, useRef } from 'react';

interface Props {
  label: string;
  text: string;
  onChange: (text: string) => void;
}

/** A text field with line numbers next to it. Tab leaves it, like every field. */
export function TextArea({ label, text, onChange }: Props) {
  const numbers = useRef<HTMLPreElement>(null);
  const column = useMemo(
    () => Array.from({ length: text.split('\n').length }, (_, line) => line + 1).join('\n'),
    [text],
  );
  return (
    <div className="flex min-h-0 flex-1 overflow-hidden font-mono text-xs leading-[22px]">
      <div aria-hidden="true" className="overflow-hidden border-r border-line bg-sunken py-2 select-none">
        <pre ref={numbers} className="px-3 text-right text-muted">
          {column}
        </pre>
      </div>
      <textarea
        aria-label={label}
        value={text}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        onChange={({ target }) => onChange(target.value)}
        onScroll={({ currentTarget }) => {
          if (numbers.current) numbers.current.style.transform = `translateY(${-currentTarget.scrollTop}px)`;
        }}
        className="min-w-0 flex-1 resize-none bg-surface px-3 py-2 outline-none focus-visible:ring-2 focus-visible:ring-accent focus-visible:ring-inset"
      />
    </div>
  );
}
