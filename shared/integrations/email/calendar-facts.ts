import { decodeHeader } from './decode-text.ts'

/** One line of iCalendar: `NAME;PARAMETER=value:value` (RFC 5545). */
interface Property {
  name: string
  parameters: ReadonlyMap<string, string>
  value: string
}

/** Events of one part that are told, and characters of one fact. */
const most = { events: 10, characters: 4000, lines: 5000 }

/** What a method asks for (RFC 5546). */
const methods: Record<string, string> = {
  REQUEST: 'invitation',
  CANCEL: 'cancellation',
  REPLY: 'answer to an invitation',
  COUNTER: 'proposal of another time',
  DECLINECOUNTER: 'refusal of another time',
  ADD: 'addition to a series',
  REFRESH: 'request for the newest version',
  PUBLISH: 'event',
}

/**
 * The facts of an invitation or another calendar part, one per line; empty if it has no event. `withDescription`: also its
 * text, which the mail around it usually repeats.
 */
export function calendarFacts(text: string, withDescription: boolean): string {
  const properties = readProperties(text)
  const method =
    properties
      .find(({ name }) => name === 'METHOD')
      ?.value.trim()
      .toUpperCase() ?? ''
  const events = eventsIn(properties)
  const described = events.slice(0, most.events).map((event) => describeEvent(event, method, withDescription))
  if (events.length > described.length)
    described.push(`[${events.length - described.length} more events are left out.]`)
  return described.join('\n\n')
}

function readProperties(text: string): Property[] {
  return text
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .slice(0, most.lines)
    .flatMap((line) => {
      const [head, value] = splitAtColon(line)
      const [name = '', ...parameters] = head.match(/(?:[^;"]|"[^"]*"?)+/g) ?? []
      if (value === undefined || !/^[\w-]+$/.test(name)) return []
      const pairs = parameters.map((one): [string, string] => {
        const at = one.indexOf('=')
        return [one.slice(0, at).toUpperCase(), one.slice(at + 1).replaceAll('"', '')]
      })
      return [{ name: name.toUpperCase(), parameters: new Map(pairs), value }]
    })
}

/** At the first colon that is not in quotes. */
function splitAtColon(line: string): [string, string | undefined] {
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ':' && !isQuoted) return [line.slice(0, at), line.slice(at + 1)]
  }
  return [line, undefined]
}

/** The properties of each event or task, without those of what is inside it, such as alarms. */
function eventsIn(properties: readonly Property[]): Property[][] {
  const events: Property[][] = []
  const open: string[] = []
  for (const property of properties) {
    const kind = property.value.trim().toUpperCase()
    if (property.name === 'BEGIN') {
      open.push(kind)
      if (kind === 'VEVENT' || kind === 'VTODO') events.push([])
    } else if (property.name === 'END') open.pop()
    else if (open.at(-1) === 'VEVENT' || open.at(-1) === 'VTODO') events.at(-1)?.push(property)
  }
  return events
}

function describeEvent(event: readonly Property[], method: string, withDescription: boolean): string {
  const find = (name: string) => event.find((property) => property.name === name)
  const say = (name: string) => plainValue(find(name)?.value ?? '')
  const organizer = find('ORGANIZER')
  const people = event.filter(({ name }) => name === 'ATTENDEE')
  const kind = methods[method] ?? 'event'
  const facts: [string, string][] = [
    ['Calendar', method === '' || method === 'PUBLISH' ? kind : `${kind} (${method})`],
    ['Title', say('SUMMARY')],
    ['When', whenOf(event)],
    ['Repeats', say('RRULE')],
    ['Instead of', momentOf(find('RECURRENCE-ID'))?.told ?? ''],
    ['Where', say('LOCATION')],
    ['Organizer', organizer ? personOf(organizer) : ''],
    ['Status', say('STATUS').toLowerCase()],
    ['Answer', method === 'REPLY' || method === 'COUNTER' ? people.map(answerOf).join(', ') : ''],
    ['About', say('COMMENT')],
    ['Link', say('URL')],
    ['Description', withDescription ? say('DESCRIPTION') : ''],
  ]
  return facts.flatMap(([name, fact]) => (fact === '' ? [] : [`${name}: ${fact}`])).join('\n')
}

function answerOf(person: Property): string {
  const answer = person.parameters.get('PARTSTAT')?.toLowerCase() ?? 'no answer'
  return `${personOf(person)} ${answer}`
}

function personOf({ parameters, value }: Property): string {
  const address = plainValue(value.replace(/^mailto:/i, ''))
  const name = plainValue(parameters.get('CN') ?? '').replace(/[<>]/g, '')
  return name === '' || name === address ? address : `${name} <${address}>`
}

/** A text on one line. */
function plainValue(value: string): string {
  const text = value.replace(/\\([nN,;\\])/g, (_, character) => (/n/i.test(character) ? ' ' : character))
  return decodeHeader(text.slice(0, most.characters))
}

/** A date or time as it is written, and as milliseconds of a clock without time zone. */
interface Moment {
  told: string
  clock: number
  zone: string
  isDay: boolean
}

function whenOf(event: readonly Property[]): string {
  const find = (name: string) => event.find((property) => property.name === name)
  const start = momentOf(find('DTSTART'))
  const due = momentOf(find('DUE'))
  if (!start) return due ? `due ${due.told}${zoneOf(due)}` : ''
  const end = momentOf(find('DTEND')) ?? due ?? endAfter(start, find('DURATION')?.value)
  if (start.isDay) {
    // The day of the end is the first one after the event.
    const last = end && showClock(end.clock - dayMs, true)
    return `${start.told}${last && last > start.told ? ` to ${last}` : ''} (all day)`
  }
  if (!end || end.told === start.told) return `${start.told}${zoneOf(start)}`
  if (end.zone !== start.zone) return `${start.told}${zoneOf(start)} to ${end.told}${zoneOf(end)}`
  const [day, time = ''] = end.told.split(' ')
  return `${start.told} to ${start.told.startsWith(`${day} `) ? time : end.told}${zoneOf(start)}`
}

const dayMs = 86_400_000

function zoneOf({ zone, isDay }: Moment): string {
  if (isDay) return ''
  return zone === '' ? ' (no time zone is given)' : ` (${zone})`
}

function momentOf(property: Property | undefined): Moment | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z)?)?$/.exec(property?.value.trim() ?? '')
  if (!found) return undefined
  const [, year, month, day, hour, minute, isUtc] = found
  const clock = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0))
  const isDay = hour === undefined
  const zone = isUtc ? 'UTC' : plainValue(property?.parameters.get('TZID') ?? '')
  return { told: showClock(clock, isDay), clock, zone, isDay }
}

function showClock(clock: number, isDay: boolean): string {
  return new Date(clock)
    .toISOString()
    .slice(0, isDay ? 10 : 16)
    .replace('T', ' ')
}

/** RFC 5545, 3.3.6: weeks, days, hours, minutes, seconds. */
function endAfter(start: Moment, duration = ''): Moment | undefined {
  const found =
    /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/.exec(
      duration.trim(),
    )
  if (!found) return undefined
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.map((part) => Number(part ?? 0))
  const ms = (weeks * 7 + days) * dayMs + hours * 3_600_000 + minutes * 60_000 + seconds * 1000
  const clock = start.clock + ms
  return { ...start, clock, told: showClock(clock, start.isDay) }
}
