/** The English labels that attaching a file needs. */
export const englishFiles = {
  uploading: (name: string) => `Uploading “${name}” …`,
  attached: (names: string) => `Attached: ${names}`,
  fileTooLarge: (name: string, most: string) => `“${name}” is larger than ${most}. Attach a smaller one.`,
  fileEmpty: (name: string) => `“${name}” is empty.`,
  filesTooLarge: (most: string) => `The files in one message can total up to ${most}.`,
  tooManyFiles: (most: number) => `A message can have up to ${most} files. Send the rest in another message.`,
}
