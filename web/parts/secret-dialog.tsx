import { Banner } from './banner.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';

interface Props {
  title: string;
  /** Says that it is shown only once. */
  note: string;
  label: string;
  secret: string;
  /** The label of the button that closes the dialog. */
  done: string;
  onClose: () => void;
}

/** Shows a secret once, while the dialog is open. */
export function SecretDialog({ title, note, label, secret, done, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Banner look="warn">{note}</Banner>
      <div className="mt-4">
        <Field
          label={label}
          value={secret}
          readOnly
          autoComplete="off"
          onFocus={({ target }) => target.select()}
        />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <CopyButton text={secret} />
        <Button look="main" onClick={onClose}>
          {done}
        </Button>
      </div>
    </Dialog>
  );
}
