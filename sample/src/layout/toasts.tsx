import { SnackbarContent, Stack } from '@mui/material';
import { createContext, type ReactNode, use, useState } from 'react';

/** Says something in passing. */
export type ShowToast = (sentence: string) => void;

const Toasts = createContext<ShowToast>(() => undefined);

export const useToast = (): ShowToast => use(Toasts);

const SHOWN_MS = 8000;

/** Outlives a change of person or tenant, so that something can be said about that, too. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<readonly { readonly sentence: string }[]>([]);
  const [showToast] = useState(() => (sentence: string) => {
    const one = { sentence };
    setSaid((others) => [...others, one]);
    setTimeout(() => setSaid((all) => all.filter((other) => other !== one)), SHOWN_MS);
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
        {said.map(({ sentence }, index) => (
          <SnackbarContent
            key={`${index} ${sentence}`}
            message={sentence}
            role="presentation"
            sx={{ overflowWrap: 'anywhere', pointerEvents: 'auto' }}
          />
        ))}
      </Stack>
    </Toasts>
  );
}
