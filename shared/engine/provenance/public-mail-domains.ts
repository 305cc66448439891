/**
 * Domains at which everybody can have an address: whoever may be written to at one of them is anybody. From the mail
 * providers that SMTP knows servers for (a test compares them), and from what others say of their free addresses.
 */
const domains: readonly string[] = [
  // Google, Apple, Microsoft, Yahoo, AOL
  ...['gmail.com', 'googlemail.com', 'icloud.com', 'me.com', 'mac.com'],
  ...['outlook.com', 'outlook.de', 'outlook.fr', 'outlook.es', 'outlook.it', 'outlook.at', 'outlook.com.br'],
  ...['hotmail.com', 'hotmail.co.uk', 'hotmail.de', 'hotmail.fr', 'hotmail.es', 'hotmail.it', 'msn.com'],
  ...['live.com', 'live.co.uk', 'live.de', 'live.fr', 'live.nl', 'live.it', 'live.se', 'live.dk'],
  ...['yahoo.com', 'yahoo.co.uk', 'yahoo.de', 'yahoo.fr', 'yahoo.es', 'yahoo.it', 'yahoo.ca', 'yahoo.in'],
  ...['yahoo.co.in', 'yahoo.co.jp', 'yahoo.com.br', 'yahoo.com.au', 'yahoo.com.mx', 'yahoo.com.ar'],
  ...['ymail.com', 'rocketmail.com', 'aol.com', 'aol.de', 'aim.com'],
  // All over the world
  ...['fastmail.com', 'fastmail.fm', 'zoho.com', 'zohomail.com', 'zohomail.eu', 'mail.com', 'email.com'],
  ...['gmx.com', 'gmx.us', 'proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me', 'hey.com', 'duck.com'],
  ...['tuta.com', 'tuta.io', 'tutanota.com', 'tutanota.de', 'tutamail.com', 'hushmail.com', 'mailfence.com'],
  // Germany, Austria, Switzerland
  ...['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch', 'web.de', 't-online.de', 'magenta.de', 'freenet.de'],
  ...['mailbox.org', 'posteo.de', 'posteo.net', 'arcor.de', 'online.de', 'bluewin.ch', 'aon.at', 'chello.at'],
  // Elsewhere in Europe
  ...['orange.fr', 'wanadoo.fr', 'free.fr', 'laposte.net', 'sfr.fr', 'neuf.fr', 'libero.it', 'virgilio.it'],
  ...['alice.it', 'tin.it', 'tiscali.it', 'ziggo.nl', 'planet.nl', 'kpnmail.nl', 'xs4all.nl', 'telenet.be'],
  ...[
    'skynet.be',
    'btinternet.com',
    'sky.com',
    'virginmedia.com',
    'ntlworld.com',
    'talktalk.net',
    'eircom.net',
  ],
  ...['seznam.cz', 'email.cz', 'centrum.cz', 'wp.pl', 'o2.pl', 'onet.pl', 'interia.pl', 'abv.bg', 'sapo.pt'],
  ...['telia.com', 'online.no', 'mail.ru', 'inbox.ru', 'bk.ru', 'list.ru', 'rambler.ru', 'yandex.com'],
  ...['yandex.ru', 'ya.ru', 'ukr.net'],
  // America, Asia
  ...['comcast.net', 'verizon.net', 'att.net', 'sbcglobal.net', 'bellsouth.net', 'cox.net', 'charter.net'],
  ...['shaw.ca', 'rogers.com', 'uol.com.br', 'bol.com.br', 'terra.com.br', 'bigpond.com', 'optusnet.com.au'],
  ...['qq.com', 'foxmail.com', '163.com', '126.com', 'yeah.net', 'sina.com', 'sohu.com', 'aliyun.com'],
  ...['naver.com', 'daum.net', 'hanmail.net', 'nate.com', 'docomo.ne.jp', 'ezweb.ne.jp', 'rediffmail.com'],
]

const known = new Set(domains)

/** Whether everybody can have an address at a domain, in small letters. */
export const isPublicMailDomain = (domain: string): boolean => known.has(domain)
