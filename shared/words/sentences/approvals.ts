import { plainLine, quotedValue } from '../quoted-value.ts'
import { changesIn, type SaidAbout, type SaidParts, type Say } from '../said.ts'
import { again, before, permitted, repeated } from './earlier.ts'
import { listClaims } from './foreign-tools.ts'
import { type GermanAddress, informal } from './german-address.ts'
import { ownWords } from './questions.ts'
import type { Subject } from './subject.ts'

type Reason = string | undefined

/** What is asked of a call that waits, and why. Undefined if nothing can say what it does. */
function askToDo({ confirm }: SaidAbout, ...reasons: Reason[]): SaidParts | undefined {
  return ask(confirm, reasons)
}

function ask(asked: string | undefined, reasons: readonly Reason[]): SaidParts | undefined {
  const because = reasons.filter(Boolean).join(' ')
  return asked === undefined ? undefined : { because: because || undefined, asked }
}

/** The same of a call that was made before, or perhaps. */
const askAgain = {
  en: (about: SaidAbout) =>
    ask(again.en(about), [
      permitted.en(about),
      answered.en(about),
      repeated.en(about),
      ...asksBesides.en(about),
    ]),
  de: (about: SaidAbout, address: GermanAddress) =>
    ask(again.de(about), [
      permitted.de(about),
      answered.de(about),
      repeated.de(about),
      ...asksBesides.de(about, address),
    ]),
}

/** Of an answer to an email: that answers are to go to somebody else than its sender. */
const answered = {
  en: (about: SaidAbout): Reason => {
    const [from, replyTo] = partiesIn(about)
    return (
      from &&
      replyTo &&
      `The email that this answers comes from ${from} and asks for replies to go to ${replyTo}.`
    )
  },
  de: (about: SaidAbout): Reason => {
    const [from, replyTo] = partiesIn(about)
    return (
      from && replyTo && `Die beantwortete E-Mail kommt von ${from} und bittet um Antworten an ${replyTo}.`
    )
  },
}

function partiesIn({ values, show }: SaidAbout): (string | undefined)[] {
  const { from, replyTo } = (values.answered ?? {}) as { from?: unknown; replyTo?: unknown }
  return [show.value(from), show.value(replyTo)]
}

const whence = {
  en: (from: unknown): string => {
    if (from === 'message') return 'what your message quotes or links to'
    if (from === 'earlier') return 'an earlier part of this conversation'
    const { file, program, tool } = sourceIn(from)
    if (program !== undefined) return `a program that calls itself ${quotedValue(program)}`
    return file === undefined ? `"${tool}"` : `the file ${JSON.stringify(file)}`
  },
  de: (from: unknown, address: GermanAddress): string => {
    if (from === 'message') return address.message
    if (from === 'earlier') return 'einem früheren Teil der Unterhaltung'
    const { file, program, tool } = sourceIn(from)
    if (program !== undefined) return `einem Programm, das sich ${quotedValue(program, ['„', '“'])} nennt`
    return file === undefined ? `„${tool}“` : `der Datei ${quotedValue(file, ['„', '“'])}`
  },
}

/** A file by its name, a program by what it calls itself, or a tool by its title. */
function sourceIn(from: unknown): { file?: string; program?: string; tool?: string } {
  return (from ?? {}) as { file?: string; program?: string; tool?: string }
}

/** Where values come from that the user has not said. */
const origins = {
  en: (about: SaidAbout): Reason => {
    const found = originsIn(about)
    if (found.length === 0) return undefined
    const places = [...new Set(found.map(({ from }) => whence.en(from)))]
    const values = exactly(found.map(({ value }) => value))
    return `${values} ${found.length === 1 ? 'comes' : 'come'} from ${places.join(', ')}, not from you.`
  },
  de: (about: SaidAbout, address: GermanAddress): Reason => {
    const found = originsIn(about)
    if (found.length === 0) return undefined
    const { show } = about
    const places = [...new Set(found.map(({ from }) => whence.de(from, address)))]
    const values = found.map(({ value }) => show.value(value) ?? '–')
    return `${show.list(values)} ${found.length === 1 ? 'stammt' : 'stammen'} aus ${show.list(places)}, ${address.notYours}.`
  },
}

