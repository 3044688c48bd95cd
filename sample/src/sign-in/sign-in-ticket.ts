import type { Schemas } from '@tenantry/client';
import { useNavigate } from 'react-router';
import { tabStorage } from '../tab-storage';

type Ticket = Schemas['TicketView'];

/** A sign-in that waits for its second factor. */
export interface SignInTicket extends Pick<Ticket, 'ticket' | 'methods'> {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const stored = tabStorage('sign-in-ticket');
/** For browsers that block storage. */
let current: SignInTicket | undefined;

/**
 * The ticket of the sign-in in this tab. It is kept over reloads: a phone may discard the page
 * while the authenticator app is open. Without the second factor it is of no use.
 */
export const signInTicket = {
  /** @returns undefined without a ticket, or if it has expired */
  read: (): SignInTicket | undefined => {
    const ticket = (JSON.parse(stored.read() ?? 'null') as SignInTicket | null) ?? current;
    return ticket && ticket.expiresAt > Date.now() ? ticket : undefined;
  },
  write: ({ ticket, methods, expiresIn }: Ticket): void => {
    current = { ticket, methods, expiresAt: Date.now() + expiresIn * 1000 };
    stored.write(JSON.stringify(current));
  },
  remove: (): void => {
    current = undefined;
    stored.remove();
  },
};

/** The address of the second step of a sign-in. @param to the page to open afterwards */
export const secondFactorPath = (to: string): string => `/second-factor?to=${encodeURIComponent(to)}`;

/** @returns a function that leads to the second step of a sign-in, and then to the page `to` */
export function useSecondFactorStep(): (needed: Schemas['SecondFactorNeeded'], to: string) => void {
  const navigate = useNavigate();
  return ({ secondFactor }, to) => {
    signInTicket.write(secondFactor);
    void navigate(secondFactorPath(to));
  };
}
