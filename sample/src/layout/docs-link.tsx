import { Link } from '@mui/material';

/** A link to the documentation of the API. @param topic operations, as they are grouped there */
export const DocsLink = ({ topic }: { topic: string }) => (
  <Link href={`/docs#/${topic}`} target="_blank" rel="noopener">
    Documentation
  </Link>
);
