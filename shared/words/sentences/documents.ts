import type { Show } from '../show.ts'
import type { Subject } from './subject.ts'

const mostNamed = 20

/** `"Notes", "Plan" and 3 more`. */
function quoted(texts: unknown): string {
  const all = Array.isArray(texts) ? texts.map(String) : []
  const named = all.slice(0, mostNamed).map((text) => `"${text}"`)
  const more = all.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

interface Version {
  revision: number
  until: string
}
const versionsIn = (versions: unknown): Version[] => (Array.isArray(versions) ? versions : [])

function listInGerman(values: unknown, show: Show): string {
  return Array.isArray(values) ? show.list(values.map((one) => show.value(one) ?? '–')) : '–'
}

/** What our document tools ask and tell. */
export const documents = {
  en: {
    document_not_found: () => "I couldn't find that document. Paste its link or tell me its name.",
    document_full: () =>
      'Should it go into a new document instead? This one would get too long: a document can have one million characters.',
    document_too_large: () =>
      'The document is too large to be read: with its formatting it has more than 24 MB.',
    document_being_edited: () =>
      'The document is being changed by somebody else right now, so nothing was written.',
    document_not_changed: () => 'Google Docs did not accept this change, so nothing was written.',
    text_not_in_document: ({ values: { find, spellings, isInTab } }) => {
      const where = isInTab === true ? 'this tab' : 'the document'
      const fact =
        spellings === undefined
          ? `is not in ${where}, at least not within one paragraph`
          : `is not in ${where} exactly like that, but like this: ${quoted(spellings)}`
      return `Which text should be replaced? "${find}" ${fact}. Please provide it exactly as it is in the document.`
    },
    text_in_chip: ({ values: { find } }) =>
      `Which text should be replaced? "${find}" is in the document, but part of it is a smart chip (a person, a file or a date), which can only be changed in Google Docs. Please provide the text beside it.`,
    tab_not_found: ({ values: { tab, tabs } }) =>
      Array.isArray(tabs) && tabs.length > 0
        ? `Which tab is meant? There is no tab${tab === undefined ? ' like that' : ` "${tab}"`}, but ${quoted(tabs)}.`
        : 'Which tab is meant? This document has no tabs, so please leave it out.',
    tab_unclear: ({ values: { find, tab, tabs } }) =>
      find === undefined
        ? `Which tab is meant? Several are called "${tab}": ${quoted(tabs)}.`
        : `In which tab should it be replaced? "${find}" is in several: ${quoted(tabs)}. Please name one in tab, or replace it in one after the other.`,
    document_read_only: () =>
      'Should it go into a document of your own instead? You may read this document, but not write in it.',
    nothing_to_restore: () =>
      'This document was not changed in the last 30 days, so nothing can be restored.',
    version_not_found: ({ values: { versions }, show }) => {
      const kept = versionsIn(versions).map(
        ({ revision, until }) => `${revision} (until ${show.moment(until)})`,
      )
      return `Which version should be restored? These revisions are kept: ${kept.join(', ')}.`
    },
    versions_at_google: () =>
      'Google keeps the versions of this document and lets no other app restore them. You can do it in Google Docs, under "File", "Version history".',
    sharing_needs_google: () =>
      'This document is kept here, where only its owner can see it, so it cannot be shared. Sharing needs Google Docs: create the document there, and share that one.',
    service_not_switched_on: ({ values: { service } }) =>
      service === 'Gmail'
        ? 'Gmail is not switched on for this application yet; the operator has to do that. Nothing was done.'
        : `${service} is not switched on for this server. Its operator has to enable that API in the Google Cloud project.`,
  },
  de: {
    document_not_found: () => 'Dieses Dokument finde ich nicht. Füge den Link ein oder nenne mir den Namen.',
    document_full: () =>
      'Dieses Dokument würde zu lang: Mehr als eine Million Zeichen passen nicht hinein. Soll ich ein neues anlegen?',
    document_too_large: () =>
      'Dieses Dokument ist zu groß, um es zu lesen: Mit seiner Formatierung hat es mehr als 24 MB.',
    document_being_edited: () => 'Jemand anders ändert dieses Dokument gerade; es wurde nichts geschrieben.',
    document_not_changed: () =>
      'Google Docs hat diese Änderung nicht angenommen; es wurde nichts geschrieben.',
    text_not_in_document: ({ values, show }) =>
      values.spellings === undefined
        ? `${show.value(values.find) ?? 'Dieser Text'} steht nicht im Dokument, jedenfalls nicht in einem einzigen Absatz. Welcher Text soll ersetzt werden?`
        : `${show.value(values.find) ?? 'Dieser Text'} steht nicht genau so im Dokument, sondern so: ${show.value(values.spellings)}. Welcher Text soll ersetzt werden?`,
    text_in_chip: ({ values, show }) =>
      `${show.value(values.find) ?? 'Dieser Text'} steht im Dokument, ist aber zum Teil ein Smart-Chip (eine Person, eine Datei oder ein Datum), der sich nur in Google Docs ändern lässt. Welcher Text daneben soll ersetzt werden?`,
    tab_not_found: ({ values, show }) =>
      Array.isArray(values.tabs) && values.tabs.length > 0
        ? `Einen Tab ${show.value(values.tab) ?? 'mit diesem Namen'} gibt es in diesem Dokument nicht. Welcher davon ist gemeint: ${listInGerman(values.tabs, show)}?`
        : 'Dieses Dokument hat keine Tabs. Soll es ohne diese Angabe geschehen?',
    tab_unclear: ({ values, show }) =>
      values.find === undefined
        ? `Mehrere Tabs heißen ${show.value(values.tab) ?? 'so'}. Welcher ist gemeint: ${listInGerman(values.tabs, show)}?`
        : `${show.value(values.find) ?? 'Dieser Text'} steht in mehreren Tabs. In welchem soll er ersetzt werden: ${listInGerman(values.tabs, show)}?`,
    document_read_only: () =>
      'Dieses Dokument darfst du nur lesen. Soll ich stattdessen ein eigenes für dich anlegen?',
    nothing_to_restore: () =>
      'Dieses Dokument wurde in den letzten 30 Tagen nicht geändert; es gibt nichts wiederherzustellen.',
    version_not_found: ({ values: { versions }, show }) => {
      if (!Array.isArray(versions)) return undefined
      const kept = versionsIn(versions).map(
        ({ revision, until }) => `${revision} (bis ${show.moment(until)})`,
      )
      return `Welche Version soll ich wiederherstellen? Es gibt noch: ${show.list(kept)}.`
    },
    versions_at_google: () =>
      'Frühere Versionen dieses Dokuments kann nur Google wiederherstellen: in Google Docs unter „Datei“, „Versionsverlauf“.',
    sharing_needs_google: () =>
      'Dieses Dokument liegt hier, wo nur du es siehst, und lässt sich nicht teilen. Lege es dafür in Google Docs an.',
    service_not_switched_on: ({ values: { service } }) =>
      service === undefined
        ? undefined
        : `${service} ist für diese App noch nicht freigeschaltet; das muss der Betreiber tun. Es wurde nichts ausgeführt.`,
  },
} satisfies Subject<
  | 'document_not_found'
  | 'document_full'
  | 'document_too_large'
  | 'document_being_edited'
  | 'document_not_changed'
  | 'text_not_in_document'
  | 'text_in_chip'
  | 'tab_not_found'
  | 'tab_unclear'
  | 'document_read_only'
  | 'nothing_to_restore'
  | 'version_not_found'
  | 'versions_at_google'
  | 'sharing_needs_google'
  | 'service_not_switched_on'
>
