// biome-ignore-all format: a table, one reply a line
import { expect, test } from 'vitest'
import type { Resolver, ToolErrorType } from '../../../shared/engine/core/tool-error.ts'
import { readReply } from '../../../supabase/functions/smtp-api/reply.ts'
import { meaningOfReply } from '../../../supabase/functions/smtp-api/reply-meaning.ts'

const replies: [what: string, reply: string, types: ToolErrorType[], resolvers: Resolver[]][] = [
  ['Gmail: unknown user', "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking the recipient's email address for typos - gsmtp", ['not_found'], ['model']],
  ['Outlook: unknown user', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', ['not_found'], ['model']],
  ['Postfix: unknown user', '550 5.1.1 <bob@example.com>: Recipient address rejected: User unknown in virtual mailbox table', ['not_found'], ['model']],
  ['bare 550', '550 No such user here', ['not_found'], ['model']],
  ['mailbox full, temporary', '452 4.2.2 The email account that you tried to reach is over quota.', ['quota_exceeded', 'unavailable'], ['time']],
  ['mailbox full, final', '552 5.2.2 The email account that you tried to reach is over quota and inactive.', ['quota_exceeded', 'not_found'], ['user', 'model', 'nobody']],
  ['too large', "552 5.3.4 Your message exceeded Google's message size limits.", ['invalid_value'], ['model']],
  ['greylisted', '451 4.7.1 Greylisting in action, please come back later', ['unavailable', 'rate_limit_exceeded'], ['time']],
  ['spam', '550 5.7.1 Message rejected as spam by Content Filtering.', ['permission_denied', 'invalid_value'], ['user', 'model', 'nobody']],
  ['blocklist', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org', ['permission_denied'], ['user', 'nobody']],
  ['relay', '550 5.7.1 Unable to relay for bob@example.com', ['permission_denied'], ['user', 'nobody']],
  ['DMARC', '550 5.7.26 This mail has been blocked because the sender is unauthenticated.', ['permission_denied', 'authentication_error'], ['user', 'nobody']],
  ['auth needed', '530 5.7.0 Authentication Required. For more information, go to https://support.google.com', ['authentication_error'], ['user']],
  ['bad password', '535-5.7.8 Username and Password not accepted.', ['authentication_error'], ['user']],
  ['temporary auth failure', '454 4.7.0 Temporary authentication failure: Connection lost to authentication server', ['unavailable', 'authentication_error'], ['time']],
  ['rate, Gmail', '421 4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your IP address.', ['rate_limit_exceeded'], ['time']],
  ['rate, Outlook', '432 4.3.2 Concurrent connections limit exceeded. Visit https://aka.ms/concurrent_sending for more information.', ['rate_limit_exceeded'], ['time']],
  ['rate, Outlook day', "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients", ['quota_exceeded'], ['user']],
  ['sender not allowed', '550 5.7.60 SMTP; Client does not have permissions to send as this sender', ['permission_denied'], ['user']],
  ['sender not owned', '553 5.7.1 <a@example.com>: Sender address rejected: not owned by user b@example.com', ['permission_denied', 'invalid_value'], ['user', 'model']],
  ['bad syntax', '501 5.1.3 Bad recipient address syntax', ['invalid_value'], ['model']],
  ['domain unknown', '550 5.1.2 Host unknown (Name server: example.invalid: host not found)', ['not_found'], ['model']],
  ['too many recipients', '452 4.5.3 Too many recipients', ['rate_limit_exceeded', 'invalid_value', 'unavailable'], ['time', 'model']],
  ['local error', '451 4.3.0 Mail server temporarily rejected message', ['unavailable'], ['time']],
  ['closing', '421 Service not available, closing transmission channel', ['unavailable'], ['time']],
  ['virus', '550 5.7.1 Message contains a virus', ['invalid_value', 'permission_denied'], ['model', 'nobody', 'user']],
  ['STARTTLS', '530 5.7.0 Must issue a STARTTLS command first', ['not_configured', 'authentication_error'], ['user', 'nobody']],
  ['envelope all rejected', '550 5.1.1 <a@b.c>: Recipient address rejected: User unknown', ['not_found', 'invalid_value'], ['model']],
  ['size', '552 5.3.4 Message size exceeds fixed limit', ['invalid_value'], ['model']],
  ['an SMTP word says more than the enhanced code', '552 5.1.1 <ada@example.com> mailbox is over quota', ['quota_exceeded'], ['user']],
  ['an enhanced code says more than the reply code', '551 5.7.1 We do not like you', ['permission_denied'], ['user']],
  ['the subject of an enhanced code says something', '550 5.1.99 Nope', ['not_found'], ['model']],
  ['a reply code counts beside 5.5.0', '553 5.5.0 Nope', ['invalid_value'], ['model']],
  ['530 to 538 are about signing in', '535 5.5.4 Nope', ['authentication_error'], ['user']],
  ['a refused relay is no faulty address', '553 relaying disallowed for you', ['permission_denied'], ['user']],
  ['a blocked content is the message', '552-5.7.0 illegal attachment in your mail', ['invalid_value'], ['model']],
  ['a mail server’s reply with the same number', '503 Bad sequence of commands', ['execution_error'], ['nobody']],
  ['a refused recipient is refused for what follows', '554 5.7.1 <ada@example.com>: Recipient address rejected: Access denied', ['permission_denied'], ['user']],
  ['a recipient refused for no reason', '550 5.1.1 <ada@example.com>: Recipient address rejected', ['not_found'], ['model']],
]

test.each(replies)('%s: %s', (_, reply, types, resolvers) => {
  const { type, resolver } = meaningOfReply(readReply(reply))
  expect(types).toContain(type)
  expect(resolvers).toContain(resolver)
})

test.each([
  ['550 5.1.1 <ada@example.com>: User unknown', 550, '5.1.1', '<ada@example.com>: User unknown'],
  ['550-5.1.1 It does not exist.\r\n550 5.1.1 Check it.', 550, '5.1.1', 'It does not exist. Check it.'],
  ['450 mx_1 4.7.1 no such user here', 450, '4.7.1', 'no such user here'],
  ['550 5.7.1 Blocked', 550, '5.7.1', ''],
  ['454 Throttling failure', 454, undefined, 'Throttling failure'],
  ['451 4.3.0 Mail server rejected it. x12-20a - gsmtp', 451, '4.3.0', 'Mail server rejected it.'],
  ['hello there', 0, undefined, 'hello there'],
])('what %s says is read', (response, code, enhancedCode, reason) => {
  const reply = readReply(response)
  expect([reply.code, reply.enhancedCode, reply.reason]).toEqual([code, enhancedCode, reason])
})
