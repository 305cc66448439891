/**
 * Why a run is stopped, as the reason of its signal: its user has written again, and another run goes on. Any other
 * reason, except `lost`, means that somebody has stopped it.
 */
export const overtaken = new DOMException('The user has written again.', 'AbortError')
