import type { ChatUser } from '../../../support/chat-user.ts'
import { takeTurn } from '../measured-turn.ts'
import type { Growth } from './growth.ts'
import { storeConversations, storedConversation } from './stored.ts'

const sizes = [10, 1000, 10_000]
const usersEach = 8

/** A turn in a conversation that has so many messages already. A short one grows by a turn, so each has only one. */
export const messages: Growth = {
  name: 'messages of the conversation',
  async open(openPlace, turns) {
    const place = await openPlace(sizes.length * usersEach)
    const groups = sizes.map((size, index) => ({
      size,
      users: place.users.slice(index * usersEach, (index + 1) * usersEach),
      count: size < 1000 ? Math.ceil(turns / usersEach) : 1,
    }))
    await place.fill(async (sql) => {
      for (const { size, users, count } of groups) {
        const ids = users.map(({ id }) => id)
        await storeConversations(sql, ids, { count, messages: size })
      }
    })
    return groups.map(({ size, users, count }) => ({
      name: size.toLocaleString('en'),
      chat: place.chat,
      takeTurn(number) {
        const user = users[number % usersEach] as ChatUser
        return takeTurn(place.chat, user, storedConversation(Math.floor(number / usersEach) % count))
      },
    }))
  },
}
