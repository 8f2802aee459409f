/* Work that is asked for more often than it can be done. No elements here. */

/** Return a function that does `work`, but never twice at once: calls while it runs cause one more run after it.

    So an older answer never replaces a newer one. */
export function coalesced(work) {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isDue) {
        isDue = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}
