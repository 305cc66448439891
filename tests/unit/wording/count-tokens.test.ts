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
]

test.each(counted)('%s', (text, tokens) => {
  expect(countTokens(text)).toBeGreaterThanOrEqual(Math.floor(tokens * 0.93))
  expect(countTokens(text)).toBeLessThanOrEqual(tokens * 2)
})
