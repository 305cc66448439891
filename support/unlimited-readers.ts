/** Answers that are read without a limit, in each way that `tests/unit/integrations/outside-readers.test.ts` has to see. */
export const unlimitedReaders = {
  json: async (answer: Response) => await answer.json(),
  text: (url: string) => fetch(url).then((answer) => answer.text()),
  optional: async (answer: Response | undefined) => await answer?.arrayBuffer(),
  body: async (answer: Response) => answer.body?.getReader(),
  destructured: async ({ body }: Response) => body,
  declared: async (url: string) => {
    const { body } = await fetch(url)
    return body
  },
}

/** What may be done with an answer, and with a request. */
export const others = {
  refused: async (answer: Response) => await answer.body?.cancel(),
  absent: (answer: Response) => answer.body === null,
  request: async (request: Request) => await request.json(),
}
