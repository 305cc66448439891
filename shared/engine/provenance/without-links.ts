/**
 * Addresses on the web as they stand in a text, also without a scheme where a path or a query follows the host, also
 * escaped as in JSON; `mailto:` is none.
 */
const link =
  /(?:[a-z][a-z0-9+.-]{0,30}:)?(?:\\?\/){2}[^\s<>"“”„«»、。，；！？）」』】》]+|(?<![\p{L}\p{N}@._/\\-])(?:localhost|(?:[\p{L}\p{N}-]{1,63}\.){1,10}[\p{L}\p{N}-]{2,63})(?::\d{1,5})?[/?#][^\s<>"“”„«»、。，；！？）」』】》]*|(?<![\p{L}\p{N}])data:[\w.+/;=-]{0,200},\S*/giu

/** A text without its web addresses: a mail address inside one is no recipient that somebody named. */
export function withoutLinks(text: string): string {
  return text.replace(link, '\n')
}
