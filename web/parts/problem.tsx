import { useContext, useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ANSWER_LOST, ApiError } from '../api/api-error.ts';
import { messageOfCode } from '../api/error-message.ts';
import { showsUnreached } from '../api/reach.ts';
import { ChangedMeanwhile } from '../api/versioned.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { Details } from './details.tsx';
import { DocsLink } from './docs-link.tsx';
import { RemedyContext } from './remedy.ts';

interface Props {
  /** The error; if absent, nothing is shown. */
  error: Error | null | undefined;
  onRetry?: () => void;
  /** Text about what will happen next, for use while the service is unreachable. */
  unreachedNext?: string | undefined;
}

/** An error in the page's language, by its code, with the service's own message as detail. */
export function Problem({ error, onRetry, unreachedNext }: Props) {
  const { t } = useTranslation();
  const unreached = error instanceof ApiError && error.status === 0;
  // A layout effect, because it must end when this is hidden while a page is fetched.
  useLayoutEffect(() => (unreached ? showsUnreached() : undefined), [unreached]);
  if (!error) return null;
  const changed = error instanceof ChangedMeanwhile;
  const wait = (error instanceof ApiError ? error.retryAfterMs : undefined) ?? 0;
  return (
    <div role="alert">
      <Banner
        look={unreached || changed ? 'warn' : 'danger'}
        action={onRetry && <Retry key={wait} waitMs={wait} onRetry={onRetry} />}
      >
        {changed ? (
          t('parts.changedMeanwhile')
        ) : unreached ? (
          (unreachedNext ?? t(unreachedKey(error)))
        ) : (
          <Message error={error} />
        )}
      </Banner>
    </div>
  );
}

/** Returns the message key for a failed connection: nothing was sent, or the result didn't arrive. */
function unreachedKey({ code }: ApiError) {
  return code === ANSWER_LOST ? 'parts.answerLost' : 'parts.unreached';
}

function Message({ error }: { error: Error }) {
  return <ErrorText code={error instanceof ApiError ? error.code : undefined} message={error.message} />;
}

interface TextProps {
  code: string | undefined;
  /** The service's own message. */
  message: string;
}

/** An error in the page's language, with what its reader can do about it. */
export function ErrorText({ code, message }: TextProps) {
  const { t } = useTranslation();
  const remedy = useContext(RemedyContext)(code);
  const translated = messageOfCode(code);
  return (
    <>
      {translated ?? (message || t('parts.failed'))} {remedy}
      {translated !== undefined && (
        <Details name={t('parts.errorDetails')}>
          <span lang="en">
            {message} <DocsLink page={`reference/errors#${code}`}>{code}</DocsLink>
          </span>
        </Details>
      )}
    </>
  );
}

/**
 * A retry button. If the service states how long to wait, the button shows the seconds. Screen readers don't
 * announce them.
 */
function Retry({ waitMs, onRetry }: { waitMs: number; onRetry: () => void }) {
  const { t } = useTranslation();
  const [until] = useState(() => Date.now() + waitMs);
  const [left, setLeft] = useState(Math.ceil(waitMs / 1000));
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.ceil((until - Date.now()) / 1000)), 500);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <Button disabled={left > 0} onClick={onRetry} aria-live="off" className="shrink-0">
      {left > 0 ? t('parts.tryIn', { seconds: left }) : t('parts.tryAgain')}
    </Button>
  );
}
