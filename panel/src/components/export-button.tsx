import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import { Button } from '@mui/material';
import { useState } from 'react';
import { useListContext, useNotify, type RaRecord } from 'react-admin';
import { downloadCsv } from '../csv-download';
import { queryOf } from '../data-provider';
import { errorNoticeOf } from '../error-message';

/** Saves all rows of the list that match its filters as a CSV file. */
export const ExportButton = () => {
  const list = useListContext<RaRecord>();
  const [isBusy, setIsBusy] = useState(false);
  const notify = useNotify();
  const save = async () => {
    setIsBusy(true);
    try {
      const isWhole = await downloadCsv(list.resource, queryOf(list.filterValues as Record<string, unknown>));
      if (isWhole) notify('File saved.', { type: 'success' });
      else notify('File saved without the oldest rows. Use filters to export them.', { type: 'warning' });
    } catch (error) {
      notify(errorNoticeOf(error), { type: 'error' });
    }
    setIsBusy(false);
  };
  return (
    <Button
      variant="outlined"
      startIcon={<DownloadIcon />}
      loading={isBusy}
      loadingPosition="start"
      disabled={list.data?.length === 0}
      onClick={() => {
        void save();
      }}
    >
      Export CSV
    </Button>
  );
};