/** What would be sent away, and from where something private is known. */
const wayOut = {
  en: ({ values, show }: SaidAbout): Reason => {
    const known =
      values.privateRead === undefined ? '' : ` Private data is known from ${whence.en(values.privateRead)}.`
    return `This sends others ${show.value(values.sent) ?? 'values'}, which you did not write.${known}`
  },
  de: ({ values, show }: SaidAbout, address: GermanAddress): Reason => {
    const known =
      values.privateRead === undefined
        ? ''
        : ` Aus ${whence.de(values.privateRead, address)} ist Privates bekannt.`
    return `Das schickt an andere: ${show.value(values.sent) ?? 'Werte'}, ${address.notYours}.${known}`
  },
}

/** That a program wants it; undefined if none does. */
const askedByProgram = {
  en: ({ values: { program } }: SaidAbout): Reason =>
    program === undefined ? undefined : `A program that calls itself ${quotedValue(program)} asks for this.`,
  de: ({ values: { program } }: SaidAbout): Reason =>
    program === undefined
      ? undefined
      : `Das will ein Programm, das sich ${quotedValue(program, ['„', '“'])} nennt.`,
}

function originsIn({ values }: SaidAbout): { value: unknown; from: unknown }[] {
  return Array.isArray(values.origins) ? values.origins : []
}

/** Whether to read addresses that the user has not named, and what a yes allows. */
const addresses = {
  en: ({ values }: SaidAbout): SaidParts => {
    const { sites, others, isOne } = addressesIn(values)
    const notNamed = `You did not name ${isOne ? 'it' : 'them'}`
    const asked = `Should I read ${exactly(values.addresses)}?`
    if (values.privateRead === undefined) {
      const more =
        sites.length > 0 ? ` A yes also allows other pages of ${sites.join(', ')} in this conversation.` : ''
      return { asked, hint: `${notNamed}, and whoever runs the site will see the address.${more}` }
    }
    const beside = others.length > 0 ? ` and the other results of the search: ${exactly(others)}` : ''
    return {
      asked,
      hint: `${notNamed}, and ${whence.en(values.privateRead)} has shown private data, which an address can carry to whoever runs the site. A yes allows only ${isOne ? 'this address' : 'these addresses'}${beside}.`,
    }
  },
  de: ({ values, show }: SaidAbout, address: GermanAddress): SaidParts => {
    const { sites, others, isOne } = addressesIn(values)
    const these = isOne ? 'diese Adresse' : 'diese Adressen'
    const asked = `Soll ich ${show.value(values.addresses) ?? '–'} lesen?`
    if (values.privateRead === undefined) {
      const more =
        sites.length > 0
          ? ` Ein Ja gilt in dieser Unterhaltung auch für andere Seiten von ${show.list(sites)}.`
          : ''
      return {
        asked,
        hint: `${address.notNamed(these)}, und wer die Website betreibt, sieht die Adresse.${more}`,
      }
    }
    const beside = others.length > 0 ? ` und die anderen Treffer der Suche: ${show.value(others)}` : ''
    return {
      asked,
      hint: `${address.notNamed(these)}, und aus ${whence.de(values.privateRead, address)} ist Privates bekannt, das eine Adresse verraten könnte. Ein Ja gilt nur für ${these}${beside}.`,
    }
  },
}

function addressesIn({ addresses: asked, sites, others }: SaidAbout['values']) {
  return { sites: listOf(sites).map(String), others: listOf(others), isOne: listOf(asked).length === 1 }
}

function listOf(values: unknown): unknown[] {
  return Array.isArray(values) ? values : []
}

/** Addresses and values that must be seen whole. */
function exactly(values: unknown): string {
  return listOf(values)
    .map((value) => JSON.stringify(value))
    .join(', ')
}

/** What is asked besides, where a write is made again: where its values come from, and which addresses it would read. */
function besides(about: SaidAbout, origin: Reason, say: (about: SaidAbout) => SaidParts): Reason[] {
  const read = about.values.addresses === undefined ? undefined : say(about)
  return [origin, read && `${read.asked} ${read.hint}`]
}
const asksBesides = {
  en: (about: SaidAbout) => besides(about, origins.en(about), addresses.en),
  de: (about: SaidAbout, address: GermanAddress) =>
    besides(about, origins.de(about, address), (one) => addresses.de(one, address)),
}

