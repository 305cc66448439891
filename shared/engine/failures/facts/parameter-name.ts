/** A name as providers write it: `to[0].email`, `messages.1.content`, `X-Api-Version`. */
const name = '[A-Za-z_$][\\w.[\\]-]*'
const quoted = `["'\`]\\$?\\.?(${name})["'\`]`
const place = '(?:parameter|field|property|properties|argument|column|attribute|query|param|key|name)s?'
const fault = '(?:invalid|unsupported|unknown|missing|unexpected|unrecogni[sz]ed|illegal|duplicate)'
const verdict =
  "(?:must|should|cannot|can['’]t|may (?:only|not)|has to|needs to|is|are|was|does(?: not|n['’]t)|exceeds?|failed|too)"

/** Where a name in quotation marks or brackets is the parameter at fault, from the clearest wording to the vaguest. */
const quotedNames: readonly RegExp[] = [
  pattern(`required parameters?:? \\[(${name})\\]`),
  /#\/([\w/-]+)/,
  pattern(`\\((${name})\\) (?:is|are) (?:required|missing)`),
  pattern(`key \\((${name})\\)=`),
  pattern(
    `(?:${place.replace('|name', '')}|(?:value|type|format|argument) (?:for|at|in|of)):? (?:name:? )?${quoted}`,
  ),
  pattern(`${fault}(?: ${place}| file data)?:? ${quoted}(?! (?:model|tool|function))`),
  pattern(
    `(?<!\\bvalue )${quoted} (?:query |request |body |path |header )?(?:${place}|number|address|header|(?:is|was)(?: a| not|n't)? (?:required|missing|not(?! found)|valid|supplied|provided)|must|should)`,
  ),
  pattern(`${quoted}(?: \\w+){1,2} (?:is|was) (?:a )?(?:required|missing)`),
]

/** Where a name without them is. An ordinary word is none. */
const plainNames: readonly RegExp[] = [
  pattern(`missing (?:required )?${place}(?: for)?:? (${name})`),
  pattern(`(?:parameter|field|property|argument|column)(?: name:)? (${name}) ${verdict}`),
  pattern(`parameter name: (${name})`),
  pattern(`(?<!request )(${name}) (?:parameter|field|property|argument) ${verdict}`),
  pattern(`${fault} (${name}) (?:parameter|field|property|argument)`),
  pattern(`same value for property (${name})`),
  pattern(`(?:for|of|in) the (${name}) (?:parameter|field|property|argument)`),
  new RegExp(
    `(?:^|\\n)(${name}): (?:missing|invalid|required|must|should|cannot|expected|not an?|unexpected|too|at (?:least|most))\\b`,
    'i',
  ),
  pattern(`(${name}): (?:field required|input should|extra inputs|none is not|value error|required)`),
  pattern(`(?<!request )(${name}) (?:is|are) (?:a )?(?:required|missing|mandatory)`),
  new RegExp(
    `(?:^|[\\n:;]\\s*)(${name}) (?:must|should|may|cannot|has to|needs to) (?:not |only )?(?:be|have|contain|match|exceed|start|end)\\b`,
    'i',
  ),
  new RegExp(`(?:^|\\n)missing (${name})[.!]?(?:$|\\n)`, 'i'),
]

/** Where it has to look like an identifier: any word may stand there. */
const identifiers: readonly RegExp[] = [
  pattern(
    `(?:the|selection|${fault}(?: (?:value|type) (?:for|at|in|of))?) (${name})(?: ${place}|:|$|[.,](?:\\s|$))`,
  ),
  new RegExp(`(?:^|\\n|: )(${name}): `),
  pattern(`(${name}) (?:not an? |${verdict}\\b)`),
]

/** Words that stand where a name is expected. */
const ordinaryWords =
  /^(?:the|a|an|this|that|it|its|which|and|or|there|you|we|they|one|of|what|be|is|are|value|values|data|input|parameter|field|property|argument|request|requests|response|error|authentication|authorization|key|keys|api|token|login|password|permission|permissions|scope|access|header|headers|fields?|parameters?|properties|arguments?|users?|following|required|given|same|first|least|at|all|some|any|only|not|both|either|neither|each|every|please|if|when|because|service|server|json|path|form|user_?agent)$/i

const longestMessage = 1_000

/** The parameter that an error message names, written like `to[0].email`. */
export function parameterIn(wholeMessage: string): string | undefined {
  const message = wholeMessage.slice(0, longestMessage)
  const quotedName = firstOf(quotedNames, message, () => true)
  if (quotedName) return formatParameter(quotedName)
  const found =
    firstOf(plainNames, message, (word) => isIdentifier(word) || !ordinaryWords.test(word)) ??
    firstOf(identifiers, message, isIdentifier)
  return found && formatParameter(uncapitalise(found))
}

/** The first name that one of the wordings has and that can be one, without the mark behind it. */
function firstOf(
  wordings: readonly RegExp[],
  message: string,
  isName: (word: string) => boolean,
): string | undefined {
  for (const words of wordings) {
    const word = words.exec(message)?.[1]?.replace(/[.:-]+$/, '')
    if (word && !/(?:Error|Exception)$/.test(word) && isName(word)) return word
  }
  return undefined
}

function pattern(words: string): RegExp {
  return new RegExp(`(?<![\\w.[\\]-])(?:${words})(?!\\w)`, 'i')
}

/** `page_size`, `pageSize`, `items[0]`, `messages.1.content`: no ordinary word, host or file name. */
function isIdentifier(word: string): boolean {
  return (
    /^[a-z]/.test(word) && /_|[a-z\d][A-Z]|\[\d*n?\]|\.\d+(?:\.|$)/.test(word) && !/\.[a-z]{2,4}$/.test(word)
  )
}

/** A sentence begins with a capital: `Subject is required`. */
function uncapitalise(word: string): string {
  return /^[A-Z][a-z]+$/.test(word) ? word.toLowerCase() : word
}

/** `personalizations.0.to` and `messages/2/content` as `personalizations[0].to` and `messages[2].content`. */
export function formatParameter(written: string): string {
  return written
    .replace(/^[/#]+|[.:/]+$/g, '')
    .replace(/[./](\d+)(?=[./[]|$)/g, '[$1]')
    .replaceAll('/', '.')
}
