import { maskSecrets } from './mask-secrets.ts'

const longest = 200

/** What runtimes say of a connection: their words, not the provider's, with addresses of our network in them. */
const connectionNoise =
  /\b(?:connect|getaddrinfo|read|write|socket|queryA) E[A-Z]{3,}|\bos error \d+|^(?:fetch failed|terminated|other side closed|socket hang up)$|\berror sending request\b/i

/**
 * What a provider said, fit to be shown: one line without stack, paths, status line, class names and secrets.
 * Empty when nothing is left that a person would understand.
 */
export function cleanReason(text: string): string {
  const [firstLines = ''] = text.split(/\n\s*at [^\n]*(?:\n|$)|\n\s*File "|(?:^|\n)Traceback/)
  let reason = maskSecrets(firstLines)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  for (let before = ''; before !== reason; ) {
    before = reason
    reason = reason.replace(prefixes, '').trim()
  }
  reason = reason
    .replace(
      /(?:file:\/\/)?(?:(?<![\w:/.#])(?:~|\.{1,2})?\/(?:[\w.@+-]+\/)+[\w.@+-]*|\b[A-Za-z]:\\[^\s"']+)/g,
      '…',
    )
    .replace(/(\bhttps?:\/\/[^\s"'?#]+)[?#][^\s"']*/g, '$1')
    .replace(/(^|[\s:=])[245]\d\d[ -]#?[245]\.\d{1,3}\.\d{1,3}(?=\s|$)/g, '$1')
    .replaceAll('"', "'")
    .replace(/^[\s:;,.-]+|[\s:;,-]+$/g, '')
  // A single word is a code, and what a runtime says of a connection are not the provider's words.
  if (!/\p{L}\S*\s+\S/u.test(reason) || connectionNoise.test(reason)) return ''
  return reason.length > longest ? `${reason.slice(0, longest - 1).trimEnd()}…` : reason
}

/** What programs put in front of a message: errno, classes, status lines, mail clients, our own older wrappers. */
const prefixes = new RegExp(
  `^(?:${[
    'E[A-Z]{3,}:',
    '(?:[A-Z]\\w*)?(?:Error|Exception)(?: \\[\\w+\\])?:',
    '\\[[^\\]]*(?:Error|Exception)\\]:?',
    'Uncaught|\\(in promise\\)',
    'MCP error -?\\d+:?',
    'Tool execution error:?|Validation errors?:',
    'Request failed with status code \\d{3}|Error code: \\d{3}[\\s-]*|status(?: code)?:? \\d{3}[\\s:.-]*',
    'HTTP(?:/[\\d.]+)?(?: error)?:? ?\\d{3}\\b(?: [A-Z][\\w-]*)*[\\s:.-]*',
    '\\[?\\d{3}\\]?[\\s:-]+(?:[A-Z][\\w-]+(?: [A-Z][\\w-]+)*)?[\\s:.-]*$',
    '[245]\\d\\d[ -](?=[A-Za-z])',
    "(?:Mail|Recipient|Message) (?:command )?failed:|Invalid login:|Can't send mail - all recipients were rejected:",
  ].join('|')})\\s*`,
  'i',
)
