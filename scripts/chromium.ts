import { existsSync } from 'node:fs'

const places = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium of this machine, if it has one. CHROMIUM_PATH names another. */
export const chromiumPath: string | undefined = places.find((path) => path !== '' && existsSync(path))
