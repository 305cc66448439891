/**
 * How a function that browsers call is served: JSON and text are compressed if the client accepts it, event streams
 * never (1,000 messages, in pages of 100: 636 kB become 66 kB). Hosted Supabase and Deno 2.1 do this automatically;
 * Deno 2.9 only if told to. On Supabase, PostgREST's answers are compressed by the proxy in front of it.
 */
export const serving = { automaticCompression: true }
