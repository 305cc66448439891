/**
 * How a function that browsers call is served: JSON and texts are compressed for whoever accepts that, streams of events
 * never (1,000 messages, in pages of 100: 636 kB as 66 kB). The runtime of hosted Supabase, like Deno 2.1, does so by
 * itself; Deno 2.9 only where it is told. What PostgREST answers is compressed by what stands before it there.
 */
export const serving = { automaticCompression: true }
