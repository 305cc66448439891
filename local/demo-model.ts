/** Answers `/demo-model/v1/*` like an OpenAI-compatible server. */
export function answerAsDemoModel(_request: Request): Response | Promise<Response> {
  return Response.json({ error: { message: 'The demo model is not built yet.' } }, { status: 501 })
}
