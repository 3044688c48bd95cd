import { Navigate } from 'react-router';
import { usePlaces } from './navigation';

/** The first place where one's role leads to. */
export default function Home() {
  return <Navigate to={usePlaces()[0]?.to ?? '/account'} replace />;
}
