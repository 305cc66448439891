const end = '[^\\s"\'`)>\\]]'
const position = '(?::\\d+){0,2}'

/** Places of files and programs, as runtimes and operating systems write them. */
const paths = new RegExp(
  [
    `(?<!\\w)(?:file|node|npm|jsr|ext|bun|asar|webpack(?:-internal)?):(?=[\\w/.@])${end}+`,
    `\\b[A-Za-z]:[\\\\/]${end}+`,
    `\\\\\\\\[\\w.$-]+\\\\${end}+`,
    `(?<![\\w/.#])(?:~|\\.{1,2})?/(?:[\\w.@+-]+/)+[\\w.@+-]*${position}`,
    `(?<![\\w/.@-])(?:[\\w.@+-]+/)+[\\w.@+-]+\\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|php|cs|cc|cpp|kt|lua)\\b${position}`,
    `(?<![\\w/.@-])(?:node_modules|site-packages)/${end}+`,
  ].join('|'),
  'g',
)
/** What is left of one line of a stack. */
const frames = /\s*\bat (?:async )?[\w.<>$]+ \(…\)|,? *\bFile ["']?…["']?, line \d+(?:, in \S+)?/g

/** Replaces paths of files by `…` and drops lines of a stack; addresses of the web stay. */
export function hidePaths(text: string): string {
  return text.replace(paths, '…').replace(frames, '')
}
