import { factsOf } from '../../window/message-facts.ts'
import { readMessageText } from '../protocol/message-text.ts'
import type { ChatMessage } from '../protocol/model-client.ts'

/** Words of people who want to see code or a format. */
const forms =
  /\b(?:examples?|formats?|syntax|markup|cod(?:e|es|ing)|snippets?|scripts?|signatures?|json|ya?ml|toml|ini|xml|html|css|sql|csv|tex|latex|markdown|lisp|prolog|python|ruby|java(?:script)?|typescript|curl|bash|shell|cli|apis?|regex|templates?|config(?:uration)?|slash|readme|docs|documentation|manual|translate|glossary)\b|beispiel|vorlage|exemple|ejemplo|esempio|exemplo|przykład|пример|формат|例|格式|代码|コード|예시|예제|مثال|उदाहरण/i
/** Questions, and what they are about: tools and calls themselves. */
const question =
  /\b(?:what|which|how|why|list|explain|describe|show|write|was|welche[rs]?|wie|zeige?|quels?|quelles?|comment|qué|cuáles|cómo|quali|come|quais|como|jak|jakie)\b|какие|какой|как |什么|怎么|哪|何|どう|使い方|어떤|어떻게|ما |كيف|क्या|कैसे/i
const aboutCalls =
  /\b(?:tools?|functions?|methods?|commands?|calls?|parameters?|arguments?|params?|args|tags?|tokens?)\b|@\w|werkzeug|funktion|befehl|outil|fonction|commande|herramienta|función|comando|strument|ferramenta|narzędzi|инструмент|функци|команд|工具|函数|参数|命令|调用|ツール|関数|引数|도구|함수|أداة|उपकरण/i

/** Whether the user's newest message asks for what otherwise only machines write. */
export function asksForForm(messages: readonly ChatMessage[]): boolean {
  const asked = messages.findLast((message) => message.role === 'user' && !factsOf(message).continues)
  const words = asked === undefined ? '' : readMessageText(asked.content as string)
  return forms.test(words) || (question.test(words) && (aboutCalls.test(words) || /\w_\w/.test(words)))
}
