import Copy from '@mui/icons-material/ContentCopyOutlined';
import { IconButton, Tooltip } from '@mui/material';
import type { MouseEvent } from 'react';
import { useNotify } from 'react-admin';

/**
 * A button that copies a value. In a row that is a link itself, the link is not followed.
 * @param name what is copied: "Email"
 */
export const CopyButton = ({ name, value }: { name: string; value: string }) => {
  const notify = useNotify();
  if (!window.isSecureContext) return null; // elsewhere there is no clipboard
  const copy = async (event: MouseEvent) => {
    event.stopPropagation();
    event.preventDefault();
    await navigator.clipboard.writeText(value);
    notify(`${name} copied.`, { type: 'info' });
  };
  return (
    <Tooltip title="Copy">
      <IconButton
        aria-label={`Copy ${name}`}
        size="small"
        className="copy-button"
        sx={{ my: -0.75, ml: 0.25, color: 'text.secondary' }}
        onClick={(event) => {
          void copy(event);
        }}
      >
        <Copy sx={{ fontSize: 15 }} />
      </IconButton>
    </Tooltip>
  );
};
