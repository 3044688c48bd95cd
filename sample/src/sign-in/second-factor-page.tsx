import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ExpiredSignIn } from './expired-sign-in';
import { useReturnPath } from './return-path';
import { SecondFactorStep } from './second-factor-step';
import { signInTicket } from './sign-in-ticket';

/** The second step of a sign-in, after a password, an emailed link, a provider or an invitation. */
export function SecondFactorPage() {
  const [ticket, setTicket] = useState(signInTicket.read);
  const to = useReturnPath();
  const navigate = useNavigate();
  useEffect(() => {
    if (!ticket) return;
    const timer = setTimeout(() => setTicket(undefined), ticket.expiresAt - Date.now());
    return () => clearTimeout(timer);
  }, [ticket]);
  if (!ticket) return <ExpiredSignIn />;
  const startAgain = () => {
    signInTicket.remove();
    setTicket(undefined);
  };
  const finish = () => {
    signInTicket.remove();
    void navigate(to, { replace: true });
  };
  return <SecondFactorStep ticket={ticket} onDone={finish} onInvalid={startAgain} />;
}
