import type { Repair } from '../message.ts'
import { capitalise, labelOf } from '../sentence.ts'

/** What each rule of the engine's repairs comes to, as people know it. */
const words: Record<string, string> = {
  'as-before': 'taken from the earlier question',
  bad_escape: 'a wrongly written character',
  'blank-arguments': 'left empty, since nothing is needed',
  boolean: 'read as yes or no',
  code_fence: 'taken out of a code block',
  comment: 'a comment removed',
  doubled_comma: 'an extra comma',
  'enum-spelling': 'spelled like the allowed value',
  extra_closer: 'an extra bracket',
  'json-text': 'read from text',
  'null-removed': 'left out, because it was empty',
  number: 'read as a number',
  odd_blank: 'an unusual space',
  'one-item-array': 'turned into a list of one',
  'parameter-name': 'sent under another name',
  python_literal: 'yes, no or nothing written differently',
  raw_line_break: 'a line break inside text',
  repeated_key: 'a field given twice',
  single_quotes: 'the wrong quotes',
  surrounding_prose: 'taken out of the text around it',
  'tool-name': 'the tool’s name',
  trailing_comma: 'an extra comma',
  unquoted_key: 'missing quotes around a name',
  'wrapper-removed': 'unwrapped',
  'written-as-text': 'read from the answer’s text',
}

/** The repairs of a call, each said once. */
export function describeRepairs(repairs: readonly Repair[]): string[] {
  const said = repairs.map(({ path, rule }) => {
    const what = words[rule] ?? rule.replace(/[-_]/g, ' ')
    return path ? `${labelOf(path)}: ${what}` : capitalise(what)
  })
  return [...new Set(said)]
}
