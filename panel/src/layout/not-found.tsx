import { Button, Typography } from '@mui/material';
import { Link } from 'react-router';
import { PageHeader } from '../components/page-header';

/** The page for an address that does not exist. */
export const NotFound = () => (
  <>
    <PageHeader title="Page not found" />
    <Typography sx={{ mb: 2 }}>The address may be mistyped, or from an older version of the panel.</Typography>
    <Button component={Link} to="/" variant="outlined">
      Go to overview
    </Button>
  </>
);
