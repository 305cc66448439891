// The pages that links in mails lead to, loaded together: each name more would make the first page larger.
export { LinkQuestion } from './link-question.tsx'
export { NewPassword } from './new-password.tsx'
