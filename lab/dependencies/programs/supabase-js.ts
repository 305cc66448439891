import { createClient } from '@supabase/supabase-js'

export async function send(url: string): Promise<void> {
  const client = createClient(url, 'key', { auth: { persistSession: false } })
  await client
    .schema('askback')
    .rpc('finish_run', { p_run_id: 'r1', p_result: { status: 'completed' } })
    .throwOnError()
}
