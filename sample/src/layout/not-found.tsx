import { Button } from '@mui/material';
import { Link } from 'react-router';
import { Page, Section } from './page';

/** What is said about an address that does not exist. */
export const PAGE_NOT_FOUND = {
  title: 'Page not found',
  text: 'The link may be wrong, or the page was moved.',
  to: '/',
  label: 'Back to the start page',
};

/** Shown for an address or an id that does not exist, with a link that leads on. */
export function NotFound(texts: Partial<typeof PAGE_NOT_FOUND>) {
  const { title, text, to, label } = { ...PAGE_NOT_FOUND, ...texts };
  return (
    <Page title={title}>
      <Section text={text}>
        <Button variant="contained" component={Link} to={to}>
          {label}
        </Button>
      </Section>
    </Page>
  );
}
