import { Button, type ButtonProps, Dialog, DialogContent, DialogContentText, DialogTitle, Stack } from '@mui/material';
import { useId, useState } from 'react';
import { Form, type FormProps } from './form';
import { Why } from './why';

interface SheetProps<Data> extends Omit<FormProps<Data>, 'onCancel'> {
  readonly title: string;
  readonly text?: string;
}

/** A form in a dialog, which closes when the form is done. */
export function Sheet<Data>({
  isOpen,
  close,
  title,
  text,
  children,
  ...form
}: SheetProps<Data> & { readonly isOpen: boolean; readonly close: () => void }) {
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

interface AskProps<Data> extends SheetProps<Data> {
  /** The caption of the button that opens the dialog. */
  readonly button: string;
  /** Among many such buttons, whom or what this one is about. */
  readonly about?: string;
  /** Why it is disabled, where it is. */
  readonly whyNot?: string;
  readonly variant?: ButtonProps['variant'];
}

/** A button that asks in a dialog first: for what is missing, or whether it is meant. */
export function Ask<Data>({ button, about, whyNot, variant, ...sheet }: AskProps<Data>) {
  const [isOpen, setOpen] = useState(false);
  const color = sheet.isDanger ? 'error' : variant ? 'primary' : 'inherit';
  return (
    <>
      <Why not={whyNot}>
        <Button
          size={variant ? 'medium' : 'small'}
          {...{ variant, color }}
          disabled={Boolean(whyNot)}
          aria-label={about && `${button} ${about}`}
          onClick={() => setOpen(true)}
        >
          {button}
        </Button>
      </Why>
      <Sheet isOpen={isOpen} close={() => setOpen(false)} {...sheet} />
    </>
  );
}
