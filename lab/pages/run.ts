/**
 * `npm run lab -- pages FOLDER`: how much of what a visitor sees of web pages is read, as figures for
 * docs/measurements.md; each page is a folder with a `source.html`. `--cases` lists the pages of which least is read.
 */
import { writeMeasured } from '../measured.ts'
import { readOptions } from '../options.ts'
import { describePages, isRead, measurePages } from './measure.ts'

const { path, values } = readOptions('pages FOLDER', { cases: { type: 'boolean' } })
const pages = await measurePages(path)
console.log(describePages(pages))
if (values.cases) {
  const least = pages.toSorted((one, other) => one.share - other.share).slice(0, 20)
  for (const { name, share } of least) console.log(`  ${name}: ${(share * 100).toFixed(0)} %`)
}
await writeMeasured('npm run lab -- pages', describePages(pages))
if (!isRead(pages)) process.exitCode = 1
