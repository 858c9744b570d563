import { useLocation, useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';

/** The workspace page from which the settings were opened, as in the URL. */
export interface BackSearch {
  back?: string | undefined;
}

/** Returns only pages of the console, so that a crafted link to the settings can't lead elsewhere. */
export function readBack({ back }: Record<string, unknown>): BackSearch {
  return { back: typeof back === 'string' && /^\/w\/[^/\\]/.test(back) ? back : undefined };
}

/** Returns the URL parameters of a settings link that leads back to this workspace page. */
export function useBackHere(): BackSearch {
  const { href } = useLocation();
  return readBack({ back: href });
}

/** A link to the page from which the settings were opened. Absent if there is none. */
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