const spans: Record<'en' | 'de', Readonly<Record<string, string>>> = {
  en: { minute: 'a minute', hour: 'an hour', day: 'a day' },
  de: { minute: 'Minute', hour: 'Stunde', day: 'Tag' },
}

/** What is permitted without asking, in brackets; empty if that is not known. */
function limitIn({ values }: SaidAbout, times: (max: unknown, per: string) => string): string {
  const { pattern, max, per } = values
  return [pattern, max, per].includes(undefined) ? '' : ` (${pattern}, ${times(max, String(per))})`
}

type Changed = ReturnType<typeof changesIn>[number]

/** An approved call that failed: at which value, as far as it is known. */
const failedAt = {
  en({ before, now }: Changed, { field, show }: SaidAbout): string {
    const { errorType, value } = (before ?? {}) as { errorType?: unknown; value?: unknown }
    const shown = show.value(value)
    const next = show.value(now)
    const at =
      field === '' || shown === undefined
        ? 'it failed'
        : errorType === 'not_found'
          ? `there is no ${field} ${shown}`
          : errorType === 'conflict'
            ? `there is already one with the ${field} ${shown}`
            : `${shown} was not accepted as ${field}`
    return `Asked again: ${at}${next === undefined ? '' : `; now ${next}`}.`
  },
  de({ before, now }: Changed, { field, show }: SaidAbout): string {
    const { errorType, value } = (before ?? {}) as { errorType?: unknown; value?: unknown }
    const shown = show.value(value)
    const next = show.value(now)
    const at =
      field === '' || shown === undefined
        ? 'es hat nicht geklappt'
        : errorType === 'not_found'
          ? `${field} ${shown} gibt es nicht`
          : errorType === 'conflict'
            ? `${field} ${shown} gibt es schon`
            : `${shown} wurde bei „${field}“ nicht angenommen`
    return `Noch einmal gefragt: ${at}${next === undefined ? '' : `; jetzt ${next}`}.`
  },
}

/** What a server says of a tool now and did not say before, or the other way round. */
function claimed({ before, now }: Changed): string[] {
  const [was, is] = [(before ?? {}) as Record<string, unknown>, (now ?? {}) as Record<string, unknown>]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((hint) => was[hint] !== is[hint])
}

const changes = {
  en(change: Changed, about: SaidAbout): string {
    const { what, before: old, now } = change
    const { show } = about
    const [was, is] = [show.value(old) ?? '–', show.value(now) ?? '–']
    switch (what) {
      case 'failed':
        return failedAt.en(change, about)
      case 'denied':
        return 'Asked again: it was denied before.'
      case 'places':
        return `${is} ${now === 1 ? 'place' : 'places'} now; it was ${was}.`
      case 'text':
        return `The text there is now ${is}; it was ${was}.`
      case 'title':
        return `The title is now ${is}; it was ${was}.`
      case 'paragraphs':
        return `Paragraphs that are still there: ${is} of ${was}.`
      case 'revision':
        return `It is at version ${is} now; it was at ${was}.`
      case 'definition':
      case 'words':
        return 'Asked again: its server now describes this in other words, and they were accepted.'
      case 'takes':
        return 'Asked again: its server now takes other values for this, and that was accepted.'
      case 'claims':
        return `Asked again: its server now says something else of it${listClaims(claimed(change), about.show, 'en')}.`
      case 'newest_email':
        return `The newest email in the thread is now ${is}; it was ${was}.`
      default:
        return `${plainLine(what.replaceAll('_', ' '))}: now ${is}; it was ${was}.`
    }
  },
  de(change: Changed, about: SaidAbout): string {
    const { what, before: old, now } = change
    const { show } = about
    const [was, is] = [show.value(old) ?? '–', show.value(now) ?? '–']
    switch (what) {
      case 'failed':
        return failedAt.de(change, about)
      case 'denied':
        return 'Noch einmal gefragt: Vorher wurde es abgelehnt.'
      case 'places':
        return `Jetzt ${now === 1 ? `ist es ${is} Stelle` : `sind es ${is} Stellen`}; vorher ${old === 1 ? 'war' : 'waren'} es ${was}.`
      case 'text':
        return `Dort steht jetzt ${is}; vorher stand dort ${was}.`
      case 'title':
        return `Der Titel ist jetzt ${is}; vorher war er ${was}.`
      case 'paragraphs':
        return `Absätze, die noch da sind: ${is} von ${was}.`
      case 'revision':
        return `Jetzt ist es Version ${is}; vorher war es ${was}.`
      case 'definition':
      case 'words':
        return 'Noch einmal gefragt: Der Server beschreibt das inzwischen anders, und das wurde angenommen.'
      case 'takes':
        return 'Noch einmal gefragt: Der Server nimmt dafür inzwischen andere Werte, und das wurde angenommen.'
      case 'claims':
        return `Noch einmal gefragt: Der Server sagt darüber inzwischen etwas anderes${listClaims(claimed(change), about.show, 'de')}.`
      case 'newest_email':
        return `Die neueste E-Mail in diesem Verlauf ist jetzt ${is}; vorher war es ${was}.`
      default:
        return `${show.value(what.replaceAll('_', ' '))}: jetzt ${is}; vorher ${was}.`
    }
  },
}

