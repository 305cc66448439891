import { expect, test } from 'vitest'
import { countTokens } from '../../../shared/engine/wording/count-tokens.ts'

/** What o200k or cl100k, whichever is more, makes of a text; counted with gpt-tokenizer 4.0.0. */
const counted: [string, number][] = [
  ['', 0],
  ['Question: Who should I send this email to? Please provide the recipient email address.', 17],
  [
    'gmail_send_email, attempt 1 of 3: invalid_type "count": must be a string, got number (Parameter "count": expected string, received number).',
    34,
  ],
  [
    'Parameters: to (string, email, required), send_at (string, date and time like 2025-01-31T09:30:00Z), cc (array of string, email).',
    42,
  ],
  ['{"to":"ada@example.com","subject":"Meeting","items":[{"sku":"A-1017","quantity":3}]}', 26],
  ['one of "AIRPORT_OPTION_VALUE_0", "MARRIED_FILING_JOINTLY", "HeadOfHousehold"', 27],
  ['string matching ^[A-Za-z0-9]{8}-(?:[A-Za-z0-9]{4}-){3}[A-Za-z0-9]{12}$', 37],
  ['Correo electrónico del cliente tal como aparece en su documento de identidad', 14],
  ['注文を行う顧客の正式な氏名。姓と名の間に空白を入れてください。', 32],
  ['请提供收件人的电子邮件地址', 12],
  ['Полный текст сообщения, которое будет отправлено получателю', 17],
  ['النص الكامل للرسالة التي سيتم إرسالها إلى المستلم', 31],
  ['हिंदी में ग्राहक का पूरा नाम', 26],
  ['받는 사람의 이메일 주소를 입력하세요', 15],
  ['🚀 lift-off 👩‍👩‍👧‍👦 family', 23],
  [
    "export async function readRows(path: string): Promise<Row[]> {\n  const text = await readFile(path, 'utf8')\n  return text.split('\\n').map((line) => JSON.parse(line) as Row)\n}",
    46,
  ],
  ['2026-11-28,1017,49.90,EUR,paid\n2026-11-29,1018,129.00,EUR,open\n2026-11-30,1019,7.50,EUR,paid\n', 54],
  ['hV3kZ0qPpX9m2LrT8yBvNw4sQeJc7uFdGa1iKoRlYxMzHbSnEtUjWgCfDIvA5O6+/Q==', 61],
  [
    '[{"id":"18c2f0a9b7d4e311","from":"Ada <ada@example.com>","subject":"Re: Invoice 1017","unread":true,"labels":["INBOX","UNREAD"]}]',
    50,
  ],
]

test.each(counted)('%s', (text, tokens) => {
  expect(countTokens(text)).toBeGreaterThanOrEqual(Math.floor(tokens * 0.93))
  expect(countTokens(text)).toBeLessThanOrEqual(tokens * 2)
})

test('a longer text of another language than English is taken apart', () => {
  const text =
    'Guten Tag, könnten Sie mir bitte die Unterlagen für die Besprechung am Donnerstag schicken? Ich brauche außerdem die Zahlen des dritten Quartals und eine kurze Zusammenfassung der offenen Punkte.'
  // o200k: 38, cl100k and Llama 3: 51.
  const tokens = countTokens(text.repeat(20))
  expect(tokens).toBeGreaterThan(20 * 38)
  expect(tokens).toBeLessThan(20 * 60)
})
