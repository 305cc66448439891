/** Why a URL is not read; `sentence` is for people and models. */
export type Refusal =
  | 'not_a_url'
  | 'scheme'
  | 'userinfo'
  | 'port'
  | 'private'
  | 'redirects'
  | 'elsewhere'
  | 'kind'
  | 'size'
  | 'slow'
  | 'robots'

const sentences: Record<Refusal, (place: string) => string> = {
  not_a_url: () =>
    'Question: There seems to be an issue with this web address. Please check that it begins with https:// and names a site.',
  scheme: () =>
    'Question: Only web pages can be read. Which address that begins with https:// should I read?',
  userinfo: () =>
    'Question: This web address has a user name or password in it, and such addresses are not read. What is the address without them?',
  port: (place) =>
    `Question: This web address names a port, and only the usual ones of the web are read. What is the address of the page at ${place} without a port?`,
  private: (place) =>
    `Question: ${place} is not on the public internet, so it is not read. Which public page should I read instead?`,
  redirects: (place) => `The page is not read, because ${place} redirects too often.`,
  elsewhere: (place) =>
    `Question: This page redirects to another site, which was not read. Should ${JSON.stringify(place)} be read?`,
  kind: (place) => `The page is not read, because ${place} sent a file that is not text.`,
  size: (place) => `The page is not read, because ${place} sends more than 2 MB.`,
  robots: (place) => `The page is not read, because ${place} asks programs not to read it.`,
  slow: (place) => `The page is not read, because ${place} took longer than 15 s.`,
}

/** A URL that was not read, or not completely. Sentences with `Question:` can be resolved by whoever chose the URL. */
export class RefusedPage extends Error {
  override name = 'RefusedPage'
  readonly refusal: Refusal
  /** The host as shown to people; of a redirect elsewhere, where it leads. */
  readonly place: string

  constructor(refusal: Refusal, place: string, options?: ErrorOptions) {
    super(sentences[refusal](place), options)
    this.refusal = refusal
    this.place = place
  }
}
