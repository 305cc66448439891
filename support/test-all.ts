/** Whether this is `npm run test:all`, which has the time for every variant; `npm test` takes some of them. */
export const isTestAll = process.env.ASKBACK_TEST_ALL === '1'

/** All variants of a test, or the first ones. */
export const some = <T>(variants: readonly T[], count = 1): T[] =>
  isTestAll ? [...variants] : variants.slice(0, count)
