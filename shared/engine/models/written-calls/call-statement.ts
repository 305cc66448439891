import type { ToolSpecification } from '../../core/tool-specification.ts'
import { wireName } from '../protocol/wire-names.ts'

/**
 * `bare`: a tool is named as in a call, but nothing is given to it. `perhaps`: what follows decides.
 */
export type Verdict = 'plain' | 'perhaps' | 'bare' | 'call'

export interface Statement {
  verdict: Verdict
  /** The tool's name is no word of the language, or call words or strange signs stand before it. */
  isStrange: boolean
}

const callWords = new Set(
  (
    'tool tools call calls calling function functions func fn invoke action command cmd run exec execute use using plugin ' +
    'api method op do name input inputs arg args argument arguments param params parameter parameters kwargs ' +
    'with begin start end stop assistant to await print return json ' +
    'werkzeug funktion aufruf aktion befehl argumente eingabe outil fonction appel entrée herramienta función llamada ' +
    'acción argumentos ferramenta função chamada strumento funzione azione narzędzie инструмент функция вызов действие ' +
    'аргументы параметры araç işlev'
  ).split(' '),
)
const otherCallWords =
  /^(?:工具|调用|函数|参数|操作|动作|输入|名称|ツール|関数|引数|呼び出し|도구|함수|호출|인수|أداة|استدعاء|उपकरण)+$/

/** Signs that hardly begin a sentence: doubled ones, rare brackets, control and private characters. */
const strangeSigns =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: some tokens are such characters.
  /([<>{}[\]%@$:~^+=&|])\1|<%|[→⇒▶►➜➤🔧🛠⚙§¦⟦⟧⟨⟩⟪⟫【】〔〕〖〗‹›⌈⌉⌊⌋\uE000-\uF8FF\u0000-\u0008\u000E-\u001F]/u

/** True for what a definition says of a parameter, where a call has a value. */
export function startsWithType(text: string): boolean {
  return typeWords.test(text)
}

