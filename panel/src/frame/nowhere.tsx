import { Button, Typography } from '@mui/material';
import { Link } from 'react-router';
import { Heading } from '../parts/heading';

/** An address that leads nowhere. */
export const Nowhere = () => (
  <>
    <Heading title="There is no such page" />
    <Typography sx={{ mb: 2 }}>The address may be mistyped, or from an older version of the panel.</Typography>
    <Button component={Link} to="/" variant="outlined">
      To the overview
    </Button>
  </>
);
