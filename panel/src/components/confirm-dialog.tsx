import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  type ButtonProps,
} from '@mui/material';
import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { ErrorAlert } from './error-alert';
import { focusAfterError } from './focus-after-error';

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
  /** Called before the dialog opens, to reset its fields. */
  readonly onOpen?: () => void;
  /**
   * @param fail shows an error in the dialog: a toast would be outside of it
   * @returns whether it succeeded; then the dialog closes
   */
  readonly onConfirm: (fail: (problem: unknown) => void) => Promise<boolean>;
}

/** A button whose action needs a confirmation, with the dialog that asks for it. */
export const ConfirmDialog = ({
  label,
  title,
  children,
  confirm,
  isComplete = true,
  onOpen,
  onConfirm,
  loading,
  ...button
}: ConfirmDialogProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const titleId = useId();
  const open = () => {
    setProblem(undefined);
    onOpen?.();
    setIsOpen(true);
  };
  const close = () => setIsOpen(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setProblem(undefined);
    if (await onConfirm(setProblem)) close();
  };
  // The button was disabled while sending and has lost the focus.
  useEffect(() => {
    if (problem !== undefined) focusAfterError(form.current);
  }, [problem]);
  // What was done can remove the button: the focus goes to the title of the page.
  useLayoutEffect(() => {
    const button = opener.current;
    return () => {
      if (button === document.activeElement) document.querySelector('h1')?.focus();
    };
  }, []);
  return (
    <>
      <Button variant="outlined" {...button} ref={opener} onClick={open}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={close} aria-labelledby={titleId} maxWidth="xs" fullWidth>
        <form
          ref={form}
          onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
            void submit(event);
          }}
        >
          <DialogTitle id={titleId}>{title}</DialogTitle>
          <DialogContent>
            {problem !== undefined && (
              <Box sx={{ mb: 2 }}>
                <ErrorAlert error={problem} />
              </Box>
            )}
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
