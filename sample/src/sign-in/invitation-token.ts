import { useEffect } from 'react';
import { useMatch } from 'react-router';
import { tabStorage } from '../tab-storage';
import { useReturnPath } from './return-path';

/** The path of the page of an invitation. */
export const INVITATION = '/invitation';

/**
 * The token of the invitation that is open in this tab: kept over reloads, and while the user signs
 * in.
 */
export const invitationToken = tabStorage('invitation');

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
