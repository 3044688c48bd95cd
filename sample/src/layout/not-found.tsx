import { Button } from '@mui/material';
import { Link } from 'react-router';
import { Page, Section } from './page';

/** Shown for an address or an id that does not exist, with a link that leads on. */
export const NotFound = ({
  title = 'Page not found',
  text = 'The link may be wrong, or the page was moved.',
  to = '/',
  label = 'Back to the start page',
}) => (
  <Page title={title}>
    <Section text={text}>
      <Button variant="contained" component={Link} to={to}>
        {label}
      </Button>
    </Section>
  </Page>
);
