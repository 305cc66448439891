/**
 * Why a run is stopped, as the reason of its signal: its process was silent for longer than its lease, and something else
 * has taken its place. Nobody is told what it says then.
 */
export const lost = new DOMException('The run goes on elsewhere.', 'AbortError')
