/** The version of the code, as in package.json, which is not deployed with it. */
export const version = '0.1.0'

/** The version of the schema that this code belongs to. Databases of this version and the next accept it (SQL `version`). */
export const schemaVersion = 1
