import { useLocation, useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';

/** The page of a workspace that the settings were opened from, as their URL has it. */
export interface BackSearch {
  back?: string | undefined;
}

/** Only a page of the console, so that a crafted link to the settings can't lead elsewhere. */
export function readBack({ back }: Record<string, unknown>): BackSearch {
  return { back: typeof back === 'string' && /^\/w\/[^/\\]/.test(back) ? back : undefined };
}

/** The search of a link to the settings, which leads back to this page of a workspace. */
export function useBackHere(): BackSearch {
  const { href } = useLocation();
  return readBack({ back: href });
}

/** A link to the page that the settings were opened from; nothing if there is none. */
export function BackLink({ back, className = 'text-accent underline' }: BackSearch & { className?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  if (back === undefined) return null;
  const isQuestion = new URL(back, location.origin).searchParams.has('q') && back.includes('/chat/');
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate({ href: back });
  };
  return (
    <a href={back} onClick={follow} className={className}>
      {t(isQuestion ? 'shell.backToQuestion' : 'shell.backToWorkspace')}
    </a>
  );
}
