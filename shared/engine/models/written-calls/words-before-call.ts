/** Words before a call that mark it as an example, a quotation or documentation. */
const example =
  /\b(?:examples?|e\.g|for instance|syntax|looks? like|if you|shows?(?: you)? how|illustrat\w+|demonstrat\w+|(?:you|users?|they|models?|one) (?:can|could|may|would|should|might|will|write))\b/i
const exampleElsewhere =
  /beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|przykład|пример|例如|比如|例えば|예를 들어|예시/i
const report = /\b(?:says|said|reads|contains|writes|wrote|documentation|docs|manual|samples?)\b/i
const intent = /\b(?:let me|let['’]s|I['’]ll|I['’]m going|I (?:will|am going|need|should|have) to|I will)\b/i
const presentation = /\b(?:show|explain|describe|give|tell|write|walk|demonstrate|illustrate)\b/i

/** Whether the words before a call (without trailing spaces) talk about it instead of making it. */
export function speakAboutCall(before: string, tagged: boolean): boolean {
  const near = before.slice(-300)
  if (/(?:^|[^`])`$|(?:^|\n)\s*>$/.test(near)) return true
  const words = near.replace(/\s*`{3,}\w*$/, '')
  // A tag after a complete sentence stands for itself; inside a fence it is only shown.
  if (tagged && words === near && /(?<!e\.g)[.!?]$/.test(words)) return false
  const line = lastLine(words)
  return example.test(line) || exampleElsewhere.test(line) || (report.test(line) && !intent.test(line))
}

/** Whether they say that the model is about to do something, so that words after the call change nothing. */
export function announceCall(before: string): boolean {
  const line = lastLine(before)
  return intent.test(line) && !presentation.test(line) && !example.test(line) && !exampleElsewhere.test(line)
}

/** Whether the words after a call say that it is one to look at. */
export function speakAboutIt(after: string): boolean {
  const line =
    after
      .replace(/^(?:\s|<[^<>\n]{1,60}>)+/, '')
      .slice(0, 300)
      .split('\n')[0] ?? ''
  return looked.test(line) || example.test(line) || exampleElsewhere.test(line)
}

const looked = /\b(?:form(?:at)?|syntax|markup|template|tags?|tokens?|looks? like)\b/i

function lastLine(text: string): string {
  const near = text.slice(-300)
  return near.slice(near.lastIndexOf('\n') + 1)
}
