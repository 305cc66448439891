import type { SaidAbout } from '../said.ts'
import type { Subject } from './subject.ts'

/** What a server claims of a tool, by the protocol's name for it. */
type Claims = Readonly<Record<string, string>>

const claimWords: Readonly<Record<'en' | 'de', Claims>> = {
  en: {
    readOnlyHint: 'whether it only reads',
    destructiveHint: 'whether it deletes or overwrites',
    idempotentHint: 'whether doing it twice does more than once',
    openWorldHint: 'whether it reaches others',
  },
  de: {
    readOnlyHint: 'ob es nur liest',
    destructiveHint: 'ob es löscht oder überschreibt',
    idempotentHint: 'ob es zweimal mehr bewirkt als einmal',
    openWorldHint: 'ob es andere erreicht',
  },
}

/** After a colon; empty if none of them is known. */
export function listClaims(claims: unknown, show: SaidAbout['show'], language: 'en' | 'de'): string {
  const known = [claims].flat().flatMap((claim) => claimWords[language][String(claim)] ?? [])
  return known.length === 0 ? '' : `: ${show.list(known)}`
}

const inEnglish = ({ values, show }: SaidAbout): string => show.value(values.tool) ?? 'A tool'
const inGerman = ({ values, show }: SaidAbout): string => show.value(values.tool) ?? 'Ein Werkzeug'

/** After the comma, or in brackets: the place in a call. */
const place = ({ values, show }: SaidAbout): string => {
  const named = show.value(values.place)
  return named === undefined ? '' : ` (${named})`
}