function sayChanges(about: SaidAbout, language: 'en' | 'de'): string | undefined {
  const said = changesIn(about.values).map((change) => changes[language](change, about))
  return said.length > 0 ? said.join(' ') : undefined
}

function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? plainLine(value) : undefined
}

type ApprovalCode =
  | 'approve'
  | 'approve_spent'
  | 'approve_destructive'
  | 'approve_outside'
  | 'approve_outside_addresses'
  | 'approve_way_out'
  | 'approve_origin'
  | 'approve_addresses'
  | 'approve_yes'
  | 'approve_again'
  | 'approve_as_well'
  | 'approve_after_unknown'
  | 'still_waiting'
  | 'changed'
  | 'no_draft'
  | 'waits_for_group'
  | 'decided_for_group'
  | 'takes_two'
  | 'approved_by_one'
  | 'approved_elsewhere'

/** The same in German, to people who are called so. */
export function approvalsInGerman(address: GermanAddress): Readonly<Record<ApprovalCode, Say>> {
  return {
    approve: (about) => askToDo(about, answered.de(about)),
    approve_spent(about) {
      const limit = limitIn(about, (max, per) => `${max} Mal pro ${spans.de[per]}`)
      return askToDo(about, answered.de(about), `${address.allowed}${limit && `${limit},`} ist aufgebraucht.`)
    },
    approve_destructive: (about) => askToDo(about, answered.de(about)),
    approve_outside: (about) =>
      askToDo(about, answered.de(about), askedByProgram.de(about) ?? address.nothingWritten),
    approve_outside_addresses(about) {
      const these = addressesIn(about.values).isOne ? 'Diese Adresse' : 'Diese Adressen'
      const seen = about.show.value(about.values.addresses)
      const because = `${address.notWritten(these)}${seen === undefined ? '' : `: ${seen}`}.`
      return askToDo(about, answered.de(about), because)
    },
    approve_way_out: (about) => askToDo(about, answered.de(about), wayOut.de(about, address)),
    approve_origin: (about) => askToDo(about, answered.de(about), origins.de(about, address)),
    approve_addresses(about) {
      const { asked, hint } = addresses.de(about, address)
      if (about.values.isReading === true) return { asked, hint }
      return askToDo(about, answered.de(about), origins.de(about, address), `${asked} ${hint}`)
    },
    approve_yes(about) {
      const { asker, words, asks } = about.values
      const own = words && `${about.tool || asker} ${asks === false ? 'meldet' : 'fragt'}: ${ownWords(words)}`
      return askToDo(about, answered.de(about), own ? String(own) : undefined)
    },
    approve_again: (about) => askAgain.de(about, address),
    approve_as_well: (about) =>
      askToDo(
        about,
        permitted.de(about),
        answered.de(about),
        `${before.de(about)} Das hier auch?`,
        ...asksBesides.de(about, address),
      ),
    approve_after_unknown: (about) => askAgain.de(about, address),
    still_waiting: ({ statement }) => statement && `Noch offen: ${statement}.`,
    changed: (about) => sayChanges(about, 'de'),
    no_draft: () => ({
      because: 'Das lässt sich hier nicht als Entwurf behalten.',
      asked: 'Soll es ohne Entwurf geschehen?',
    }),
    waits_for_group: ({ values }) => `Wartet auf ${nameIn(values.group)}.`,
    decided_for_group: ({ values }) =>
      `${address.say('Du entscheidest', 'Sie entscheiden')} das für ${nameIn(values.group)}.`,
    takes_two: ({ values }) =>
      `Braucht zwei Freigaben: ${values.isYours ? address.say('deine', 'Ihre') : 'eine vom Nutzer'} und eine von ${nameIn(values.group)}.`,
    approved_by_one({ values }) {
      const you = address.say('dir', 'Ihnen')
      const waitsFor = {
        group: nameIn(values.group),
        reader: address.say('dich', 'Sie'),
        user: 'den Nutzer',
      }[String(values.waitsFor)]
      return `Von ${nameIn(values.name) ?? you} freigegeben. Wartet auf ${waitsFor ?? 'jemand anderen'}.`
    },
    approved_elsewhere: () =>
      'Darüber entscheidet hier eine Gruppe, deshalb geht das nur in einer Unterhaltung.',
  }
}

