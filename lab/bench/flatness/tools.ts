import type { ChatUser } from '../../../support/chat-user.ts'
import { takeTurn } from '../measured-turn.ts'
import type { Growth } from './growth.ts'

const sizes = [20, 100, 500]
const usersEach = 8
const catalogue = Array.from({ length: 500 }, (_, number) => ({
  name: `crm_report_${number}`,
  description: `Makes report ${number} of the customer list, with a row for each customer and a column for each month.`,
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      from: { type: 'string', format: 'date', description: 'The first day that the report is about.' },
      to: { type: 'string', format: 'date', description: 'The last day that the report is about.' },
      region: { type: 'string', maxLength: 100, description: 'Only customers of this region.' },
    },
    required: ['from', 'to'],
    additionalProperties: false,
  },
}))

/**
 * A turn of an agent to which so many tools of the catalogue are given, one by one, and of one that may use all. The
 * definitions of 100 are just short enough that a model is told all of them.
 */
export const tools: Growth = {
  name: 'tools of the agent',
  async open(openPlace) {
    const groups = [
      ...sizes.map((size) => ({ size, access: 'listed' })),
      { size: catalogue.length, access: 'all' },
    ]
    const place = await openPlace(groups.length * usersEach)
    const usersOf = (index: number) => place.users.slice(index * usersEach, (index + 1) * usersEach)
    await place.fill(async (sql) => {
      await sql`delete from askback.tools`
      await sql`
        insert into askback.tools (name, source, function, action, approval, specification, position)
        select one ->> 'name', 'project', 'crm-api', 'report', 'never', one, number
        from json_array_elements(${sql.json(catalogue)}::json) with ordinality given (one, number)`
      // Triggers are off.
      await sql`update askback.catalogue set version = gen_random_uuid()`
      await sql`delete from askback.agent_tool_permissions`
      for (const [index, { size, access }] of groups.entries()) {
        const ids = usersOf(index).map(({ id }) => id)
        await sql`update askback.agents set tool_access = ${access} where user_id = any (${ids})`
        await sql`
          insert into askback.agent_tool_permissions (agent_id, tool_name)
          select a.id, t.name from askback.agents a
          join askback.tools t on t.position <= ${size}
          where a.user_id = any (${ids}) and a.tool_access = 'listed'`
      }
    })
    return groups.map(({ size, access }, index) => ({
      name: access === 'all' ? `all ${size}` : String(size),
      chat: place.chat,
      takeTurn: (number) => takeTurn(place.chat, usersOf(index)[number % usersEach] as ChatUser),
    }))
  },
}
