/** Prepares one contender for a model server; the returned function does one two-step run and resolves to its text. */
export type Contender = (baseURL: string, streamed: boolean) => () => Promise<string>
