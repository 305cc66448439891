/**
 * URLs from their `//` on, also escaped as in JSON; without it if a path or a query follows the host;
 * and `data:`, but not `mailto:`.
 */
const link =
  /(?:\\?\/){2}[^\s<>"“”„«»、。，；！？）」』】》]+|(?<![\p{L}\p{N}@._/\\-])(?:localhost|(?:[\p{L}\p{N}-]{1,63}\.){1,10}[\p{L}\p{N}-]{2,63})(?::\d{1,5})?[/?#][^\s<>"“”„«»、。，；！？）」』】》]*|(?<![\p{L}\p{N}])data:[\w.+/;=-]{0,200},\S*/giu

/** A text without its URLs: a mail address inside one is not a recipient that somebody named. */
export function withoutLinks(text: string): string {
  return text.replace(link, '\n')
}
