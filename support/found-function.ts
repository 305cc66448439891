import { join } from 'node:path'
import { type FunctionSource, ownFunctions } from '../local/functions/function-source.ts'
import { project } from './stack.ts'

/** A function in a folder of this repository, of which it may read everything. */
export function foundFunction(folder: string, name: string): FunctionSource {
  const source = ownFunctions(join(project, folder), [project]).find(name)
  if (!source) throw new Error(`There is no function ${name} in ${folder}.`)
  return source
}
