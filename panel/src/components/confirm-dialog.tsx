import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  type ButtonProps,
} from '@mui/material';
import { useId, useState, type ReactNode, type SubmitEvent } from 'react';

interface ConfirmDialogProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  /** The text of the button that opens the dialog. */
  readonly label: string;
  readonly title: string;
  /** What would happen, and the fields to fill in. */
  readonly children: ReactNode;
  /** The text of the button that confirms. */
  readonly confirm: string;
  /** Whether everything that is needed is filled in. */
  readonly isComplete?: boolean;
  /** @returns whether it succeeded; then the dialog closes */
  readonly onConfirm: () => Promise<boolean>;
}

/** A button whose action needs a confirmation, with the dialog that asks for it. */
export const ConfirmDialog = ({
  label,
  title,
  children,
  confirm,
  isComplete = true,
  onConfirm,
  loading,
  ...button
}: ConfirmDialogProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const titleId = useId();
  const close = () => setIsOpen(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (await onConfirm()) close();
  };
  return (
    <>
      <Button variant="outlined" {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={close} aria-labelledby={titleId} maxWidth="xs" fullWidth>
        <form
          onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
            void submit(event);
          }}
        >
          <DialogTitle id={titleId}>{title}</DialogTitle>
          <DialogContent>
            {typeof children === 'string' ? <DialogContentText>{children}</DialogContentText> : children}
          </DialogContent>
          <DialogActions>
            <Button onClick={close} color="inherit">
              Cancel
            </Button>
            <Button type="submit" variant="contained" color={button.color} disabled={!isComplete} loading={loading}>
              {confirm}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
};
