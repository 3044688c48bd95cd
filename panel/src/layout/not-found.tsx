import { Button, Typography } from '@mui/material';
import { Link } from 'react-router';
import { PageHeader } from '../components/page-header';

/** An address that leads nowhere. */
export const NotFound = () => (
  <>
    <PageHeader title="There is no such page" />
    <Typography sx={{ mb: 2 }}>The address may be mistyped, or from an older version of the panel.</Typography>
    <Button component={Link} to="/" variant="outlined">
      To the overview
    </Button>
  </>
);
