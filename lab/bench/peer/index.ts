/**
 * The function that a team would write without us: Hono, ai and supabase-js with the user's JWT, two tables under RLS, our
 * catalogue's tools. It stores the user's message, reads the conversation, streams the answer and stores it.
 */
// @ts-nocheck The type check of the scripts has no Deno, and lab/bench/ has packages of its own.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createClient } from '@supabase/supabase-js'
import { convertToModelMessages, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { Hono } from 'hono'

const env = (name) => Deno.env.get(name)
const model = createOpenAICompatible({
  name: 'stub',
  baseURL: env('OPENAI_BASE_URL'),
  apiKey: env('OPENAI_API_KEY'),
})(env('OPENAI_MODEL'))
const specifications = JSON.parse(Deno.readTextFileSync(env('PEER_TOOLS')))
const tools = Object.fromEntries(
  specifications.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute: () => ({ ok: true }) }),
  ]),
)
const system = 'You help the user with their mail, documents and the web.'
const historyMessages = 40

const app = new Hono()
app.post('/chat', async (c) => {
  const supabase = createClient(env('SUPABASE_URL'), env('SUPABASE_ANON_KEY'), {
    global: { headers: { Authorization: c.req.header('authorization') } },
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  })
  const { id, messages } = await c.req.json()
  const message = messages.at(-1)
  const check = ({ error, data }) => {
    if (error) throw new Error(error.message)
    return data
  }
  check(await supabase.from('peer_chats').upsert({ id }, { onConflict: 'id', ignoreDuplicates: true }))
  check(
    await supabase
      .from('peer_messages')
      .insert({ id: message.id, chat_id: id, role: 'user', parts: message.parts }),
  )
  const stored = check(
    await supabase
      .from('peer_messages')
      .select('id, role, parts')
      .eq('chat_id', id)
      .order('position', { ascending: false })
      .limit(historyMessages),
  )
  const result = streamText({
    model,
    system,
    messages: await convertToModelMessages(stored.reverse()),
    tools,
    stopWhen: stepCountIs(10),
  })
  result.consumeStream()
  return result.toUIMessageStreamResponse({
    originalMessages: stored,
    generateMessageId: () => crypto.randomUUID(),
    onFinish: async ({ responseMessage: { id: answerId, role, parts } }) => {
      check(await supabase.from('peer_messages').insert({ id: answerId, chat_id: id, role, parts }))
    },
  })
})

Deno.serve(app.fetch)
