import { useTranslation } from 'react-i18next';
import { STREAM_BROKEN } from '../api/api-error.ts';
import { ApiError } from '../api/client.ts';
import { tryNow } from '../api/reach.ts';
import { Problem } from '../parts/problem.tsx';
import { countSentences, type Part, viewOfMessage } from './message-view.ts';
import type { ChatSession } from './use-chat-session.ts';

/** Why the latest answer isn't there, once: where the connection is the reason, the page continues when it is back. */
export function AnswerError({ session }: { session: ChatSession }) {
  const { error, isReconnecting, again } = session;
  const next = useNext(session);
  return <Problem error={error} onRetry={isReconnecting ? tryNow : () => again()} unreachedNext={next} />;
}

function useNext({ error, messages, isReconnecting }: ChatSession): string | undefined {
  const { t, i18n } = useTranslation();
  if (!(error instanceof ApiError) || error.status !== 0) return undefined;
  if (error.code !== STREAM_BROKEN) return isReconnecting ? t('chat.notSent') : undefined;
  const last = messages.at(-1);
  const { text } = viewOfMessage(last?.role === 'assistant' ? (last.parts as Part[]) : []);
  const count = countSentences(text, i18n.language);
  const said = count === 0 ? t('chat.brokenEarly') : t('chat.broken', { count });
  return isReconnecting ? `${said} ${t('chat.reconnecting')}` : said;
}
