import { quotedValue } from '../quoted-value.ts'
import type { SaidAbout, Say } from '../said.ts'
import type { OwnLanguage, Subject } from './subject.ts'

type Texts = Readonly<Record<string, (provider: unknown) => string>>

/** What is longer than the language model can read, by `why`. */
const tooLong: Record<OwnLanguage, Texts> = {
  en: {
    message: () => 'This message is too long for the language model. Send less at once, or as a file.',
    setup: () =>
      'This agent was set up with more than its language model can read. Whoever set it up can give it another model, fewer tools or shorter instructions.',
    turn: () =>
      'The language model did not accept this conversation, because it is longer than it can read at once. Ask for less at once, or begin a new conversation.',
  },
  de: {
    message: () =>
      'Diese Nachricht ist zu lang für das Sprachmodell. Schick weniger auf einmal, oder schick es als Datei.',
    setup: () =>
      'Dieser Agent hat mehr mitbekommen, als sein Sprachmodell lesen kann. Wer ihn eingerichtet hat, kann ihm ein anderes Modell, weniger Werkzeuge oder kürzere Anweisungen geben.',
    turn: () =>
      'Das Sprachmodell hat diese Unterhaltung nicht angenommen: Sie ist länger, als es auf einmal lesen kann. Verlang weniger auf einmal, oder beginn eine neue Unterhaltung.',
  },
}

/** Why no language model answers. */
const unavailable: Record<OwnLanguage, Texts> = {
  en: {
    busy: () => 'The language model is not answering right now. Please try again in a few minutes.',
    not_reached: () =>
      'The language model of this assistant cannot be used at the moment. Please tell whoever runs it.',
    key_refused: () =>
      'The language model of this assistant cannot be used at the moment: its key was refused. Please tell whoever runs it.',
    web_page: () =>
      'The language model of this assistant cannot be used: its address answers with a web page. Please tell whoever runs it.',
    not_taken: () =>
      'The language model did not accept this conversation. Please say it in other words or in a new, shorter one.',
    own_key_silent: (provider) =>
      `Your own API key for ${provider} is used here, and ${provider} cannot be reached. Try again in a few minutes, or change or remove the key in the integration settings.`,
    own_key_unused: (provider) =>
      `Your own API key for ${provider} is used here, and ${provider} did not accept it: it does not know the model, or there is no credit left. Choose another model, or change or remove the key in the integration settings.`,
  },
  de: {
    busy: () =>
      'Das Sprachmodell antwortet gerade nicht. Versuch es in ein paar Minuten noch einmal, und sag es dem Betreiber, wenn das nicht hilft.',
    not_reached: () =>
      'Das Sprachmodell dieses Assistenten ist gerade nicht zu erreichen. Bitte sag es dem Betreiber.',
    key_refused: () =>
      'Das Sprachmodell dieses Assistenten ist gerade nicht zu benutzen: Sein Schlüssel wurde abgelehnt. Bitte sag es dem Betreiber.',
    web_page: () =>
      'Das Sprachmodell dieses Assistenten ist nicht zu benutzen: Unter seiner Adresse antwortet eine Webseite. Bitte sag es dem Betreiber.',
    not_taken: () =>
      'Das Sprachmodell hat diese Unterhaltung nicht angenommen. Sag es anders, oder beginn eine neue, kürzere Unterhaltung.',
    own_key_silent: (provider) =>
      `Hier wird dein eigener API-Schlüssel für ${provider} benutzt, und ${provider} ist nicht erreichbar. Versuch es in ein paar Minuten noch einmal, oder ändere oder entferne den Schlüssel in den Einstellungen.`,
    own_key_unused: (provider) =>
      `Hier wird dein eigener API-Schlüssel für ${provider} benutzt, und ${provider} hat ihn nicht angenommen: Das Modell ist dort nicht bekannt, oder das Guthaben ist aufgebraucht. Wähle ein anderes Modell, oder ändere oder entferne den Schlüssel in den Einstellungen.`,
  },
}

/** The text of a reason, or the first one. */
const byReason =
  (texts: Texts): Say =>
  ({ values: { why }, provider }) =>
    (Object.hasOwn(texts, String(why)) ? texts[String(why)] : Object.values(texts)[0])?.(provider)

/** `Send email (2 times), Search the web`. */
function countTools({ tools }: SaidAbout, times: string, join: (titles: string[]) => string): string {
  const counts = new Map<string, number>()
  for (const title of tools()) counts.set(title, (counts.get(title) ?? 0) + 1)
  if (counts.size === 0) return '–'
  return join([...counts].map(([title, count]) => (count > 1 ? `${title} (${count}${times})` : title)))
}
const inEnglish = (about: SaidAbout) => countTools(about, ' times', (titles) => titles.join(', '))
const inGerman = (about: SaidAbout) => countTools(about, '-mal', (titles) => about.show.list(titles))

