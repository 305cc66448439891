/** The headers by which a client says which chat a request belongs to, as each wants them; docs/openai-clients.md has the same. */
export const headerLines = {
  openWebUi: `{
  "x-askback-conversation": "{{CHAT_ID}}",
  "x-askback-message": "{{USER_MESSAGE_ID}}",
  "x-askback-task": "{{TASK}}"
}`,
  libreChat: `headers:
  x-askback-conversation: "{{LIBRECHAT_BODY_CONVERSATIONID}}"
  x-askback-message: "{{LIBRECHAT_BODY_PARENTMESSAGEID}}"`,
  sdk: (baseUrl: string, chatId: string) => `client = OpenAI(
    base_url="${baseUrl}",
    api_key="askb_…",
    default_headers={"x-askback-conversation": "${chatId}"},
)`,
}
