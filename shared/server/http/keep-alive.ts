declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined

/** Keeps the process until this is over, where the platform ends idle ones: on Supabase. */
export function keepAlive(work: Promise<unknown>): void {
  if (typeof EdgeRuntime !== 'undefined') EdgeRuntime?.waitUntil(work)
}
