/** The version of the code, as in package.json, which is not deployed with it. */
export const version = '0.1.0'
