import { byWhy, type Mentioned, type None, type OneOf, type Reading, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'

/** How many there may be. */
export interface Limit {
  limit: number
}
export interface Rates {
  files: None
  streams: None
  links: None
  runs_at_once: Limit
  runs: Limit & { per: string }
  mcp_calls: Limit & { per: string }
  /** What is said of a budget. */
  budget: { said: Mentioned }
  other: Limit
}
export interface Kept {
  files: None
  tokens: Limit
  grants: Limit
  connections: Limit
  servers: Limit
  permissions: Limit
  conversations: Limit
  other: Limit
}

export interface LimitRefusals {
  rate_limited: OneOf<Rates>
  limit_reached: OneOf<Kept>
}

const inEnglish = ({ limit }: Limit) => limit.toLocaleString('en')
const inGerman = ({ limit }: Limit) => limit.toLocaleString('de')
const other = (limit: Limit) => `You’ve reached your limit of ${limit.limit}.`
const spans: Readonly<Record<string, string>> = { minute: 'Minute', hour: 'Stunde', day: 'Tag' }
const budget = ({ said }: Rates['budget'], { say }: Reading) => say(said)

/** Limits that are reached. */
export const limitRefusals = {
  en: {
    rate_limited: byWhy<Rates>({
      files: 'That’s too many files in one minute. Wait a minute, then send this again.',
      streams: 'Too many answers are open in your other windows. Close some, then try again.',
      links: 'Too many links that lead to nothing were tried. Wait a minute, then try again.',
      runs_at_once: (limit) =>
        `You’ve reached your limit for answers at the same time (${inEnglish(limit)}). Wait for one of them, or stop one.`,
      runs: (limit) =>
        `You’ve reached your limit for new answers (${inEnglish(limit)} per ${limit.per}). Wait a little, then try again.`,
      mcp_calls: (limit) =>
        `Your programs have reached their limit for calls (${inEnglish(limit)} per ${limit.per}). Wait a little, then try again.`,
      budget,
      other,
    }),
    limit_reached: byWhy<Kept>({
      files:
        'You keep as many files as you may. Delete conversations whose files you no longer need, then send this again.',
      tokens: ({ limit }) =>
        `You’ve reached your limit for tokens (${limit}). Revoke one that you no longer use.`,
      grants: ({ limit }) =>
        `You’ve reached your limit for connected apps (${limit}). Revoke one that you no longer use.`,
      connections: ({ limit }) =>
        `You’ve reached your limit for connections (${limit}). Delete one that you no longer use.`,
      servers: ({ limit }) =>
        `There are as many servers as there may be (${limit}). Remove one that is no longer used.`,
      permissions: (limit) =>
        `You’ve reached your limit for standing permissions (${inEnglish(limit)}). Revoke some of them first.`,
      conversations: (limit) =>
        `You’ve reached your limit for conversations (${inEnglish(limit)}). Delete some of them first.`,
      other,
    }),
  } satisfies Refuses<LimitRefusals>,

  de: ({ say }: GermanAddress): Refuses<LimitRefusals> => {
    const delete_ = say('Lösche', 'Löschen Sie')
    const revoke = say('Widerrufe', 'Widerrufen Sie')
    const mostAre = (limit: Limit, what: string) =>
      `Mehr als ${inGerman(limit)} ${what} ${say('kannst du', 'können Sie')} nicht haben.`
    const reached = (limit: Limit) => `${say('Deine', 'Ihre')} Grenze von ${inGerman(limit)} ist erreicht.`
    return {
      rate_limited: byWhy<Rates>({
        files: `Das waren zu viele Dateien in einer Minute. ${say('Warte eine Minute, und sende', 'Warten Sie eine Minute, und senden Sie')} es dann noch einmal.`,
        streams: `In ${say('deinen', 'Ihren')} anderen Fenstern sind zu viele Antworten offen. ${say('Schließe einige, und versuche', 'Schließen Sie einige, und versuchen Sie')} es dann noch einmal.`,
        links: `Es wurden zu viele Links versucht, die ins Leere führen. ${say('Warte eine Minute, und versuche', 'Warten Sie eine Minute, und versuchen Sie')} es dann noch einmal.`,
        runs_at_once: (limit) =>
          `Es entstehen schon so viele Antworten gleichzeitig, wie ${say('du haben darfst', 'Sie haben dürfen')} (${inGerman(limit)}). ${say('Warte auf eine, oder stoppe', 'Warten Sie auf eine, oder stoppen Sie')} eine.`,
        runs: (limit) =>
          `${say('Deine', 'Ihre')} Grenze für neue Antworten ist erreicht (${inGerman(limit)} pro ${spans[limit.per] ?? limit.per}). ${say('Warte etwas, und versuche', 'Warten Sie etwas, und versuchen Sie')} es dann noch einmal.`,
        mcp_calls: (limit) =>
          `${say('Deine', 'Ihre')} Programme haben ihre Grenze für Aufrufe erreicht (${inGerman(limit)} pro ${spans[limit.per] ?? limit.per}). ${say('Warte etwas, und versuche', 'Warten Sie etwas, und versuchen Sie')} es dann noch einmal.`,
        budget,
        other: reached,
      }),
      limit_reached: byWhy<Kept>({
        files: `Mehr Dateien ${say('kannst du', 'können Sie')} nicht behalten. ${delete_} Unterhaltungen, deren Dateien ${say('du nicht mehr brauchst, und sende', 'Sie nicht mehr brauchen, und senden Sie')} es dann noch einmal.`,
        tokens: (limit) =>
          `${mostAre(limit, 'Tokens')} ${revoke} eines, das ${say('du nicht mehr brauchst', 'Sie nicht mehr brauchen')}.`,
        grants: (limit) => `${mostAre(limit, 'verbundene Apps')} ${revoke} eine davon.`,
        connections: (limit) =>
          `${mostAre(limit, 'Verbindungen')} ${delete_} eine, die ${say('du nicht mehr brauchst', 'Sie nicht mehr brauchen')}.`,
        servers: (limit) =>
          `Mehr als ${inGerman(limit)} Server sind nicht möglich. ${say('Entferne', 'Entfernen Sie')} einen, der nicht mehr gebraucht wird.`,
        permissions: (limit) => `${mostAre(limit, 'Erlaubnisse')} ${revoke} zuerst einige davon.`,
        conversations: (limit) => `${mostAre(limit, 'Unterhaltungen')} ${delete_} zuerst einige davon.`,
        other: reached,
      }),
    }
  },
}
