/** `npm run build`: the packages in `dist/askback` and `dist/askback-local` (or in another folder), ready for `npm pack`. */
import { join, resolve } from 'node:path'
import { buildAskback } from './build/askback.ts'
import { buildAskbackLocal } from './build/askback-local.ts'
import { root } from './platform.ts'

const target = resolve(process.argv[2] ?? join(root, 'dist'))
await buildAskback(join(target, 'askback'))
await buildAskbackLocal(join(target, 'askback-local'))
console.log(
  `Built ${join(target, 'askback')} and ${join(target, 'askback-local')}. Pack each with \`npm pack\`.`,
)
