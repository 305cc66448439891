/** Where providers name the parameter at fault, from the clearest wording to the vaguest. The name is group 1. */
const patterns: readonly RegExp[] = [
  /\brequired parameters?:? \[([\w.[\]-]+)\]/i,
  /#\/([\w/-]+)/,
  /\(([a-z_]\w*)\) (?:is|are) (?:required|missing)/i,
  /\b(?:parameter|field|property|argument|column|query|param|key|name)s?:? (?:name )?["'`[]([\w.[\]-]+)["'`\]]/i,
  /["'`]([\w.[\]-]+)["'`] (?:parameter|field|property|argument|column|is (?:a )?required|is missing|must be|should be|is not|was not)/i,
  /\bmissing (?:required )?(?:parameter|field|property|argument|value|key)s?(?: for)?:? ["'`]?([a-z_][\w.[\]-]*)/i,
  /\b(?:parameter|field|property|argument|column) ([a-z_][\w.[\]-]*) (?:is|must|should|was|already|cannot)/i,
  /(?<!request )\b([a-z_][\w.[\]-]*) (?:parameter|field|property|argument) (?:is|was|must|should|cannot|has)\b/i,
  /\bsame value for property (\w+)/i,
  /(?:^|[\s:])([a-z_][\w.[\]-]*): (?:field required|input should|extra inputs|none is not|value error|required)/i,
  /(?<!request )\b([a-z_][\w.-]*) (?:is|are) (?:a )?(?:required|missing)\b/i,
  /\b([a-z]\w*_\w+|[a-z]+[A-Z]\w*) (?:not an?|must be|should be|is not|is invalid|cannot be)\b/,
]

/** Words that stand where a name is expected. */
const noNames =
  /^(?:the|a|an|this|that|it|which|and|or|value|parameter|field|property|argument|request|authentication|authorization|key|api|token|is|are|be|one|of|what|login|password|permission|scope|access|header|permissions|values|names?|fields?|properties|user|users)$/i

/** The parameter that an error message names, written like `to[0].email`. */
export function parameterIn(message: string): string | undefined {
  for (const pattern of patterns) {
    const name = pattern.exec(message)?.[1]
    if (name && !noNames.test(name)) return formatParameter(name)
  }
  return undefined
}

/** `personalizations.0.to` and `messages/2/content` as `personalizations[0].to` and `messages[2].content`. */
export function formatParameter(name: string): string {
  return name
    .replace(/^[/#]+|[.:/]+$/g, '')
    .replace(/[./](\d+)(?=[./[]|$)/g, '[$1]')
    .replaceAll('/', '.')
}
