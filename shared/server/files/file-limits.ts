const kib = 1024
const mib = 1024 * kib

/**
 * Limits on attached files and on what a model reads of them. Those of `file`, `message` and `files` are also in
 * `client/attached-files.ts`, that of `file` also in the migration `files`: change them together.
 */
export const fileLimits = {
  /** Bytes of one file. */
  file: 5 * mib,
  /** Bytes of all files of one message, and their number. */
  message: 10 * mib,
  files: 10,
  /** Bytes of all files of one user. */
  user: 500 * mib,
  /** Bytes of text that a model reads of one file, as of a tool's output. */
  text: 32 * kib,
  /** Characters after which parsing a PDF stops: somewhat more than a model reads of it. */
  pdfText: 40_000,
  /** Characters of text of all files in one request to a model. */
  requestText: 96 * kib,
  /** Pictures in one request to a model, and their bytes: providers accept at least five pictures. */
  requestPictures: 5,
  requestPictureBytes: 10 * mib,
}
