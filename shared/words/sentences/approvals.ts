import { plainLine } from '../quoted-value.ts'
import { changesIn, type SaidAbout, type SaidParts, type Say } from '../said.ts'
import { before, earlier } from './earlier.ts'
import { type GermanAddress, informal } from './german-address.ts'
import { ownWords } from './questions.ts'
import type { Subject } from './subject.ts'

type Reason = string | undefined

/** What is asked of a call that waits, and why. Undefined if nothing can say what it does. */
function askToDo(about: SaidAbout, ...reasons: Reason[]): SaidParts | undefined {
  const because = reasons.filter(Boolean).join(' ')
  return about.confirm === undefined ? undefined : { because: because || undefined, asked: about.confirm }
}

/** Of an answer to an email: that answers are to go to somebody else than its sender. */
const answered = {
  en: (about: SaidAbout): Reason => {
    const [from, replyTo] = partiesIn(about)
    return (
      from && replyTo && `The email that this answers comes from ${from}, and asks for answers to ${replyTo}.`
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
    const { file, tool } = sourceIn(from)
    return file === undefined ? `"${tool}"` : `the file ${JSON.stringify(file)}`
  },
  de: (from: unknown, address: GermanAddress): string => {
    if (from === 'message') return address.message
    if (from === 'earlier') return 'einem früheren Teil der Unterhaltung'
    const { file, tool } = sourceIn(from)
    return file === undefined ? `„${tool}“` : `der Datei „${file}“`
  },
}

/** A file by its name, or a tool by its title. */
function sourceIn(from: unknown): { file?: string; tool?: string } {
  return (from ?? {}) as { file?: string; tool?: string }
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

const changes = {
  en({ what, before: old, now }: ReturnType<typeof changesIn>[number], show: SaidAbout['show']): string {
    const [was, is] = [show.value(old) ?? '–', show.value(now) ?? '–']
    switch (what) {
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
      case 'newest_email':
        return `The newest email in the thread is now ${is}; it was ${was}.`
      default:
        return `${plainLine(what.replaceAll('_', ' '))}: now ${is}; it was ${was}.`
    }
  },
  de({ what, before: old, now }: ReturnType<typeof changesIn>[number], show: SaidAbout['show']): string {
    const [was, is] = [show.value(old) ?? '–', show.value(now) ?? '–']
    switch (what) {
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
      case 'newest_email':
        return `Die neueste E-Mail in diesem Verlauf ist jetzt ${is}; vorher war es ${was}.`
      default:
        return `${show.value(what.replaceAll('_', ' '))}: jetzt ${is}; vorher ${was}.`
    }
  },
}

function sayChanges({ values, show }: SaidAbout, language: 'en' | 'de'): string | undefined {
  const said = changesIn(values).map((change) => changes[language](change, show))
  return said.length > 0 ? said.join(' ') : undefined
}

type ApprovalCode =
  | 'approve'
  | 'approve_spent'
  | 'approve_destructive'
  | 'approve_outside'
  | 'approve_outside_addresses'
  | 'approve_origin'
  | 'approve_addresses'
  | 'approve_yes'
  | 'approve_again'
  | 'approve_as_well'
  | 'approve_after_unknown'
  | 'still_waiting'
  | 'changed'
  | 'no_draft'

/** The same in German, to people who are called so. */
export function approvalsInGerman(address: GermanAddress): Readonly<Record<ApprovalCode, Say>> {
  return {
    approve: (about) => askToDo(about, answered.de(about)),
    approve_spent(about) {
      const { pattern, max, per } = about.values
      const limit = `${pattern}, ${max}-mal pro ${spans.de[String(per)]}`
      return askToDo(about, answered.de(about), `${address.allowed} (${limit}), ist aufgebraucht.`)
    },
    approve_destructive: (about) => askToDo(about, answered.de(about)),
    approve_outside: (about) => askToDo(about, answered.de(about), address.nothingWritten),
    approve_outside_addresses(about) {
      const these = addressesIn(about.values).isOne ? 'Diese Adresse' : 'Diese Adressen'
      const because = `${address.notWritten(these)}: ${about.show.value(about.values.addresses)}.`
      return askToDo(about, answered.de(about), because)
    },
    approve_origin: (about) => askToDo(about, answered.de(about), origins.de(about, address)),
    approve_addresses(about) {
      const { asked, hint } = addresses.de(about, address)
      if (about.values.isReading === true) return { asked, hint }
      return askToDo(about, answered.de(about), origins.de(about, address), `${asked} ${hint}`)
    },
    approve_yes(about) {
      const { asker, words, asks } = about.values
      const own = ownWords(words)
      return askToDo(
        about,
        answered.de(about),
        `${about.tool || asker} ${asks === false ? 'meldet' : 'fragt'}: ${own}`,
      )
    },
    approve_again: (about) =>
      askToDo(
        about,
        answered.de(about),
        `${earlier.de(about, address)} Noch einmal?`,
        ...asksBesides.de(about, address),
      ),
    approve_as_well: (about) =>
      askToDo(
        about,
        answered.de(about),
        `${before.de(about)} Das hier auch?`,
        ...asksBesides.de(about, address),
      ),
    approve_after_unknown: (about) =>
      askToDo(
        about,
        answered.de(about),
        `${earlier.de(about, address)} Noch einmal?`,
        ...asksBesides.de(about, address),
      ),
    still_waiting: ({ statement }) => statement && `Noch offen: ${statement}.`,
    changed: (about) => sayChanges(about, 'de'),
    no_draft: () => ({
      because: 'Das lässt sich hier nicht als Entwurf behalten.',
      asked: 'Soll es ohne Entwurf geschehen?',
    }),
  }
}

/** Questions whether a call may be carried out, and what is told beside them. */
export const approvals = {
  en: {
    approve: (about) => askToDo(about, answered.en(about)),
    approve_spent(about) {
      const { pattern, max, per } = about.values
      const limit = `${pattern}, ${max} ${spans.en[String(per)]}`
      return askToDo(about, answered.en(about), `What you allow without asking (${limit}) is used up.`)
    },
    approve_destructive: (about) => askToDo(about, answered.en(about)),
    approve_outside: (about) =>
      askToDo(
        about,
        answered.en(about),
        'You typed none of this, and something was read that you did not write.',
      ),
    approve_outside_addresses(about) {
      const { isOne } = addressesIn(about.values)
      const because = `It contains ${isOne ? 'a web address' : 'web addresses'} that you did not write: ${exactly(about.values.addresses)}.`
      return askToDo(about, answered.en(about), because)
    },
    approve_origin: (about) => askToDo(about, answered.en(about), origins.en(about)),
    approve_addresses(about) {
      const { asked, hint } = addresses.en(about)
      if (about.values.isReading === true) return { asked: `${asked} ${hint}` }
      return askToDo(about, answered.en(about), origins.en(about), `${asked} ${hint}`)
    },
    approve_yes(about) {
      const { asker, words, asks } = about.values
      return askToDo(
        about,
        answered.en(about),
        `${about.tool || asker} ${asks === false ? 'says' : 'asks'}: ${words}`,
      )
    },
    approve_again: (about) =>
      askToDo(about, answered.en(about), `${earlier.en(about)} Do it again?`, ...asksBesides.en(about)),
    approve_as_well: (about) =>
      askToDo(about, answered.en(about), `${before.en(about)} Do this as well?`, ...asksBesides.en(about)),
    approve_after_unknown: (about) =>
      askToDo(about, answered.en(about), `${earlier.en(about)} Do it again?`, ...asksBesides.en(about)),
    still_waiting: ({ statement }) => statement && `Still waiting: ${statement}.`,
    changed: (about) => sayChanges(about, 'en'),
    no_draft: () => ({
      because: 'This cannot be saved as a draft here.',
      asked: 'Should it be done without one?',
    }),
  },
  de: approvalsInGerman(informal),
} satisfies Subject<ApprovalCode>
