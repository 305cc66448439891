const end = '[^\\s"\'`)>\\]]'
const position = '(?::\\d+){0,2}'

/** Paths of files and programs, in the notations of runtimes and operating systems. */
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
/** The remains of a stack trace line. */
const frames = /\s*\bat (?:async )?[\w.<>$]+ \(…\)|,? *\bFile ["']?…["']?, line \d+(?:, in \S+)?/g

/** Replaces file paths with `…` and drops stack trace lines; web addresses stay. */
export function hidePaths(text: string): string {
  return text.replace(paths, '…').replace(frames, '')
}
