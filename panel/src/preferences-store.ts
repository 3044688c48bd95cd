import { localStorageStore, memoryStore, type Store } from 'react-admin';

/** The key under which react-admin keeps whether the sidebar is open. */
const SIDEBAR = 'sidebar.open';

/** Below this width the sidebar is a drawer over the page: MUI's breakpoint `sm`. */
const NARROW = window.matchMedia('(max-width:599.95px)');

/**
 * Where react-admin keeps the operator's choices: in the browser. The drawer of a narrow window is
 * kept separately and starts closed, whatever was chosen for the sidebar of a wide window.
 */
export function createPreferencesStore(): Store {
  const kept = localStorageStore('1', 'panel');
  const drawer = memoryStore({ [SIDEBAR]: false });
  const storeOf = (key: string) => (key === SIDEBAR && NARROW.matches ? drawer : kept);
  return {
    ...kept,
    setup: () => {
      kept.setup();
      drawer.setup();
    },
    teardown: () => {
      kept.teardown();
      drawer.teardown();
    },
    getItem: (key, otherwise) => storeOf(key).getItem(key, otherwise),
    setItem: (key, value) => storeOf(key).setItem(key, value),
    subscribe: (key, callback) => {
      if (key !== SIDEBAR) return kept.subscribe(key, callback);
      const onResize = () => callback(storeOf(key).getItem(key, !NARROW.matches));
      NARROW.addEventListener('change', onResize);
      const unsubscribes = [kept.subscribe(key, callback), drawer.subscribe(key, callback)];
      return () => {
        NARROW.removeEventListener('change', onResize);
        unsubscribes.forEach((unsubscribe) => unsubscribe());
      };
    },
  };
}
