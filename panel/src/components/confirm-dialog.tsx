import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  type ButtonProps,
} from '@mui/material';
import { useState, type ReactNode } from 'react';

interface ConfirmDialogProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  /** On the button that opens the question. */
  readonly label: string;
  readonly question: string;
  /** What it would mean. */
  readonly children: ReactNode;
  /** On the button that does it. */
  readonly confirm: string;
  /** @returns whether it was done, so that the question is answered */
  readonly onConfirm: () => Promise<boolean>;
}

/** A button for what should not happen by a slip: it asks first. */
export const ConfirmDialog = ({
  label,
  question,
  children,
  confirm,
  onConfirm,
  loading,
  ...button
}: ConfirmDialogProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button variant="outlined" {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={close} aria-labelledby="question" maxWidth="xs" fullWidth>
        <DialogTitle id="question">{question}</DialogTitle>
        <DialogContent>
          {typeof children === 'string' ? <DialogContentText>{children}</DialogContentText> : children}
        </DialogContent>
        <DialogActions>
          <Button onClick={close} color="inherit">
            Cancel
          </Button>
          <Button
            variant="contained"
            color={button.color}
            loading={loading}
            onClick={() => void onConfirm().then((isDone) => isDone && close())}
          >
            {confirm}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
};
