/** What became of an account. */
export interface DeletedAccount {
  deleted: true
  /** Providers that could not be told: the user removes the app there. */
  notRevoked: string[]
}
