// The pages that links in mails lead to, loaded together.
export { LinkQuestion } from './link-question.tsx'
export { NewPassword } from './new-password.tsx'
