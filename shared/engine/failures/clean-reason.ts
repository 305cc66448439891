import { clipText } from '../core/clip-text.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { hidePaths } from './source-paths.ts'

const longest = 200

/** What runtimes say about a connection: not the provider's words, and with addresses of our network in them. */
const connectionNoise =
  /\b(?:connect|getaddrinfo|read|write|socket|query\w+) E[A-Z_]{3,}|\bSSL routines\b|\berror:[0-9A-F]{8}|\bos error \d+|^(?:fetch failed|terminated|other side closed|socket hang up)$|\berror sending request\b|\bHTTPS?ConnectionPool\b|\bdial tcp\b|\b(?:Client|Server) Error: .{0,60} for url:|\(attempted address/i

/** Reason phrases that say no more than the error's type; 'Payload Too Large' says more. */
const statusPhrases =
  'Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Conflict|Unprocessable (?:Entity|Content)|Too Many Requests|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out'
/** `failed with status 502`, `(HTTP 503)`. */
const statusInside =
  /[\s,:(-]*\b(?:(?:with )?status(?:[ _]?code)?|(?:HTTP|response) code|server response|error(?= [45]\d\d(?:[:)]|$))|HTTP(?:\/[\d.]+)?(?: error)?):? ?[1-5]\d\d\b\)?/gi
/** `403 Forbidden`. */
const statusLine = new RegExp(`\\b[1-5]\\d\\d:? (?=(?:${statusPhrases})\\b)`, 'gi')
/** Text that says no more than the error's type. */
const saysNothing = new RegExp(
  `^\\(?(?:${statusPhrases}|(?:an? )?(?:unknown|unexpected|internal)? ?error(?: has)?(?: occurred)?|something went wrong|(?:the )?(?:request|connection|operation)? ?timed out|invalid request)[.!)]?$`,
  'i',
)

/** Where a stack trace begins, in the formats of runtimes and languages. */
const stack = /\n\s*at [^\n]*(?:\n|$)|\n\s*File "|(?:^|\n)Traceback|\n\s*goroutine \d|\n\s*Stack trace:/

export function withoutStack(text: string): string {
  return text.split(stack)[0] ?? ''
}

/**
 * A provider's message, fit for display: one line without stack, paths, status line, class names and secrets.
 * Empty if nothing is left that a person would understand.
 */
export function cleanReason(text: string): string {
  let reason = maskSecrets(withoutStack(text))
    .replace(/<\/?[a-z][^>@]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  for (let before = ''; before !== reason; ) {
    before = reason
    reason = reason.replace(prefixes, '').trim()
  }
  reason = hidePaths(reason)
    .replace(/(\bhttps?:\/\/[^\s"'?#]+)[?#][^\s"']*/g, '$1')
    .replace(statusInside, '')
    .replace(statusLine, '')
    .replaceAll('"', "'")
    .replace(/\s*[([][45]\d\d[)\]]$/, '')
    .replace(/^[\s:;,.-]+|[\s:;,-]+$/g, '')
  // A single word in ASCII is a code, and what a runtime says about a connection is not the provider's message.
  if (!/\p{L}\S*\s+\S|[^ -~]/u.test(reason) || connectionNoise.test(reason) || saysNothing.test(reason))
    return ''
  return clipText(reason, longest)
}

/** Prefixes that programs add to a message: errno, classes, status lines, our own older wrappers. */
const prefixes = new RegExp(
  `^(?:${[
    'E[A-Z]{3,}:',
    '(?:\\w+\\.)*(?:[A-Z]\\w*)?(?:Error|Exception)(?: \\[\\w+\\])?:',
    '\\d{1,2} [A-Z]+(?:_[A-Z]+)*:|rpc error: code = \\w+ desc =',
    '\\[[^\\]]*(?:Error|Exception)\\]:?',
    'Uncaught|\\(in promise\\)',
    'MCP error -?\\d+:?',
    `(?:${statusPhrases})[.:] (?:User message:)?`,
    'Question:|Tool execution error:?|Validation errors?:',
    'Request failed with status code \\d{3}|Error code: \\d{3}[\\s-]*|status(?: code)?:? \\d{3}[\\s:.-]*',
    `(?:HTTP(?:/[\\d.]+)?(?: error)?:? ?)?\\[?[1-5]\\d\\d\\]?[\\s:-]+(?:${statusPhrases})\\b[\\s:.-]*`,
    'HTTP(?:/[\\d.]+)?(?: error)?:? ?\\d{3}\\b[\\s:.-]*',
    '\\[[1-5]\\d\\d\\]:?(?= )',
    'Error \\d{3}:',
    '[245]\\d\\d[ -](?:[245]\\.\\d+\\.\\d+ )?(?=\\S)',
  ].join('|')})\\s*`,
  'i',
)
