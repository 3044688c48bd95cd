import { useEffect } from 'react';
import { useMatch } from 'react-router';
import { tabStorage } from '../tab-storage';
import { useReturnPath } from './return-path';

/** The path of the page of an invitation. */
export const INVITATION = '/invitation';

const token = tabStorage('invitation');

/**
 * The invitation that the user has asked to join before the second step of the sign-in. Only this
 * page writes it: a link cannot make anybody join.
 */
export const confirmedInvitation = tabStorage('confirmed-invitation');

/**
 * The token of the invitation that is open in this tab: kept over reloads, and while the user signs
 * in.
 */
export const invitationToken = {
  ...token,
  remove: (): void => {
    token.remove();
    confirmedInvitation.remove();
  },
};

/**
 * Removes the token when the visitor is on another page than those that lead back to the
 * invitation, such as after signing out. The next person at this tab must not join in the name of
 * the invited one.
 */
export function InvitationTokenCleanup() {
  const isOpen = useMatch(INVITATION) !== null;
  const isSigningIn = useReturnPath() === INVITATION;
  useEffect(() => {
    if (!isOpen && !isSigningIn) invitationToken.remove();
  }, [isOpen, isSigningIn]);
  return null;
}
