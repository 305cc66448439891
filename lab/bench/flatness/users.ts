import type { ChatUser } from '../../../support/chat-user.ts'
import { takeTurn } from '../measured-turn.ts'
import type { Growth, Size } from './growth.ts'
import { storeConversations } from './stored.ts'

const sizes = [10, 10_000, 100_000]
const writing = 8

/** A turn in a new conversation beside so many users, each with an agent and a conversation of two turns. */
export const users: Growth = {
  name: 'users of the project',
  async open(openPlace) {
    const opened: Size[] = []
    for (const size of sizes) {
      const place = await openPlace(writing)
      await place.fill(async (sql) => {
        const others = await sql`
          insert into auth.users (id, email) select gen_random_uuid(), n || '@example.org'
          from generate_series(1, ${size - writing}::integer) n
          returning id`
        const ids = others.map(({ id }) => String(id))
        await sql`
          insert into askback.agents (user_id, name, instructions, tool_access)
          select id, 'Mail agent', 'You send email for the user.', 'all' from unnest(${ids}::uuid[]) id`
        await storeConversations(sql, ids, { count: 1, messages: 4 })
      })
      opened.push({
        name: size.toLocaleString('en'),
        chat: place.chat,
        takeTurn: (number) => takeTurn(place.chat, place.users[number % writing] as ChatUser),
      })
    }
    return opened
  },
}
