import { randomUUID } from 'node:crypto'
import { type DatabaseCalls, numbered, question, userMessage } from './database-calls.ts'
import { DatabaseConversation } from './database-conversation.ts'

/** Rows that no call of ours makes alone: by table, what stands in one of them. */
const rest = (user: string, ids: { agent: string; connection: string; run: string; server: string }) => ({
  agent_llm_preferences: { agent_id: ids.agent, model: 'gpt-5' },
  agent_tool_permissions: {
    agent_id: ids.agent,
    tool_name: 'smtp_send_email',
    connection_id: ids.connection,
  },
  budget_notices: {
    user_id: user,
    scope: 'user',
    measure: 'tokens',
    per: 'day',
    starts_at: new Date(),
    run_id: ids.run,
  },
  llm_usage: { user_id: user, run_id: ids.run, sequence: 999, provider: 'openai', model: 'gpt-5' },
  deleted_runs: { user_id: user, started_at: new Date() },
  copied_chats: { user_id: user, conversation_id: 'copy', original_id: 'original' },
  oauth_flows: {
    id: randomUUID(),
    user_id: user,
    provider: 'gmail',
    scopes: [],
    return_to: '/',
    verifier: {},
    expires_at: new Date(Date.now() + 600_000),
  },
  oauth_grants: {
    connection_id: ids.connection,
    server: 'https://accounts.google.com',
    subject: 'ada',
    access_expires_at: new Date(),
  },
  operators: { user_id: user },
  server_flows: {
    id: randomUUID(),
    user_id: user,
    return_to: '/',
    flow: {},
    expires_at: new Date(Date.now() + 600_000),
  },
  server_grants: {
    user_id: user,
    server: 'https://mcp.example.com/',
    issuer: 'https://example.com',
    ciphertext: 'cipher',
    key_id: 'k1',
    version: 1,
    access_hash: 'hash',
  },
  mcp_servers: {
    id: ids.server,
    user_id: user,
    name: 'linear',
    url: 'https://mcp.example.com/',
    status: 'ready',
  },
  mcp_tools: {
    server_id: ids.server,
    user_id: user,
    foreign_name: 'create_issue',
    name: 'linear__create_issue',
    accepted: {},
    hash: 'hash',
    position: 1,
  },
  client_calls: {
    user_id: user,
    conversation_id: 'parked',
    grant_key: 'token:1',
    client_name: 'Codex',
    tool_name: 'smtp_send_email',
    call_print: 'smtp_send_email {}',
  },
  declined_calls: { user_id: user, call_print: 'smtp_send_email {}' },
  pushed_requests: { id: randomUUID(), user_id: user, grant_key: 'token:1' },
  readers: { user_id: user, time_zone: 'Europe/Berlin', language: 'de' },
  streams: { id: randomUUID(), user_id: user, ends_at: new Date(Date.now() + 600_000) },
})

/**
 * A user with something in every table: conversations with a mail that went, an approval, a run that waits for the clock
 * and one that works, files in the table and in Storage, documents, connections, tokens, permissions.
 */
