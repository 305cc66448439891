import { withoutMark } from '../sentence.ts'

/** A question as a heading: what is asked stands out, what is said besides is quiet. */
export function QuestionText({ id, question }: { id?: string; question: string }) {
  const [asked, rest] = splitQuestion(withoutMark(question))
  return (
    <h2 id={id}>
      {asked}
      {rest && <span className="askback-rest"> {rest}</span>}
    </h2>
  )
}

/** The first sentence, and what comes after it. */
export function splitQuestion(text: string): [asked: string, rest: string] {
  const [, asked, rest] = /^(.{8,}?[.?!])\s+(?=[\p{Lu}“"(])(.+)$/su.exec(text) ?? []
  return asked !== undefined && rest !== undefined ? [asked, rest] : [text, '']
}
