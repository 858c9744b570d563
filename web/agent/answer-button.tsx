import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { KEYS, type KeyName, keyLabel } from '../parts/pressed-key.ts';

/** The keys that answer the first call that waits. */
export type AnswerKey = Extract<KeyName, 'allow' | 'allowRun' | 'allowAlways' | 'deny'>;

interface Props {
  name: AnswerKey;
  look?: 'main' | 'plain';
  answers: Partial<Record<AnswerKey, () => void>>;
  /** True if the keys answer this call; the button shows its own. */
  hasKeys: boolean;
  /** Why the button is disabled; undefined if it isn't. */
  why: string | undefined;
  children: ReactNode;
}

/** An answer by one click or one key. Missing if the call can't be answered this way. */
export function AnswerButton({ name, look = 'plain', answers, hasKeys, why, children }: Props) {
  const answer = answers[name];
  if (answer === undefined) return null;
  return (
    <Button
      look={look}
      disabled={why !== undefined}
      title={why}
      onClick={({ detail }) => detail < 2 && answer()}
      {...(hasKeys && { 'aria-keyshortcuts': KEYS[name] })}
    >
      {children}
      {hasKeys && (
        <kbd aria-hidden className="rounded-sm border border-current px-1 font-sans text-xs">
          {keyLabel(name)}
        </kbd>
      )}
    </Button>
  );
}
