import Copy from '@mui/icons-material/ContentCopyOutlined';
import { Box, IconButton, Tooltip } from '@mui/material';
import { useNotify } from 'react-admin';
import { Field } from './field-list';

/** A field with an ID, on a line of its own, and a button that copies it. */
export const IdField = ({ name, id }: { name: string; id: string | null }) => {
  const notify = useNotify();
  const copy = async () => {
    await navigator.clipboard.writeText(id!);
    notify(`${name} copied.`, { type: 'info' });
  };
  return (
    <Field name={name} isWide>
      {id && (
        <Box component="span" sx={{ fontFamily: 'monospace', fontSize: '0.8125rem' }}>
          {id}
          {window.isSecureContext && ( // elsewhere there is no clipboard
            <Tooltip title="Copy">
              <IconButton
                aria-label={`Copy ${name}`}
                size="small"
                sx={{ my: -0.75, ml: 0.5 }}
                onClick={() => {
                  void copy();
                }}
              >
                <Copy sx={{ fontSize: 16 }} />
              </IconButton>
            </Tooltip>
          )}
        </Box>
      )}
    </Field>
  );
};
