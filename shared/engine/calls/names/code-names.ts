type NameList = 'language' | 'region' | 'currency'
const nameLists = new Map<NameList, Intl.DisplayNames>()

/** What a code is called in English: `German` for `de`, `US Dollar` for `USD`, `Japan` for `JP`. */
export function codeNames(code: string): readonly string[] {
  let names = known.get(code)
  if (!names) {
    names = readNames(code)
    if (known.size < maxKnown) known.set(code, names)
  }
  return names
}

const known = new Map<string, string[]>()
const maxKnown = 2000

function readNames(code: string): string[] {
  const names: (string | undefined)[] = []
  for (const type of ['language', 'region', 'currency'] as const) {
    try {
      names.push(nameList(type).of(type === 'language' ? code.toLowerCase() : code.toUpperCase()))
    } catch {
      // Not every short text has the form of a code.
    }
  }
  return names.filter((name) => name !== undefined)
}

function nameList(type: NameList): Intl.DisplayNames {
  const list = nameLists.get(type) ?? new Intl.DisplayNames(['en'], { type, fallback: 'none' })
  nameLists.set(type, list)
  return list
}