export async function createWholeUser(db: DatabaseCalls): Promise<string> {
  const user = await db.createUser()
  const chat = new DatabaseConversation(db, user)
  const first = await chat.exchangeWithMail('m1', 'Write to Ada.')
  await chat.awaitApproval('m2')
  const agent: string = first.agent.id
  const parked = await db.postUi(user, { conversationId: 'parked', messages: [userMessage('u1', 'Search')] })
  await db.finish(parked.runId, {
    status: 'waiting',
    entries: numbered([question({ kind: 'wait', resumeAt: new Date().toISOString() })]),
  })
  await db.service`
    insert into woken_items (user_id, conversation_id, item_id)
    select user_id, conversation_id, id from open_items where user_id = ${user} and kind = 'wait'`
  const working = await db.postUi(user, {
    conversationId: 'working',
    messages: [userMessage('u1', 'Search')],
  })
  const claim = await db.claim(working.runId)
  await db.service`
    insert into parked_questions (invocation_id, user_id, conversation_id, tool_call_id, parked)
    select id, user_id, conversation_id, tool_call_id, '{"requests":{}}'
    from tool_executions where id = ${claim.invocationId}`

  const connection = randomUUID()
  const secrets = [{ field: 'password', ciphertext: 'cipher', keyId: 'k1', version: 1 }]
  await db.call('store_connection', user, { id: connection, provider: 'smtp', secrets })
  await db.call('create_api_token', user, {
    id: randomUUID(),
    name: 'Laptop',
    hash: randomUUID(),
    prefix: 'askb_1',
  })
  await db.call('make_mcp_grant', user, {
    clientId: randomUUID(),
    clientName: 'An editor',
    agentId: agent,
    tools: ['smtp_send_email'],
    forms: false,
  })
  await db.call('add_permission', user, {
    agentId: agent,
    toolName: 'smtp_send_email',
    path: 'to',
    pattern: 'ada@example.com',
    max: 5,
    per: 'day',
  })
  const { schedule } = await db.call('add_schedule', user, {
    message: 'Hello',
    cron: '0 9 * * *',
    timeZone: 'UTC',
    missed: 'run',
    nextAt: '2099-01-01T09:00:00Z',
  })
  await db.call('note_schedule_time', schedule.id, {
    dueAt: new Date().toISOString(),
    messageId: 'scheduled-1',
    outcome: 'begun',
    runId: first.runId,
  })
  const { documentId } = await db.call('create_document', user, 'k1', 'Notes', 'one')
  await db.call('change_document', user, 'k2', documentId, { append: 'two' })
  const [file] = await db.service`
    insert into files ${db.service([
      { ...aFile(user, 'a.txt'), content: Buffer.from('a'), object: null },
      { ...aFile(user, 'b.txt'), content: null, object: `${user}/b.txt` },
    ] as never[])} returning id`
  await db.service`
    insert into message_files (user_id, conversation_id, message_id, file_id)
    values (${user}, ${chat.id}, 'm1', ${file?.id})`
  const [waiting] = await db.service`
    select id, conversation_id from open_items where user_id = ${user} and kind = 'approval' and closed_at is null`
  const link = { id: randomUUID(), itemId: waiting?.id, hash: randomUUID(), decides: false, seconds: 60 }
  await db.call('create_item_link', link, user)
  const [group] =
    await db.service`insert into groups (name) values (${`Finance ${randomUUID()}`}) returning id`
  await db.service`insert into group_members (group_id, user_id) values (${group?.id}, ${user})`
  await db.service`insert into tool_approvers (tool_name, agent_id, who, group_id) values ('smtp_send_email', ${agent}, 'both', ${group?.id})`
  await db.service`insert into approvals ${db.service({ user_id: user, conversation_id: waiting?.conversation_id, item_id: waiting?.id, part: 'group', tool_call_id: 'call', approver_id: user, name: 'Ada', group_id: group?.id } as never)}`
  await db.service`
    insert into bell_key (modulus, sealed) values (${'f'.repeat(512)}, 'sealed:') on conflict do nothing`
  const [destination] = await db.service`
    insert into on_open (url, secret) values (${`https://app.example.com/${randomUUID()}`}, 'a secret') returning id`
  await db.service`insert into rings ${db.service({ on_open_id: destination?.id, user_id: user, conversation_id: waiting?.conversation_id, item_id: waiting?.id, type: 'opened' } as never)}`
  await db.call('change_digest_setting', user, 5)
  const [digest] = await db.service`insert into digests (user_id) values (${user}) returning id`
  await db.service`insert into digest_items ${db.service({ reader_id: user, user_id: user, conversation_id: waiting?.conversation_id, item_id: waiting?.id, digest_id: digest?.id } as never)}`
  await db.call('rate_message', user, chat.id, first.messageId, 'good')
  await db.service`insert into usage ${db.service({ user_id: user, agent_id: agent, hour: new Date(), model_calls: 1, tokens: 1, cost_usd: 0 } as never)}`
  const ids = { agent, connection, run: first.runId, server: randomUUID() }
  for (const [table, row] of Object.entries(rest(user, ids))) {
    await db.service`insert into ${db.service(table)} ${db.service(row as never)}`
  }
  const limit = { scope: 'user', subject: user, measure: 'runs', per: 'hour', value: 5 }
  await db.call('change_limit', { id: randomUUID(), operatorId: user }, limit)
  return user
}

function aFile(user: string, filename: string) {
  return {
    id: randomUUID(),
    user_id: user,
    filename,
    media_type: 'text/plain',
    size: 1,
    sha256: '0'.repeat(64),
  }
}
