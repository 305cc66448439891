import { headerText, partsOf, type StoredMail, snippetOf, textOf } from './gmail-message.ts'

type Test = (mail: StoredMail) => boolean

const day = 86_400_000
const units: Record<string, number> = { d: day, m: 30 * day, y: 365 * day }

/** The operators of Gmail's search box that the simulator knows (https://support.google.com/mail/answer/7190). */
const operators: Record<string, (value: string, labels: ReadonlyMap<string, string>) => Test> = {
  from: (value) => (mail) => has(headerText(mail, 'from'), value),
  to: (value) => (mail) => ['to', 'cc', 'bcc'].some((name) => has(headerText(mail, name), value)),
  cc: (value) => (mail) => has(headerText(mail, 'cc'), value),
  bcc: (value) => (mail) => has(headerText(mail, 'bcc'), value),
  subject: (value) => (mail) => has(headerText(mail, 'subject'), value),
  filename: (value) => (mail) => partsOf(mail.tree).some(({ filename }) => has(filename, value)),
  rfc822msgid: (value) => (mail) => has(headerText(mail, 'message-id'), value),
  after: (value) => (mail) => mail.internalDate >= timeOf(value),
  before: (value) => (mail) => mail.internalDate < timeOf(value),
  newer_than: (value) => (mail) => mail.internalDate >= Date.now() - spanOf(value),
  older_than: (value) => (mail) => mail.internalDate < Date.now() - spanOf(value),
  has: (value) => (mail) =>
    value === 'attachment' && partsOf(mail.tree).some(({ filename }) => filename !== ''),
  is: (value) => (mail) =>
    value === 'read' ? !mail.labelIds.has('UNREAD') : mail.labelIds.has(value.toUpperCase()),
  in: (value) => (mail) => value === 'anywhere' || mail.labelIds.has(value.toUpperCase()),
  label: (value, labels) => (mail) =>
    mail.labelIds.has(labels.get(value.toLowerCase().replaceAll(' ', '-')) ?? value.toUpperCase()),
}

/** Parses a search text; `labels`: ids by name in lower case, spaces as dashes. An unknown operator is a plain word. */
export function readQuery(q: string, labels: ReadonlyMap<string, string>): Test {
  const words = q.match(/[^\s"]+(?:"[^"]*"?)?|"[^"]*"?/g) ?? []
  const groups: Test[][] = []
  let isOr = false
  for (const word of words) {
    if (word === 'OR') {
      isOr = true
      continue
    }
    const test = readWord(word, labels)
    if (isOr && groups.length > 0) groups.at(-1)?.push(test)
    else groups.push([test])
    isOr = false
  }
  return (mail) => groups.every((group) => group.some((test) => test(mail)))
}

/** Whether a search includes spam and trash. */
export function looksInTrash(q: string): boolean {
  return /\bin:(?:anywhere|trash|spam)\b/.test(q)
}

function readWord(written: string, labels: ReadonlyMap<string, string>): Test {
  const isNegated = written.startsWith('-') && written.length > 1
  const word = isNegated ? written.slice(1) : written
  const [, name = '', quoted = ''] = /^(?:(\w+):)?(.*)$/s.exec(word) ?? []
  const value = quoted.replace(/["()]/g, '')
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
  const test = operator
    ? operator(value, labels)
    : (mail: StoredMail) => has(everyWordOf(mail), word.replace(/"/g, ''))
  return isNegated ? (mail) => !test(mail) : test
}

function everyWordOf(mail: StoredMail): string {
  const texts = partsOf(mail.tree).filter(({ mimeType }) => mimeType.startsWith('text/'))
  const names = ['from', 'to', 'cc', 'subject'].map((name) => headerText(mail, name))
  return [...names, snippetOf(mail.tree), ...texts.map(textOf)].join('\n')
}

function has(text: string, value: string): boolean {
  return text.toLowerCase().includes(value.toLowerCase())
}

function timeOf(value: string): number {
  return /^\d{9,}$/.test(value) ? Number(value) * 1000 : Date.parse(value.replaceAll('/', '-'))
}

function spanOf(value: string): number {
  const [, count, unit = 'd'] = /^(\d+)([dmy])$/.exec(value) ?? []
  return Number(count) * (units[unit] ?? day)
}
