import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../parts/button.tsx';

/** Offers notifications while a run works, until the person has answered the browser's question. */
export function NotifyOffer() {
  const { t } = useTranslation();
  const [permission, setPermission] = useState(permissionNow);
  if (permission !== 'default') return null;
  const ask = () => void Notification.requestPermission().then(setPermission);
  return (
    <Button look="quiet" icon="flag" onClick={ask}>
      {t('agent.notify.offer')}
    </Button>
  );
}

/** Browsers without notifications, and pages without TLS on another host, can't show any. */
function permissionNow(): NotificationPermission {
  return 'Notification' in window && isSecureContext ? Notification.permission : 'denied';
}

/**
 * Shows a notification when the condition becomes true while the page is hidden. Clicking it shows the page.
 */
export function useNotification(isDue: boolean, { title, tag }: { title: string; tag: string }): void {
  const was = useRef(isDue);
  useEffect(() => {
    const isNew = isDue && !was.current;
    was.current = isDue;
    if (!isNew || document.visibilityState === 'visible' || permissionNow() !== 'granted') return;
    const shown = new Notification(title, { tag });
    shown.onclick = () => {
      focus();
      shown.close();
    };
  }, [isDue, title, tag]);
}
