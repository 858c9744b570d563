import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Form } from '../parts/form.tsx';
import { Problem } from '../parts/problem.tsx';
import { ServiceText } from '../parts/service-text.tsx';
import type { useChangeSettings } from './queries.ts';

/** The result of a change: rejected, saved but overridden, or done. */
export function Saved({ change }: { change: ReturnType<typeof useChangeSettings> }) {
  const { t } = useTranslation();
  const notInForce = Object.values(change.data?.notInForce ?? {});
  return (
    <>
      <Problem error={change.error} />
      {notInForce.map((why) => (
        <Banner key={why} look="warn">
          <ServiceText text={why} label={t('settings.notInForce')} />
        </Banner>
      ))}
      <p role="status" className="text-sm text-good">
        {change.isSuccess && notInForce.length === 0 && t('settings.saved')}
      </p>
    </>
  );
}

/** Says that typed values aren't saved. They survive a reload, so they must not look like the current settings. */
export function Unsaved({ form }: { form: { isBegun: boolean; drop: () => void } }) {
  const { t } = useTranslation();
  if (!form.isBegun) return null;
  return (
    <p className="flex items-center gap-2 text-sm text-warn">
      {t('settings.unsaved')}
      <Button look="quiet" onClick={form.drop}>
        {t('settings.discard')}
      </Button>
    </p>
  );
}

interface Props {
  change: ReturnType<typeof useChangeSettings>;
  form: { isBegun: boolean; drop: () => void };
  canSave?: boolean;
  onSave: () => void;
  /** Resets the settings to the values in the environment. */
  onReset: () => void;
  children: ReactNode;
}

export function SettingsForm({ change, form, canSave = true, onSave, onReset, children }: Props) {
  const { t } = useTranslation();
  return (
    <Form onSend={onSave} sending={change} isWhole={canSave}>
      {children}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="main" type="submit" disabled={!canSave || change.isPending}>
          {t('parts.save')}
        </Button>
        <Button disabled={change.isPending} onClick={onReset}>
          {t('settings.asEnvironment')}
        </Button>
      </div>
      <Unsaved form={form} />
      <Saved change={change} />
    </Form>
  );
}
