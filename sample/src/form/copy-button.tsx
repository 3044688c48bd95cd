import Check from '@mui/icons-material/Check';
import Copy from '@mui/icons-material/ContentCopyOutlined';
import { Button, type ButtonProps } from '@mui/material';
import { useState } from 'react';

const SHOWN_MS = 3000;

interface CopyButtonProps extends Pick<ButtonProps, 'variant' | 'autoFocus'> {
  readonly label: string;
  readonly text: string;
}

/** A button that copies a text, and says so. */
export function CopyButton({ label, text, variant, autoFocus }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  if (!window.isSecureContext) return null; // elsewhere there is no clipboard
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <Button
      {...{ variant, autoFocus }}
      size="small"
      startIcon={isCopied ? <Check /> : <Copy />}
      onClick={() => {
        void copy();
      }}
    >
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
