/** The English labels about files that cannot be attached. */
export const englishFiles = {
  fileTooLarge: (name: string, most: string) => `“${name}” is larger than ${most}. Attach a smaller one.`,
  fileEmpty: (name: string) => `“${name}” is empty.`,
  filesTooLarge: (most: string) => `The files in one message can total up to ${most}.`,
  tooManyFiles: (most: number) => `A message can have up to ${most} files. Send the rest in another message.`,
}
