/** `npm run build`: the packages in `dist/askback` and `dist/askback-local`, ready for `npm pack`. */
import { join } from 'node:path'
import { buildAskback } from './build/askback.ts'
import { root } from './platform.ts'

await buildAskback(join(root, 'dist/askback'))