/** Questions whether a call may be carried out, and what is told beside them. */
export const approvals = {
  en: {
    approve: (about) => askToDo(about, answered.en(about)),
    approve_spent(about) {
      const limit = limitIn(about, (max, per) => `${max} ${spans.en[per]}`)
      return askToDo(about, answered.en(about), `What you have allowed without asking${limit} is used up.`)
    },
    approve_destructive: (about) => askToDo(about, answered.en(about)),
    approve_outside: (about) =>
      askToDo(
        about,
        answered.en(about),
        askedByProgram.en(about) ?? 'You typed none of this, and something was read that is not from you.',
      ),
    approve_outside_addresses(about) {
      const { isOne } = addressesIn(about.values)
      const because = `It contains ${isOne ? 'a web address' : 'web addresses'} that you did not write${listOf(about.values.addresses).length === 0 ? '' : `: ${exactly(about.values.addresses)}`}.`
      return askToDo(about, answered.en(about), because)
    },
    approve_way_out: (about) => askToDo(about, answered.en(about), wayOut.en(about)),
    approve_origin: (about) => askToDo(about, answered.en(about), origins.en(about)),
    approve_addresses(about) {
      const { asked, hint } = addresses.en(about)
      if (about.values.isReading === true) return { asked: `${asked} ${hint}` }
      return askToDo(about, answered.en(about), origins.en(about), `${asked} ${hint}`)
    },
    approve_yes(about) {
      const { asker, words, asks } = about.values
      const own = words && `${about.tool || asker} ${asks === false ? 'says' : 'asks'}: ${words}`
      return askToDo(about, answered.en(about), own ? String(own) : undefined)
    },
    approve_again: askAgain.en,
    approve_as_well: (about) =>
      ask(about.toDo && `${about.toDo} as well?`, [
        permitted.en(about),
        answered.en(about),
        before.en(about),
        ...asksBesides.en(about),
      ]),
    approve_after_unknown: askAgain.en,
    still_waiting: ({ statement }) => statement && `Still waiting: ${statement}.`,
    changed: (about) => sayChanges(about, 'en'),
    no_draft: () => ({
      because: 'This cannot be saved as a draft here.',
      asked: 'Should it be done without one?',
    }),
    waits_for_group: ({ values }) => `Waiting for ${nameIn(values.group)}.`,
    decided_for_group: ({ values }) => `You decide this for ${nameIn(values.group)}.`,
    takes_two: ({ values }) =>
      `Needs two approvals: ${values.isYours ? 'yours' : 'one from the user'} and one from ${nameIn(values.group)}.`,
    approved_by_one({ values }) {
      const waitsFor = { group: nameIn(values.group), reader: 'you', user: 'the user' }[
        String(values.waitsFor)
      ]
      return `Approved by ${nameIn(values.name) ?? 'you'}. Waiting for ${waitsFor ?? 'somebody else'}.`
    },
    approved_elsewhere: () => 'A group approves this here, so it only works in a conversation.',
  },
  de: approvalsInGerman(informal),
} satisfies Subject<ApprovalCode>