/** What is said at the end of an answer that the model has not written, or not alone. */
export const endings = {
  en: {
    stopped_early: () => 'This was stopped before there was an answer.',
    stopped: () => 'Stopped.',
    overtaken: () => 'Another message came before this was finished.',
    interrupted: () => 'This was interrupted before it was finished.',
    server_fault: () =>
      'Something went wrong on the server, so this was not finished. Your message is stored.',
    program_fault: () => 'An error inside the program ended this run.',
    not_stored: () =>
      'This answer could not be stored. Your message is stored: reload the conversation in a minute to see what was done.',
    model_unavailable: byReason(unavailable.en),
    context_too_long: byReason(tooLong.en),
    model_late: () => 'The language model did not answer in time.',
    model_silent: () =>
      'The language model gave no answer, so I could not finish this. Please try again, say it in other words, or ask for less at once.',
    out_of_tokens: () => 'The budget for this answer is used up.',
    cut_off: () => '(This answer was cut off at the length limit.)',
    done: (about) =>
      about.values.input === undefined || about.done === undefined
        ? `Done: ${inEnglish(about)}.`
        : `${about.done}.`,
    done_meanwhile: (about) => `Done in the meantime: ${inEnglish(about)}.`,
    done_after_all: (about) => `It turned out later that this was done: ${inEnglish(about)}.`,
    called_by_program: ({ values }) =>
      values.program === undefined
        ? 'This was called by another program.'
        : `This was called by a program that calls itself ${quotedValue(values.program)}.`,
    nothing_done: () => 'Nothing was carried out.',
    nothing_more_done: () => 'Nothing more was carried out.',
  },
  de: {
    stopped_early: () => 'Das wurde gestoppt, bevor es eine Antwort gab.',
    stopped: () => 'Gestoppt.',
    overtaken: () => 'Bevor das fertig war, kam eine weitere Nachricht.',
    interrupted: () => 'Das wurde unterbrochen, bevor es fertig war.',
    server_fault: () =>
      'Auf dem Server ist etwas schiefgegangen, deshalb wurde das nicht fertig. Deine Nachricht ist gespeichert.',
    program_fault: () => 'Ein Programmfehler hat das beendet.',
    not_stored: () =>
      'Diese Antwort ließ sich nicht speichern. Deine Nachricht ist gespeichert: Lade die Unterhaltung in einer Minute neu, dann siehst du, was geschehen ist.',
    model_unavailable: byReason(unavailable.de),
    context_too_long: byReason(tooLong.de),
    model_late: () => 'Das Sprachmodell hat nicht rechtzeitig geantwortet.',
    model_silent: () =>
      'Das Sprachmodell hat keine Antwort gegeben. Versuch es noch einmal, sag es anders oder verlang weniger auf einmal.',
    out_of_tokens: () => 'Das Budget für diese Antwort ist aufgebraucht.',
    cut_off: () => '(Diese Antwort war zu lang und wurde abgeschnitten.)',
    done: (about) =>
      about.values.input === undefined || about.done === undefined
        ? `Erledigt: ${inGerman(about)}.`
        : `${about.done}.`,
    done_meanwhile: (about) => `Inzwischen erledigt: ${inGerman(about)}.`,
    done_after_all: (about) =>
      `Später stellte sich heraus, dass dies doch erledigt wurde: ${inGerman(about)}.`,
    called_by_program: ({ values }) =>
      values.program === undefined
        ? 'Das hat ein anderes Programm aufgerufen.'
        : `Das hat ein Programm aufgerufen, das sich ${quotedValue(values.program, ['„', '“'])} nennt.`,
    nothing_done: () => 'Es wurde nichts ausgeführt.',
    nothing_more_done: () => 'Es wurde nichts weiter ausgeführt.',
  },
} satisfies Subject<
  | 'stopped_early'
  | 'stopped'
  | 'overtaken'
  | 'interrupted'
  | 'server_fault'
  | 'program_fault'
  | 'not_stored'
  | 'model_unavailable'
  | 'context_too_long'
  | 'model_late'
  | 'model_silent'
  | 'out_of_tokens'
  | 'cut_off'
  | 'done'
  | 'done_meanwhile'
  | 'done_after_all'
  | 'called_by_program'
  | 'nothing_done'
  | 'nothing_more_done'
>
