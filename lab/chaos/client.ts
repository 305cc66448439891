import { pause } from '../../support/slow-mail-server.ts'
import type { Ask, Person } from './person.ts'
import type { Client } from './scenario.ts'

/** Sends the person's requests as its kind of client does; resolves when it waits for nothing more. */
export async function act(client: Client, person: Person, ask: Ask): Promise<void> {
  switch (client) {
    case 'double click':
      await Promise.all([person.send(ask), person.send(ask)])
      break
    case 'times out':
      for (let times = 1; times <= 3; times++) await person.send(ask, 1_500)
      await person.send(ask)
      break
    case 'drops the socket':
      await person.send(ask, 400)
      await pause(500)
      break
    case 'two tabs':
      await Promise.all([person.send(ask), person.send(person.click(ask))])
      break
    case 'has links': {
      const links = await person.links(['Ben', 'Eva'])
      await Promise.all([ask, ...links].map((one) => person.send(one)))
      break
    }
    case 'has a link': {
      const [link = ask] = await person.links(['Ben'])
      for (let times = 1; times <= 3; times++) {
        await person.send(link, 700)
        await pause(300)
      }
      await person.send(link)
      break
    }
    case 'types too':
      await Promise.all([person.send(ask), pause(50).then(() => person.send(person.typed()))])
  }
}
