import { type About, inEnglish } from '../../words/languages/in-english.ts'
import type { Said } from '../core/asked.ts'
import type { OwnText } from './entry.ts'

/** A sentence of ours with its English text. */
export function ownText(said: Said & Pick<OwnText, 'toolCallId'>, about?: About): OwnText {
  return { ...said, text: inEnglish(said, about) }
}
