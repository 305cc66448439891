/** Parses `fields` of a Google API: `id,files(id,name),body/content`; `*` or nothing means everything. */
interface Mask {
  [name: string]: Mask
}

/** The part of a response that a mask selects; unknown members are left out, as Google does. */
export function maskFields(value: unknown, fields: string | undefined): unknown {
  if (fields === undefined || fields === '' || fields === '*') return value
  return select(value, readMask(fields, { at: 0 }))
}

function select(value: unknown, mask: Mask): unknown {
  if (Object.keys(mask).length === 0 || mask['*']) return value
  if (Array.isArray(value)) return value.map((item) => select(item, mask))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = Object.hasOwn(mask, name) ? mask[name] : undefined
    return inner ? [[name, select(member, inner)]] : []
  })
  return Object.fromEntries(members)
}

function readMask(fields: string, reader: { at: number }): Mask {
  const mask: Mask = {}
  let path: string[] = []
  let name = ''
  const add = (inner: Mask = {}) => {
    let place = mask
    const names = [...path, ...(name ? [name] : [])]
    for (const [index, part] of names.entries()) {
      place[part] = { ...place[part], ...(index === names.length - 1 ? inner : {}) }
      place = place[part] as Mask
    }
    path = []
    name = ''
  }
  for (; reader.at < fields.length; reader.at++) {
    const character = fields[reader.at]
    if (character === ',') add()
    else if (character === '/') {
      path.push(name)
      name = ''
    } else if (character === '(') {
      reader.at += 1
      add(readMask(fields, reader))
    } else if (character === ')') {
      add()
      return mask
    } else if (character !== ' ') name += character
  }
  add()
  return mask
}
