import postgres from 'postgres'
import { demoEmail } from '../local/demo/demo-user.ts'

/** Most tests are about something else than the approval of each mail. What somebody has chosen stays. */
export async function letDemoAgentSend(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`
      insert into askback.agent_tool_permissions (agent_id, tool_name, approval)
      select agent.id, tool.name, 'never'
      from askback.agents agent join auth.users on users.id = agent.user_id, askback.tools tool
      where users.email = ${demoEmail} and tool.name in ('smtp_send_email', 'gmail_send_email')
      on conflict do nothing`
  } finally {
    await sql.end({ timeout: 5 })
  }
}
