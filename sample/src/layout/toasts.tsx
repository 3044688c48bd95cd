import { SnackbarContent, Stack } from '@mui/material';
import { createContext, type ReactNode, use, useState } from 'react';

/**
 * Shows a short message at the bottom of the window for a few seconds. With a topic it replaces the
 * earlier one of this topic, which is no longer true.
 */
export type ShowToast = (message: string, topic?: 'subscription') => void;

const Toasts = createContext<ShowToast>(() => undefined);

export const useToast = (): ShowToast => use(Toasts);

const SHOWN_MS = 8000;

/** Outside the pages, so that a toast survives a change of the user or the workspace. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { readonly message: string; readonly topic?: string }[]>([]);
  const [showToast] = useState((): ShowToast => (message, topic) => {
    const toast = { message, topic };
    setToasts((all) => [...all.filter((other) => !topic || other.topic !== topic), toast]);
    setTimeout(() => setToasts((all) => all.filter((other) => other !== toast)), SHOWN_MS);
  });
  return (
    <Toasts value={showToast}>
      {children}
      <Stack
        role="status"
        spacing={1}
        sx={{
          position: 'fixed',
          zIndex: 'snackbar',
          bottom: 16,
          left: 16,
          right: 16,
          alignItems: 'center',
          pointerEvents: 'none',
        }}
      >
        {toasts.map(({ message }, index) => (
          <SnackbarContent
            key={`${index} ${message}`}
            message={message}
            role="presentation"
            sx={{ overflowWrap: 'anywhere', pointerEvents: 'auto' }}
          />
        ))}
      </Stack>
    </Toasts>
  );
}
