/** Reason phrases of RFC 9110 and common proxies: next to one of these, three digits are a status. */
const reasonPhrases =
  'Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Proxy Authentication Required|Request Time-?out|Conflict|Gone|Length Required|Precondition Failed|Payload Too Large|Content Too Large|Request Entity Too Large|URI Too Long|Unsupported Media Type|Unprocessable|Locked|Failed Dependency|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out'

const patterns = [
  new RegExp(`(?<![\\w.])([45]\\d\\d)\\b[\\s:,|)\\]-]{1,3}(?:${reasonPhrases})\\b`, 'i'),
  /\b(?:HTTP(?:\/\d(?:\.\d)?)?|status(?:[ _]?code)?|HTTP code|server response|response code|error code|error)[\s:=#(]{1,3}([45]\d\d)(?![\w.-]*\d|\w)/i,
  // `create failed (503): …`, `Dropbox answered 409: …`, `Failed to enable: 422 - …`.
  /\b(?:fail(?:ed|ure|s)?|error|answered|returned|responded|replied|rejected|got|received)\b[^\d\n]{0,40}?[\s(]([45]\d\d)(?:\)|:|\s[-—–]\s|$)/i,
  // Everything before a JSON body: `529 {"type":"error"}`.
  /^([45]\d\d)\s*$/,
  // gspread: `APIError: [429]: Quota exceeded`.
  /(?:^|: )\[([45]\d\d)\]:? /,
  new RegExp(`\\b(?:${reasonPhrases})\\s*\\(?(?:HTTP )?([45]\\d\\d)\\b`, 'i'),
]

/** The HTTP status that a text explicitly states; any other three digits are not a status. */
export function statusInText(text: string): number | undefined {
  for (const pattern of patterns) {
    const status = pattern.exec(text.slice(0, 2_000))?.[1]
    if (status) return Number(status)
  }
  return undefined
}

/** Title and headings of an HTML page; undefined for any other text. */
export function wordsOfHtml(text: string): string | undefined {
  const start = text.slice(0, 2_000)
  if (!/^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body|center|h1|title)\b/i.test(start))
    return undefined
  const headings = [...text.slice(0, 20_000).matchAll(/<(title|h1|h2)\b[^>]*>([^<]{1,200})</gi)].map(
    ([, , words]) => words?.trim(),
  )
  return [...new Set(headings)].join('. ')
}