/** What was read of a server's tools, and how they differ from those that were accepted. */
export const foreignTools = {
  en: {
    foreign_tools_unreadable: () => 'The server’s answer is not a list of tools.',
    foreign_tools_too_many: ({ values, show }) =>
      `The server lists ${show.value(values.count) ?? 'more'} tools. Only the first ${show.value(values.most) ?? 'of them'} that can be used were taken.`,
    foreign_tools_more_notes: ({ values, show }) =>
      `There is as much to say about ${show.value(values.count) ?? 'more'} other tools.`,
    foreign_tool_unnamed: ({ values, show }) =>
      `Tool ${show.value(values.number) ?? 'without a name'} of the list was left out: it has no name by which it could be called.`,
    foreign_tool_repeated: (about) =>
      `${inEnglish(about)} is in the server’s list more than once. The first one was taken.`,
    foreign_tool_too_large: (about) =>
      `${inEnglish(about)} was left out: its definition is too large or too intricate.`,
    foreign_tool_takes_no_object: (about) => `${inEnglish(about)} was left out: what it takes has no names.`,
    foreign_tool_characters: (about) =>
      `${inEnglish(about)} was left out: its definition contains characters that cannot be stored.`,
    foreign_tool_unreadable: (about) => `${inEnglish(about)} was left out: its definition cannot be used.`,
    foreign_tool_unchecked: (about) =>
      `Not all that ${inEnglish(about)} takes can be checked before a call. The server checks the rest.`,
    foreign_tool_renamed: (about) =>
      `${inEnglish(about)} is called ${about.show.value(about.values.name) ?? 'something else'} here, since another tool has nearly the same name.`,
    foreign_words_cut: (about) => `The description of ${inEnglish(about)} is too long and was cut.`,
    foreign_tool_new: (about) => `${inEnglish(about)} is new.`,
    foreign_tool_gone: (about) => `${inEnglish(about)} is no longer there.`,
    foreign_words_changed: (about) =>
      `${inEnglish(about)} has other words now. Until they are accepted, it works with those that were.`,
    foreign_claims_more: (about) =>
      `${inEnglish(about)} is now said to be more harmless than before${listClaims(about.values.claims, about.show, 'en')}. It is off until that is accepted.`,
    foreign_claims_less: (about) =>
      `${inEnglish(about)} is now said to be less harmless than before${listClaims(about.values.claims, about.show, 'en')}. That counts from now on.`,
    foreign_tool_takes_less: (about) =>
      `${inEnglish(about)} may no longer take what it took before${place(about)}. It is off until that is accepted.`,
  },
  de: {
    foreign_tools_unreadable: () => 'Die Antwort des Servers ist keine Liste von Werkzeugen.',
    foreign_tools_too_many: ({ values, show }) =>
      `Der Server hat ${show.value(values.count) ?? 'mehr'} Werkzeuge. Übernommen sind nur die ersten ${show.value(values.most) ?? 'davon'}, die sich verwenden lassen.`,
    foreign_tools_more_notes: ({ values, show }) =>
      `Zu ${show.value(values.count) ?? 'mehr'} weiteren Werkzeugen wäre ebenso viel zu sagen.`,
    foreign_tool_unnamed: ({ values, show }) =>
      `Werkzeug ${show.value(values.number) ?? 'ohne Namen'} der Liste fehlt: Es hat keinen Namen, mit dem es sich aufrufen ließe.`,
    foreign_tool_repeated: (about) =>
      `${inGerman(about)} steht mehrmals in der Liste des Servers. Übernommen ist das erste.`,
    foreign_tool_too_large: (about) =>
      `${inGerman(about)} fehlt: Seine Beschreibung ist zu groß oder zu verwickelt.`,
    foreign_tool_takes_no_object: (about) =>
      `${inGerman(about)} fehlt: Was es entgegennimmt, hat keine Namen.`,
    foreign_tool_characters: (about) =>
      `${inGerman(about)} fehlt: Seine Beschreibung enthält Zeichen, die sich nicht speichern lassen.`,
    foreign_tool_unreadable: (about) =>
      `${inGerman(about)} fehlt: Mit seiner Beschreibung lässt sich nichts anfangen.`,
    foreign_tool_unchecked: (about) =>
      `Nicht alles, was ${inGerman(about)} entgegennimmt, lässt sich vor einem Aufruf prüfen. Das Übrige prüft der Server.`,
    foreign_tool_renamed: (about) =>
      `${inGerman(about)} heißt hier ${about.show.value(about.values.name) ?? 'anders'}, weil ein anderes Werkzeug fast genauso heißt.`,
    foreign_words_cut: (about) => `Die Beschreibung von ${inGerman(about)} ist zu lang und wurde gekürzt.`,
    foreign_tool_new: (about) => `${inGerman(about)} ist neu.`,
    foreign_tool_gone: (about) => `${inGerman(about)} gibt es nicht mehr.`,
    foreign_words_changed: (about) =>
      `${inGerman(about)} wird jetzt anders beschrieben. Bis das angenommen ist, gilt die bisherige Beschreibung.`,
    foreign_claims_more: (about) =>
      `${inGerman(about)} soll jetzt harmloser sein als bisher${listClaims(about.values.claims, about.show, 'de')}. Es ist aus, bis das angenommen ist.`,
    foreign_claims_less: (about) =>
      `${inGerman(about)} ist jetzt weniger harmlos als bisher${listClaims(about.values.claims, about.show, 'de')}. Das gilt ab sofort.`,
    foreign_tool_takes_less: (about) =>
      `${inGerman(about)} nimmt womöglich nicht mehr alles an, was es bisher annahm${place(about)}. Es ist aus, bis das angenommen ist.`,
  },
} satisfies Subject<
  | 'foreign_tools_unreadable'
  | 'foreign_tools_too_many'
  | 'foreign_tools_more_notes'
  | 'foreign_tool_unnamed'
  | 'foreign_tool_repeated'
  | 'foreign_tool_too_large'
  | 'foreign_tool_takes_no_object'
  | 'foreign_tool_characters'
  | 'foreign_tool_unreadable'
  | 'foreign_tool_unchecked'
  | 'foreign_tool_renamed'
  | 'foreign_words_cut'
  | 'foreign_tool_new'
  | 'foreign_tool_gone'
  | 'foreign_words_changed'
  | 'foreign_claims_more'
  | 'foreign_claims_less'
  | 'foreign_tool_takes_less'
>
