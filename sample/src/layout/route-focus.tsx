import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * After a navigation, moves the keyboard focus from the link that led here to the new page, and
 * scrolls to its top. A field that has taken the focus itself keeps it.
 */
export function RouteFocus() {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    const main = document.querySelector<HTMLElement>('main');
    if (main?.contains(document.activeElement) && document.activeElement !== main) return;
    main?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [pathname]);
  return null;
}
