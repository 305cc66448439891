import { wordsOf } from '../../base/language.ts'

/** The texts above a call that an app has made over MCP. */
export const callsWords = wordsOf('calls', {
  title: (app: string, count: number) => `${count} calls of “${app}” on this day`,
})
