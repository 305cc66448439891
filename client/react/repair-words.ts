import type { Repair } from '../message.ts'
import { capitalise, labelOf } from '../sentence.ts'

/** What each rule of the engine's repairs comes to, as people know it. */
const words: Record<string, string> = {
  'as-before': 'taken over from what was asked before',
  bad_escape: 'a sign that was written wrongly',
  'blank-arguments': 'nothing was written, and nothing is needed',
  boolean: 'read as yes or no',
  code_fence: 'taken out of a code block',
  comment: 'a remark left out',
  doubled_comma: 'a comma too many',
  'enum-spelling': 'spelled as it is known',
  extra_closer: 'a bracket too many',
  'json-text': 'read out of a text',
  'null-removed': 'left out, because it was empty',
  number: 'read as a number',
  odd_blank: 'an odd blank',
  'one-item-array': 'made a list of one',
  'parameter-name': 'known under another name',
  python_literal: 'yes, no or nothing, written in another way',
  raw_line_break: 'a line break inside a text',
  repeated_key: 'a name that stood there twice',
  single_quotes: 'other quotes',
  surrounding_prose: 'taken out of the words around it',
  'tool-name': 'the name of the tool',
  trailing_comma: 'a comma too many',
  unquoted_key: 'quotes around a name',
  'wrapper-removed': 'taken out of what was around it',
  'written-as-text': 'taken out of the words of the answer',
}

/** The repairs of a call, each said once. */
export function describeRepairs(repairs: readonly Repair[]): string[] {
  const said = repairs.map(({ path, rule }) => {
    const what = words[rule] ?? rule.replace(/[-_]/g, ' ')
    return path ? `${labelOf(path)}: ${what}` : capitalise(what)
  })
  return [...new Set(said)]
}
