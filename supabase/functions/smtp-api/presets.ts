/** A server for sending mail, with TLS from the first byte: hosted Supabase blocks the STARTTLS ports. */
export interface MailServer {
  host: string
  port: number
}

/** Domains of mail addresses, by the server that their provider documents for sending. */
export const servers: readonly (MailServer & { domains: readonly string[] })[] = [
  // https://support.google.com/a/answer/176600
  { host: 'smtp.gmail.com', port: 465, domains: ['gmail.com', 'googlemail.com'] },
  // https://support.apple.com/102525: STARTTLS only
  { host: 'smtp.mail.me.com', port: 587, domains: ['icloud.com', 'me.com', 'mac.com'] },
  // https://support.microsoft.com/office/d088b986-291d-42b8-9564-9c414e2aa040: STARTTLS only
  {
    host: 'smtp-mail.outlook.com',
    port: 587,
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'outlook.de', 'hotmail.co.uk'],
  },
  // https://help.yahoo.com/kb/SLN4724.html
  { host: 'smtp.mail.yahoo.com', port: 465, domains: ['yahoo.com', 'ymail.com', 'rocketmail.com'] },
  { host: 'smtp.mail.yahoo.co.uk', port: 465, domains: ['yahoo.co.uk'] },
  // https://help.aol.com/articles/how-do-i-use-other-email-applications-to-send-and-receive-my-aol-mail
  { host: 'smtp.aol.com', port: 465, domains: ['aol.com'] },
  // https://www.fastmail.help/hc/en-us/articles/1500000279921
  { host: 'smtp.fastmail.com', port: 465, domains: ['fastmail.com', 'fastmail.fm'] },
  // https://www.zoho.com/mail/help/zoho-smtp.html
  { host: 'smtp.zoho.com', port: 465, domains: ['zoho.com', 'zohomail.com'] },
  { host: 'smtp.zoho.eu', port: 465, domains: ['zohomail.eu'] },
  // https://hilfe.gmx.net/pop-imap/einschalten.html and https://hilfe.web.de/pop-imap/imap/imap-serverdaten.html
  { host: 'mail.gmx.net', port: 465, domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'] },
  { host: 'mail.gmx.com', port: 465, domains: ['gmx.com', 'gmx.us'] },
  { host: 'smtp.web.de', port: 465, domains: ['web.de'] },
  { host: 'securesmtp.t-online.de', port: 465, domains: ['t-online.de', 'magenta.de'] },
  { host: 'smtp.mailbox.org', port: 465, domains: ['mailbox.org'] },
  { host: 'posteo.de', port: 465, domains: ['posteo.de', 'posteo.net'] },
  { host: 'smtp.mail.ru', port: 465, domains: ['mail.ru', 'inbox.ru', 'bk.ru', 'list.ru'] },
  { host: 'smtp.yandex.com', port: 465, domains: ['yandex.com', 'yandex.ru', 'ya.ru'] },
  { host: 'smtp.qq.com', port: 465, domains: ['qq.com', 'foxmail.com'] },
  { host: 'smtp.163.com', port: 465, domains: ['163.com'] },
]

const byDomain = new Map(
  servers.flatMap(({ domains, host, port }) => domains.map((domain) => [domain, { host, port }] as const)),
)

/** The server for a mail address (or a user name that is one); undefined if its domain is not listed. */
export function mailServerOf(address: string): MailServer | undefined {
  return byDomain.get(
    address
      .slice(address.lastIndexOf('@') + 1)
      .trim()
      .toLowerCase(),
  )
}
