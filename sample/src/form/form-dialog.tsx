import { Button, type ButtonProps, Dialog, DialogContent, DialogContentText, DialogTitle, Stack } from '@mui/material';
import { useId, useState } from 'react';
import { Form, type FormProps } from './form';
import { DisabledReason } from './disabled-reason';

interface FormDialogProps<Data> extends Omit<FormProps<Data>, 'onCancel'> {
  readonly title: string;
  readonly text?: string;
}

/** A form in a dialog, which closes when the form is done. */
export function FormDialog<Data>({
  isOpen,
  close,
  title,
  text,
  children,
  ...form
}: FormDialogProps<Data> & { readonly isOpen: boolean; readonly close: () => void }) {
  const id = useId();
  return (
    <Dialog open={isOpen} onClose={close} fullWidth maxWidth="xs" aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>
        <Form {...form} onCancel={close} onDone={(data, typed) => (close(), form.onDone?.(data, typed))}>
          <Stack spacing={2} sx={{ pt: 0.5 }}>
            {text && <DialogContentText>{text}</DialogContentText>}
            {children}
          </Stack>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

interface DialogButtonProps<Data> extends FormDialogProps<Data> {
  /** The caption of the button that opens the dialog. */
  readonly button: string;
  /** Among many such buttons, whom or what this one is about. */
  readonly about?: string;
  /** Why it is disabled, where it is. */
  readonly disabledReason?: string;
  readonly variant?: ButtonProps['variant'];
}

/** A button that asks in a dialog first: for what is missing, or whether it is meant. */
export function DialogButton<Data>({ button, about, disabledReason, variant, ...sheet }: DialogButtonProps<Data>) {
  const [isOpen, setOpen] = useState(false);
  const color = sheet.isDanger ? 'error' : variant ? 'primary' : 'inherit';
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
      <FormDialog isOpen={isOpen} close={() => setOpen(false)} {...sheet} />
    </>
  );
}
