/**
 * `npm run lab -- compare FILE --base-url URL --model NAME`: which of two tool libraries does better with the same inputs.
 * FILE is a module with the members of `compareLibraries`: `agent`, `inputs`, `a`, `b` and maybe `isSuccess`, such as
 * lab/compare/example.ts. `--times 5` plays each input so often; the key is that of `npm run conformance`.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Comparison, compareLibraries } from '../../shared/engine/compare/compare-libraries.ts'
import { explain, modelOptions, readModel } from '../model-options.ts'
import { readOptions } from '../options.ts'
import { describeComparison } from './report.ts'

const { path, values } = readOptions('compare FILE --base-url URL --model NAME', {
  ...modelOptions,
  times: { type: 'string', default: '1' },
})
const { inputs, ...members }: Omit<Comparison, 'model'> = await import(pathToFileURL(resolve(path)).href)
const played = Array.from({ length: Number(values.times) }, () => inputs).flat()
const model = readModel(values)
if (model !== undefined)
  await compareLibraries({ ...members, inputs: played, model }).then(
    (result) => console.log(describeComparison(result)),
    explain,
  )
