import { byWhy, type None, type OneOf, type Refuses } from '../refuse.ts'
import type { GermanAddress } from '../sentences/german-address.ts'

export interface Missing {
  attached: None
  deleted: None
}
export interface Unreadable {
  content: { file: string }
  no_content: None
  pdf: None
}
export interface TooManyRead {
  shown: None
  read: None
}

export interface FileRefusals {
  empty_file: { file: string }
  wrong_media_type: { file: string; declared: string }
  file_not_found: OneOf<Missing>
  file_too_large: { file: string; mebibytes: number }
  files_too_large: { mebibytes: number }
  too_many_files: { most: number; count: number }
  too_much_stored: { mebibytes: number }
  unreadable_file: OneOf<Unreadable>
  too_many_documents: OneOf<TooManyRead>
  storage_unavailable: None
}

const isPdf = (declared: string) => declared === 'application/pdf'
const named = (file: string) => JSON.stringify(file)

/** Files that are not stored, or cannot be read. */
export const fileRefusals = {
  en: {
    empty_file: ({ file }) => `The file ${named(file)} is empty. Attach a different one.`,
    wrong_media_type: ({ file, declared }) =>
      `The file ${named(file)} is declared as a ${isPdf(declared) ? 'PDF' : `picture (${declared})`}, but its content is not one. Attach the right file, or declare its real type.`,
    file_not_found: byWhy<Missing>({
      attached: 'A file of this message is no longer stored here. Attach it again.',
      deleted: 'This file was deleted.',
    }),
    file_too_large: ({ file, mebibytes }) =>
      `The file ${named(file)} is larger than ${mebibytes} MiB. Attach a smaller one.`,
    files_too_large: ({ mebibytes }) =>
      `The files of one message may have ${mebibytes} MiB together. Send fewer, or several messages.`,
    too_many_files: ({ most, count }) =>
      `One message can have ${most} files, not ${count}. Send fewer, or several messages.`,
    too_much_stored: ({ mebibytes }) =>
      `Your files would take more than the ${mebibytes} MiB that you have here. Delete conversations whose files you no longer need, then send this again.`,
    unreadable_file: byWhy<Unreadable>({
      content: ({ file }) =>
        `The content of the file ${named(file)} cannot be read: it is not the base64 that its data URL says. Attach it again.`,
      no_content: 'A file comes as a data URL, with its content in base64. Attach it again.',
      pdf: 'The text of this PDF cannot be read: it is damaged, locked or too large.',
    }),
    too_many_documents: byWhy<TooManyRead>({
      shown: 'Too many files are being read right now. Load this one again in a few seconds.',
      read: 'Too many documents are being read right now. Try again in a few seconds.',
    }),
    storage_unavailable: 'The storage for files cannot be reached. Try again in a minute.',
  } satisfies Refuses<FileRefusals>,

  de: ({ say }: GermanAddress): Refuses<FileRefusals> => {
    const attach = say('Hänge', 'Hängen Sie')
    const again = `${say('Versuche', 'Versuchen Sie')} es in ein paar Sekunden noch einmal.`
    const orSeveral = `${say('Sende', 'Senden Sie')} weniger, oder mehrere Nachrichten.`
    return {
      empty_file: ({ file }, { show }) => `Die Datei ${show.value(file)} ist leer.`,
      wrong_media_type: ({ file, declared }, { show }) =>
        `Die Datei ${show.value(file)} soll ein ${isPdf(declared) ? 'PDF' : `Bild (${declared})`} sein, ist aber keines. ${attach} die richtige an.`,
      file_not_found: byWhy<Missing>({
        attached: `Eine Datei dieser Nachricht ist nicht mehr da. ${attach} sie noch einmal an.`,
        deleted: 'Diese Datei wurde gelöscht.',
      }),
      file_too_large: ({ file, mebibytes }, { show }) =>
        `Die Datei ${show.value(file)} ist größer als ${mebibytes} MiB. ${attach} eine kleinere an.`,
      files_too_large: ({ mebibytes }) =>
        `Die Dateien einer Nachricht dürfen zusammen ${mebibytes} MiB groß sein. ${orSeveral}`,
      too_many_files: ({ most, count }) =>
        `Eine Nachricht kann ${most} Dateien haben, nicht ${count}. ${orSeveral}`,
      too_much_stored: ({ mebibytes }) =>
        `Für weitere Dateien ist kein Platz: ${say('Du hast', 'Sie haben')} hier ${mebibytes} MiB. ${say('Lösche', 'Löschen Sie')} Unterhaltungen mit Dateien, und ${say('sende', 'senden Sie')} es noch einmal.`,
      unreadable_file: byWhy<Unreadable>({
        content: ({ file }, { show }) =>
          `Die Datei ${show.value(file)} lässt sich nicht lesen: Ihr Inhalt ist nicht das Base64, das ihre Data-URL ankündigt. ${attach} sie noch einmal an.`,
        no_content: `Eine Datei kommt als Data-URL, mit ihrem Inhalt in Base64. ${attach} sie noch einmal an.`,
        pdf: 'Der Text dieses PDFs lässt sich nicht lesen: Es ist beschädigt, geschützt oder zu groß.',
      }),
      too_many_documents: `Gerade werden zu viele Dateien gelesen. ${again}`,
      storage_unavailable: `Dateien sind gerade nicht erreichbar. ${say('Versuche', 'Versuchen Sie')} es in einer Minute noch einmal.`,
    }
  },
}
