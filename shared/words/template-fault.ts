import { parametersIn } from './fill-template.ts'

/** `{message_ids:subject,from=von}`: what is looked up, with the words before the members after the first. */
const lookedUp = /\{[^{}:#=~]+:([^{}]+)\}/g

/**
 * Why a template in another language than English cannot be used, as the end of a sentence; undefined if it can.
 *
 * @param names the parameters of its tool
 * @example
 * templateFault('{subject} an {tu} senden?', ['subject', 'to'])
 * // => 'names {tu}, which is not a parameter (subject, to)'
 */
export function templateFault(template: string, names: readonly string[]): string | undefined {
  if (/[{}]/.test(template.replace(/\{[^{}"]{1,400}\}/g, ''))) return 'has a { or } without its other half'
  const unknown = parametersIn(template).find((name) => !names.includes(name))
  if (unknown !== undefined)
    return `names {${unknown}}, which is not a parameter (${names.join(', ') || 'it has none'})`
  for (const [place, members = ''] of template.matchAll(lookedUp)) {
    const wordless = members
      .split(',')
      .slice(1)
      .find((member) => !member.includes('='))
    if (wordless !== undefined)
      return `has no word before "${wordless}" in ${place}: write it like {ids:title,owner=of}`
  }
  return undefined
}
