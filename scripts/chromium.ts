import { existsSync } from 'node:fs'

const places = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of an installed Chromium, if there is one. CHROMIUM_PATH overrides it. */
export const chromiumPath: string | undefined = places.find((path) => path !== '' && existsSync(path))
