import { Button, type ButtonProps, Dialog, DialogContent, DialogContentText, DialogTitle, Stack } from '@mui/material';
import { useId, useState, type ReactNode } from 'react';
import { Form, type FormProps } from './form';
import { DisabledReason } from './disabled-reason';

interface FormDialogProps<Data> extends Omit<FormProps<Data>, 'onCancel'> {
  readonly title: string;
  readonly text?: ReactNode;
}

/**
 * Milliseconds. It does not fade out: what was done has changed the page, and with it the texts of
 * the dialog.
 */
const TRANSITION = { enter: 225, exit: 0 };

/** A form in a dialog, which closes when the form is done. */
export function FormDialog<Data>({
  isOpen,
  close,
  title,
  text,
  children,
  onDone,
  ...form
}: FormDialogProps<Data> & { readonly isOpen: boolean; readonly close: () => void }) {
  const id = useId();
  const finish = (data: Data, values: Parameters<NonNullable<typeof onDone>>[1]) => {
    close();
    onDone?.(data, values);
  };
  return (
    <Dialog open={isOpen} onClose={close} fullWidth maxWidth="xs" transitionDuration={TRANSITION} aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>
        <Form {...form} onCancel={close} onDone={finish}>
          {/* the padding has room for the label of a first field, which sticks out over its edge */}
          <Stack spacing={2} sx={{ pt: text ? 0 : 1.25 }}>
            {text && <DialogContentText>{text}</DialogContentText>}
            {children}
          </Stack>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

interface DialogButtonProps<Data> extends FormDialogProps<Data> {
  /** The label of the button that opens the dialog. */
  readonly button: string;
  /** What the button is about, for its accessible name where a list has many such buttons. */
  readonly about?: string;
  /** Why the button is disabled, if it is. */
  readonly disabledReason?: string;
  readonly variant?: ButtonProps['variant'];
}

/** A button that opens a form in a dialog, or asks for confirmation. */
export function DialogButton<Data>({ button, about, disabledReason, variant, ...dialog }: DialogButtonProps<Data>) {
  const [isOpen, setOpen] = useState(false);
  const color = dialog.isDanger ? 'error' : variant ? 'primary' : 'inherit';
  return (
    <>
      <DisabledReason reason={disabledReason}>
        <Button
          size={variant ? 'medium' : 'small'}
          {...{ variant, color }}
          disabled={Boolean(disabledReason)}
          aria-label={about && `${button} ${about}`}
          onClick={() => setOpen(true)}
        >
          {button}
        </Button>
      </DisabledReason>
      <FormDialog isOpen={isOpen} close={() => setOpen(false)} {...dialog} />
    </>
  );
}