const typeWords =
  /^["'<({[\s]*(?:string|str|text|number|integer|int|float|double|boolean|bool|object|array|list|date|datetime|any|enum|optional|required)\b/i

const tokens =
  /(?<quoted>"[^"\n]{0,200}"|(?<![\p{L}\p{N}])'[^'\n]{0,200}'|“[^”\n]{0,200}”)|(?<word>[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*)|(?<line>\r?\n)|(?<sign>[\s\S])/uy
/** Between a parameter's name and its value. */
const keySign = /["'”]?[ \t]*(?:[=:：＝|→]|[-=]>)/y

/** Tokens beyond these decide nothing. */
const most = 80
/** Words of no meaning here that may stand before the first argument. */
const mostWords = 2

export const sentenceEnd = /(?:[.!?…。！？：]["”»)]?|\p{L}:) /u.source

/** Finds where statements begin: lines, and what follows a sentence; global. */
export function statementStarts(): RegExp {
  return new RegExp(String.raw`(?<![^\n\r])[ \t]*\S|(?<=${sentenceEnd})\S`, 'gu')
}

/**
 * Judges what begins a statement by two signs that every form of a call has: an offered tool's name before which nothing but
 * signs and call words stand, and one of its own parameters with a value. `isWhole`: the text ends there, otherwise it is a
 * part of a stream.
 *
 * @example
 * const search = { name: 'search', description: 'Searches.', parameters: { properties: { query: {} } }, effect: 'read' as const }
 * judgeStatement('(search :query "x")', [search], true).verdict // => 'call'
 * judgeStatement('search for it', [search], true).verdict // => 'plain'
 * judgeStatement('@tool sea', [search], false).verdict // => 'perhaps'
 */
export function judgeStatement(
  text: string,
  tools: readonly ToolSpecification[],
  isWhole: boolean,
): Statement {
  if (judgedElsewhere.test(text)) return { verdict: 'plain', isStrange: false }
  const vocabulary = vocabularyOf(tools)
  const value = text.slice(assignment.exec(text)?.[0].length ?? 0)
  const isAssigned = value !== text && startsWithTool(value, vocabulary, isWhole)
  const reader = new StatementReader(isAssigned ? value : text, vocabulary, isWhole, isAssigned)
  return { verdict: reader.read(), isStrange: reader.isStrange }
}

/** What gets a value, up to two words before it, and its type: `hits`, `const hits`, `$hits`, `let hits: Pages`. */
const target = /[ \t]*(?:\p{L}\w*[ \t]+){0,2}[$@]?[\p{L}_][\w.]*(?:[ \t]*:[ \t]*[\p{L}_][\w.<>[\]|]*)?[ \t]*/u
  .source
/** What stands before a value that gets a name: `hits = `, `const hits = await `, `hits <- `. */
const assignment = new RegExp(String.raw`^${target}(?::?=|<-)[ \t]*(?:await[ \t]+)?(?=[\p{L}_]|$)`, 'u')
const wholeTarget = new RegExp(`^${target}:?$`, 'u')

/** Whether what stands before `=` or `<-` in a line may be what gets the value. */
export function mayBeAssigned(before: string): boolean {
  return wholeTarget.test(before)
}

/** Whether a text begins with a tool's name, or in a part of a stream with the beginning of one. */
function startsWithTool(text: string, { tools }: Vocabulary, isWhole: boolean): boolean {
  const name = /^[\w.-]*/.exec(text)?.[0] ?? ''
  if (tools.has(name) || isWhole || name !== text) return tools.has(name)
  return [...tools.keys(), 'await'].some((word) => word.startsWith(name))
}

/** Objects by their keys, tags and control tokens by their names. */
const judgedElsewhere = /^\s*(?:\[?\s*\{\s*(?:["'}\n]|$)|<\/?[A-Za-z|｜])/

class StatementReader {
  isStrange = false
  private readonly text: string
  private readonly vocabulary: Vocabulary
  private readonly isWhole: boolean
  private readonly isAssigned: boolean
  /** The parameters of the tool, once it is named. */
  private own: ReadonlySet<string> | undefined
  private isKeyed = false
  /** A call word or a strange sign has come. */
  private isMachine = false
  private isLineStart = true
  private words = 0
  private signs = ''

  /** `isAssigned`: its value gets a name, as in code. */
  constructor(text: string, vocabulary: Vocabulary, isWhole: boolean, isAssigned: boolean) {
    this.text = text
    this.vocabulary = vocabulary
    this.isWhole = isWhole
    this.isAssigned = isAssigned
    this.isMachine = isAssigned
  }

  read(): Verdict {
    const { text, isWhole } = this
    tokens.lastIndex = 0
    for (let taken = 0; taken < most; taken++) {
      const match = tokens.exec(text)
      if (match === null) break
      const end = tokens.lastIndex
      const { quoted, word, line, sign = '' } = match.groups ?? {}
      if (line !== undefined) {
        this.isLineStart = true
        if (/^[ \t]*\r?\n(?!\s*\{)/.test(text.slice(end, end + 40))) return this.end()
        continue
      }
      const rest = text.slice(end, end + 200)
      // What is cut there cannot be judged yet.
      const isCut =
        word !== undefined ? /^["']?[ \t]*$/.test(rest) : /["“]/.test(sign) && !/[\n"”]/.test(rest)
      if (isCut && !isWhole && (word === undefined ? this.isCalling : this.mayGoOn(word, end)))
        return 'perhaps'
      if (word === undefined && quoted === undefined) {
        this.signs += sign
        this.isMachine ||= strangeSigns.test(this.signs)
        continue
      }
      if (!(word !== undefined ? this.takeWord(word, end) : this.takeQuoted(quoted ?? '', end)))
        return 'plain'
      if (this.own !== undefined && this.isKeyed) return this.isReported(end) ? 'plain' : 'call'
      this.isLineStart = false
    }
    return isWhole ? this.end() : 'perhaps'
  }

  private end(): Verdict {
    // What is shown of code often has values without names: `hits = search(query)`.
    const isBare =
      this.own !== undefined && !this.isAssigned && this.words <= (this.isMachine ? mostWords : 0)
    return isBare && !/[.!?。！？]\s*$/.test(this.text) ? 'bare' : 'plain'
  }

  /** Words behind the brackets say what became of it. */
  private isReported(from: number): boolean {
    const line = /^[^\n]*/.exec(this.text.slice(from))?.[0] ?? ''
    const [, first = '', second] = /[)\]}][ \t]+(\p{L}+)(?:[ \t]+(\p{L}+))?/u.exec(line) ?? []
    return first !== '' && (second !== undefined || !isCallWord(first))
  }

  private get isCalling(): boolean {
    return this.own !== undefined || this.isMachine
  }

  private mayGoOn(word: string, end: number): boolean {
    if (this.isCalling) return true
    if (end < this.text.length) return this.vocabulary.tools.has(word)
    const lower = word.toLowerCase()
    return this.vocabulary.beginnings.some((one) => one.startsWith(word) || one.startsWith(lower))
  }

  /** False if the statement is words. */
  private takeWord(word: string, end: number): boolean {
    const { text, vocabulary } = this
    const own = this.own === undefined ? vocabulary.tools.get(word) : undefined
    if (own !== undefined) {
      if (goesOnBehindCode(text, end)) return false
      this.own = own
      // The columns of a table may be called like that.
      if (this.isKeyed && isOrdinary(word)) return false
      this.isStrange =
        this.isMachine || !isOrdinary(word) || /^["'\])}>]+[ \t]*\{/.test(text.slice(end, end + 20))
      // Python, with values by place.
      if (/^["']?\(\s*(?:["']|\d)[^()\n]*\)/.test(text.slice(end, end + 200))) this.isKeyed = true
      return true
    }
    if ((this.own ?? vocabulary.parameters).has(word) && this.isKey(end)) {
      if (this.own === undefined && !this.isMachine) return false
      if (/(?:--|:)$/.test(this.signs)) this.isStrange = true
      this.isKeyed = true
      return true
    }
    if (isCallWord(word)) this.isMachine = true
    else if (/^(?:GET|POST|PUT)$/.test(word)) return true
    else if (!/^\d+$/.test(word) || !this.isCalling) {
      this.words++
      // Before the name, only strange signs may have words of their own.
      return this.words <= mostWords && (this.own !== undefined || strangeSigns.test(this.signs))
    }
    return true
  }

  private takeQuoted(quoted: string, end: number): boolean {
    const inner = quoted.slice(1, -1)
    const { tools, parameters } = this.vocabulary
    if (tools.has(inner) || parameters.has(inner) || isCallWord(inner)) return this.takeWord(inner, end - 1)
    return this.own !== undefined || this.isMachine
  }

  /** Whether a value follows a parameter's name; false for a definition, where its type does. */
  private isKey(end: number): boolean {
    const { text, signs, isLineStart } = this
    const ahead = text.slice(end, end + 80)
    keySign.lastIndex = 0
    if (keySign.test(ahead)) return !typeWords.test(ahead.slice(keySign.lastIndex))
    if (/^["']?[ \t]*["“「@]/.test(ahead)) return true
    // A command line; words may go on like this too.
    return this.words === 0 && (isLineStart || /[-:]$/.test(signs)) && /^[ \t]+[\p{L}\p{N}"']/u.test(ahead)
  }
}

/** True within a code span that a sentence goes on about. */
function goesOnBehindCode(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  if (/^[^`]*`[^`]*$/.test(line) === false) return false
  return /^[^`\n]*`[ \t]*[\p{L}\p{N},;]/u.test(text.slice(at, at + 300))
}

/** True for a tool whose name is a word of the language: between words it says little. */
function isOrdinary(name: string): boolean {
  return /^\p{Lu}?\p{Ll}+$/u.test(name)
}

/** True for a word that stands around calls of any form, or is made of such words (`BEGIN_TOOL`, `useTool`). */
function isCallWord(word: string): boolean {
  if (callWords.has(word.toLowerCase()) || otherCallWords.test(word)) return true
  const parts = word.split(/[_-]+|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== '')
  return parts.length > 1 && parts.every((part) => callWords.has(part.toLowerCase()))
}

/** The names that statements are judged by. */
interface Vocabulary {
  /** The parameters of each tool. */
  tools: ReadonlyMap<string, ReadonlySet<string>>
  parameters: ReadonlySet<string>
  /** Names of tools and call words. */
  beginnings: readonly string[]
}

const vocabularies = new WeakMap<readonly ToolSpecification[], Vocabulary>()

function vocabularyOf(offered: readonly ToolSpecification[]): Vocabulary {
  const known = vocabularies.get(offered)
  if (known !== undefined) return known
  const tools = new Map(
    offered.flatMap(({ name, parameters }) => {
      const own = new Set(Object.keys(parameters.properties ?? {}))
      return [name, wireName(name)].map((one) => [one, own] as const)
    }),
  )
  const parameters = new Set([...tools.values()].flatMap((own) => [...own]))
  const vocabulary = { tools, parameters, beginnings: [...tools.keys(), ...callWords] }
  vocabularies.set(offered, vocabulary)
  return vocabulary
}
