import { type RefusalCode, refusals } from '../../shared/api/refusals.ts'
import { refusedSubjects } from '../../shared/words/refused/refused.ts'
import { sentences } from '../../shared/words/sentence-codes.ts'
import { subjects } from '../../shared/words/sentences/catalogue.ts'

const introduction = `# Codes

Every sentence that Askback shows to users comes with its English text, a code, and the values that it mentions. Clients use the code and the values to show it in another language, and otherwise show the English text. Each sentence stands once, in English beside German, in a file of its subject in [\`shared/words/sentences/\`](../shared/words/sentences): one that is missing in a language doesn't compile. The codes are defined in [\`sentence-codes.ts\`](../shared/words/sentence-codes.ts), from which this page is generated (\`npx tsx scripts/sentences.ts\`); code that uses any other doesn't compile. [Refused requests](#refused-requests) have their own codes; a name that is in both tables can mean different things.

## Where they are

- \`code\` and \`codeValues\` of an item in \`pending\`, and of a \`data-question\` part: what is being asked.
- \`code\` and \`values\` of \`data-tool-error\`; \`details.asked\` of a tool error: how a call failed.
- \`stillWaiting\` of an item in \`pending\`, and of a \`data-question\` part: other calls of its tool that still wait for the user, one sentence for each.
- \`data-closed { toolCallId, code, text }\`: why an item closed without a decision; \`text\` is the \`errorText\` of its call.
- \`data-notice { code, text }\`: what is happening while a message is being written; \`notices\` of a JSON answer. Right before an \`error\` part, the code of that error; it is one of those of [refused requests](#refused-requests).
- \`metadata.texts\` of a message: which texts are Askback's own and not the model's; sent before the text is streamed.

## Values

- \`tool\`, \`toolName\`: a tool's title, and its name
- \`field\`, \`parameter\`: a field's title, and its path (\`to[0]\`)
- \`question\`, \`hint\`: the words of the tool's author; \`help\`: where there is no hint, what the English sentence says of what to enter
- \`problem\`: what is wrong with a sender, in English
- \`host\`, \`port\`: a mail server; \`reason\`: its own words, or those of another provider
- \`refused\`: what the credentials were not good for: \`password\` or \`sending\`; \`what\`: what the mail server failed at
- \`isKey\`, \`fields\`: whether a key is all that is missing, and the titles of the fields to fill in
- \`isAsked\`: somebody can answer it; \`isWhole\`: \`reason\` is a whole sentence; \`words\`: a sentence of somebody else, which stays as it is
- \`unfit\`: what the tool’s author says of a value that is not valid
- \`canWait\`: false if the run does not continue by itself
- \`summary\`: what a call did, in its tool's own words
- \`also\`: the paths of \`alsoNeeded\`
- \`known\`: what the conversation says about the ids in a call, by parameter
- \`besides\`: parameters that the user has to see, in addition to those in the tool's own sentence
- \`answered\`: \`{ from, replyTo }\`: whom the email that a call answers comes from, and to whom it asks for answers, if that is somebody else
- \`origins\`: \`{ value, from }\`, where \`from\` is \`message\`, \`earlier\`, \`{ file }\` or \`{ tool, toolName }\`
- \`scope\`, \`measure\`, \`per\`, \`limit\`: [a limit](limits.md#budgets-and-rates); \`resumeAt\`: when the run continues by itself; \`share\`: percent of the limit that is used
- \`isSecond\`: what may have been done was the second try, so that doing it again may do it twice
- \`isMissing\`: what may have been done was looked for and not found, which proves nothing
- \`at\`, \`when\`: a time in ISO 8601, and as the English text says it
- \`group\`: who approves for the project; \`isYours\`: the reader is the user; \`name\`: who has approved, absent if it is the reader; \`waitsFor\`: who has not: \`group\`, \`reader\` or \`user\`
- \`why\`, \`whyValues\`: the code and values of another sentence

## Sentences

`

const aboutRefusals = `## Refused requests

\`{ error: { code, message } }\`. AI SDK clients get the message as the body, and the code in the header \`x-askback-error\`. What each means is said in [\`refusals.ts\`](../shared/api/refusals.ts). Their sentences, with the values of each, stand in files of their subjects in [\`shared/words/refused/\`](../shared/words/refused), English beside German.

`

/** The page of all codes, with their meanings and values. */
export function makeSentencesPage(): string {
  const rows = Object.entries<{ says: string; values?: readonly string[] }>(sentences).map(
    ([code, { says, values = [] }]) =>
      row(`\`${code}\``, says, values.map((name) => `\`${name}\``).join(', '), fileOf(code)),
  )
  const refused = Object.entries(refusals).map(([code, says]) =>
    row(`\`${code}\``, says, refusedIn(code as RefusalCode)),
  )
  return [
    introduction + row('code', 'meaning', 'values, if known', 'worded in'),
    '|---|---|---|---|',
    ...rows,
    `\n${aboutRefusals}${row('code', 'meaning', 'worded in')}`,
    '|---|---|---|',
    ...refused,
    '',
  ].join('\n')
}

function fileOf(code: string): string {
  const [subject] = Object.entries(subjects).find(([, { en }]) => Object.hasOwn(en, code)) ?? []
  return subject === undefined ? '' : `[${subject}](../shared/words/sentences/${subject}.ts)`
}

function refusedIn(code: RefusalCode): string {
  const [subject] = Object.entries(refusedSubjects).find(([, { en }]) => Object.hasOwn(en, code)) ?? []
  return `[${subject}](../shared/words/refused/${subject}.ts)`
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
